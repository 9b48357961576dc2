/* What one means by a revision where a profile with functions is wanted. */
#include "jobs/source/choose.h"

#include "base/alloc.h"
#include "jobs/profiles/sides.h"
#include "storage/store.h"

#include <stdlib.h>

/* A body that is figures alone is none of functions. */
static bool has_functions(const struct pn_series_records *records)
{
	size_t i;

	for (i = 0; i < records->count; i++)
		if (!records->entries[i]->has_body ||
		    !strcmp(pn_entry_field(records->entries[i], "collector"),
			    "time"))
			return false;
	return true;
}

static void add_name(struct pn_buf *out, const struct pn_series_records *all,
		     size_t count, const struct pn_series_records *one)
{
	struct pn_series *series = pn_calloc(count + 1, sizeof(*series));
	struct pn_series_parts parts;
	size_t i;

	for (i = 0; i < count; i++)
		series[i] = all[i].series;
	parts = pn_series_tell(&one->series, series, count);
	pn_series_text(out, &one->series, &parts);
	free(series);
}

static int choose_series(struct pn_buf *out, const struct pn_lookup *lookup,
			 const struct pn_side *side, struct pn_error *err)
{
	const struct pn_series_records *all, *one = NULL;
	struct pn_arena arena = {0};
	size_t i, count, fitting = 0;
	int code = pn_store_series(&all, &count, &arena, lookup->repo,
				   lookup->notes, &side->commit, err);

	for (i = 0; !code && i < count; i++)
		if (has_functions(&all[i])) {
			one = &all[i];
			fitting++;
		}
	pn_buf_add_text(out, side->rev);
	if (!code && fitting == 1 && count > 1) {
		pn_buf_add_byte(out, ':');
		add_name(out, all, count, one);
	}
	pn_arena_release(&arena);
	return code;
}

int pn_source_choose(struct pn_buf *out, const struct pn_lookup *lookup,
		     const char *rev, const char *profile, struct pn_error *err)
{
	struct pn_arena arena = {0};
	struct pn_side side;
	int code;

	if (profile) {
		pn_buf_printf(out, "%s%s%s", rev ? rev : "", rev ? ":" : "",
			      profile);
		return 0;
	}
	code = pn_side_find(&side, &arena, lookup, rev, err);
	if (code > 0)
		code = choose_series(out, lookup, &side, err);
	else if (!code)
		pn_buf_add_text(out, rev); /* a name of a profile, or nothing */
	pn_arena_release(&arena);
	return code;
}
