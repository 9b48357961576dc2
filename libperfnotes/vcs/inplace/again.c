/*
 * Between the plan and the first checkout lies all that begin does: bytes are
 * hashed, a safety copy is written, files are renamed. What the user saves
 * meanwhile is found by a second look and joins the plan, until nothing new is
 * there. What comes even later nobody overwrites (checkout.c); it goes to the
 * leftovers.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "vcs/inplace/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LOOKS_MAX 8  /* something writes without end */
#define TOLD_MAX 10  /* paths that a report names */
#define THERE "RTDN" /* kinds of what is at a path, at most one of them, */
#define FOLDER "AM"  /* of what folder is there, */
#define MODE "P"     /* of which mode a file has, */
#define OWNED "O"    /* and of whose a folder is */

struct again {
	struct pn_inplace *run;
	struct pn_plan found;
	size_t planned;
	struct pn_listing move; /* what is to be set aside now */
	bool changed;
	struct pn_error *err;
};

static int by_path(const void *a, const void *b)
{
	const struct pn_plan_item *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : (int)x->kind - (int)y->kind;
}

/* Folders come before what they hold, by name as well. */
static void sort_plan(struct pn_plan *plan)
{
	if (plan->count)
		qsort(plan->items, plan->count, sizeof(*plan->items), by_path);
}

/* The item of a path that is of one of these kinds; of a sorted plan's first
 * `count` items. */
static struct pn_plan_item *find(const struct pn_plan *plan, size_t count,
				 const char *path, const char *kinds)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(plan->items[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < count && !strcmp(plan->items[low].path, path); low++)
		if (strchr(kinds, (int)plan->items[low].kind))
			return &plan->items[low];
	return NULL;
}

static const char *class_of(enum pn_plan_kind kind)
{
	static const char *const classes[] = {THERE, FOLDER, MODE, OWNED};
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (strchr(classes[i], (int)kind))
			return classes[i];
	return "";
}

static bool is_moved(enum pn_plan_kind kind)
{
	return kind == PN_PLAN_EXTRA || kind == PN_PLAN_CHANGED;
}

/* Something is at the place now: it is to be set aside. */
static void set_aside_now(struct again *a, const char *path)
{
	pn_listing_put(&a->move, 0, &a->run->home, path);
}

static void join(struct again *a, const struct pn_plan_item *item)
{
	struct pn_plan *plan = &a->run->plan;
	struct pn_plan_item *have =
		find(plan, a->planned, item->path, class_of(item->kind));

	if (is_moved(item->kind))
		set_aside_now(a, item->path);
	else if (have && is_moved(have->kind))
		return; /* it was set aside: so it is gone now */
	if (!have) {
		pn_plan_add(plan, item->kind, item->mode, item->path);
		a->changed = true;
	} else if (have->kind != item->kind || have->mode != item->mode) {
		have->kind = item->kind;
		have->mode = item->mode;
		a->changed = true;
	}
}

/* Files that were deleted before, and are back as the commit has them: they
 * would be deleted again in the end. */
static int join_returned(struct again *a)
{
	struct pn_plan *plan = &a->run->plan;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < a->planned; i++) {
		struct pn_plan_item *item = &plan->items[i];
		const struct pn_listed *listed;

		if (item->kind != PN_PLAN_GONE ||
		    find(&a->found, a->found.count, item->path, "D"))
			continue;
		listed = pn_listing_find(&a->run->tree, item->path);
		if (listed && listed->mode == PN_MODE_GITLINK)
			continue;
		item->kind = PN_PLAN_CHANGED;
		set_aside_now(a, item->path);
		a->changed = true;
	}
	return code;
}

static void tell(struct pn_inplace *run, const char *path, bool left)
{
	if (left)
		pn_inplace_note(run,
				"'%s' was saved while the run began, when it "
				"was set aside already; that is kept in '%s'",
				path, run->leftovers);
	else
		pn_inplace_note(run,
				"'%s' was saved while the run began; it was "
				"set aside like the rest and is back",
				path);
}

/* An older state of the same file gives way to the leftovers; but a folder is
 * more than what was made anew in its place. */
static int move_one(struct again *a, const char *path)
{
	struct pn_inplace *run = a->run;
	char *from = pn_inplace_in_tree(run, path);
	char *to = pn_inplace_aside(run, path);
	struct stat st = {0};
	int code = pn_file_look(&st, to, a->err);
	bool keeps = code > 0 && S_ISDIR(st.st_mode);

	if (code > 0)
		code = pn_inplace_leave(run, path, keeps ? from : to, a->err);
	if (!code && !keeps)
		code = pn_inplace_move(run, from, to, a->err);
	if (!code && run->told++ < TOLD_MAX)
		tell(run, path, keeps);
	free(from);
	free(to);
	return code == PN_ENOTFOUND ? 0 : code;
}

static int look(struct again *a, bool *more)
{
	struct pn_inplace *run = a->run;
	size_t i;
	int code = pn_plan_walk(&a->found, run->root, &run->tree, &run->plan,
				&run->seen, a->err);

	sort_plan(&run->plan);
	sort_plan(&a->found);
	a->planned = run->plan.count;
	for (i = 0; !code && i < a->found.count; i++)
		join(a, &a->found.items[i]);
	if (!code)
		code = join_returned(a);
	sort_plan(&run->plan);
	if (!code && a->changed)
		code = pn_inplace_save(run, a->err);
	for (i = 0; !code && i < a->move.count; i++)
		code = move_one(a, a->move.items[i].path);
	*more = a->changed || a->move.count;
	return code;
}

int pn_inplace_look_again(struct pn_inplace *run, struct pn_error *err)
{
	bool more = true;
	int looks, code = 0;

	for (looks = 0; !code && more && looks < LOOKS_MAX; looks++) {
		struct again a = {.run = run, .err = err};

		code = look(&a, &more);
		pn_plan_release(&a.found);
		pn_listing_release(&a.move);
	}
	return code;
}
