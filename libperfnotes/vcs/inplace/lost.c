/*
 * What the plan sets aside and is not there. While a run begins somebody may
 * have deleted it; later it is lost: a build removed it, or a power cut took a
 * rename back on a file system without a journal.
 */
#include "base/file.h"
#include "vcs/inplace/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LOST "lost"
#define TOLD_MAX 10 /* paths that a report names */

/* 1 when the plan sets it aside and nothing is there, 0 or an error. */
static int is_absent(const struct pn_inplace *run,
		     const struct pn_plan_item *item, struct pn_error *err)
{
	struct stat st;
	char *path;
	int found;

	if (item->kind != PN_PLAN_EXTRA && item->kind != PN_PLAN_CHANGED)
		return 0;
	path = pn_inplace_aside(run, item->path);
	found = pn_file_look(&st, path, err);
	free(path);
	return found < 0 ? found : !found;
}

static void forget(struct pn_plan *plan, size_t at)
{
	memmove(plan->items + at, plan->items + at + 1,
		(plan->count - at - 1) * sizeof(*plan->items));
	plan->count--;
}

int pn_inplace_drop_deleted(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_plan *plan = &run->plan;
	bool changed = false;
	size_t i = 0;
	int absent = 0;

	while (absent >= 0 && i < plan->count) {
		absent = is_absent(run, &plan->items[i], err);
		if (absent <= 0) {
			i++;
			continue;
		}
		changed = true;
		if (plan->items[i].kind == PN_PLAN_CHANGED)
			plan->items[i++].kind = PN_PLAN_GONE;
		else
			forget(plan, i);
	}
	if (absent < 0)
		return absent;
	return changed ? pn_inplace_save(run, err) : 0;
}

int pn_inplace_find_lost(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_plan *plan = &run->plan;
	size_t i = 0, told = 0;
	int absent = 0;

	while (absent >= 0 && i < plan->count) {
		absent = is_absent(run, &plan->items[i], err);
		if (absent <= 0) {
			i++;
			continue;
		}
		if (told++ < TOLD_MAX)
			pn_inplace_note(run,
					"'%s' was set aside and is not there "
					"any more",
					plan->items[i].path);
		forget(plan, i);
	}
	if (absent < 0)
		return absent;
	run->lost = told > 0;
	return told ? pn_inplace_put(run, LOST, "", err) : 0;
}

int pn_inplace_has_lost(const struct pn_inplace *run, struct pn_error *err)
{
	char *path = pn_inplace_path(run, LOST);
	struct stat st;
	int has = pn_file_look(&st, path, err);

	free(path);
	return has;
}
