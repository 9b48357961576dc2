/* What one means by a revision where a profile with functions is wanted. */
#include "jobs/source/choose.h"

#include "base/alloc.h"
#include "jobs/profiles/sides.h"
#include "storage/body_fetch.h"
#include "storage/lookup/records.h"

#include <stdlib.h>
#include <string.h>

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

/* What one types behind "<rev>:" to mean this series of `all`, no longer than
 * is needed to tell it from the others. */
static const char *name_of(struct pn_arena *arena,
			   const struct pn_series_records *all, size_t count,
			   const struct pn_series_records *one)
{
	struct pn_series *series = pn_calloc(count + 1, sizeof(*series));
	struct pn_series_parts parts;
	struct pn_buf text = {0};
	const char *name;
	size_t i;

	for (i = 0; i < count; i++)
		series[i] = all[i].series;
	parts = pn_series_tell(&one->series, series, count);
	pn_series_text(&text, &one->series, &parts);
	name = pn_arena_copy(arena, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	free(series);
	return name;
}

int pn_source_choice_open(struct pn_source_choice *out,
			  const struct pn_lookup *lookup, const char *rev,
			  struct pn_error *err)
{
	const struct pn_series_records *all;
	struct pn_side side;
	size_t i, count;
	int code;

	memset(out, 0, sizeof(*out));
	if (rev)
		code = pn_repo_resolve(&out->commit, lookup->repo, rev, err);
	else
		code = pn_side_find(&side, &out->arena, lookup, NULL, err);
	if (code < 0)
		return code;
	if (!rev)
		out->commit = side.commit;
	out->rev = rev ? rev : side.rev;
	code = pn_lookup_read_series(&all, &count, &out->arena, lookup,
				     &out->commit, err);
	if (code)
		return code;
	out->series = pn_calloc(count + 1, sizeof(*out->series));
	for (i = 0; i < count; i++)
		if (has_functions(&all[i]))
			out->series[out->count++] =
				name_of(&out->arena, all, count, &all[i]);
	return 0;
}

void pn_source_choice_fetch(const struct pn_source_choice *choice,
			    const struct pn_lookup *lookup)
{
	struct pn_bodies_wanted *wanted = pn_bodies_wanted_new(lookup->repo);
	const struct pn_series_records *all;
	struct pn_arena arena = {0};
	size_t i, count;

	if (wanted && !pn_lookup_read_series(&all, &count, &arena, lookup,
					     &choice->commit, NULL))
		for (i = 0; i < count; i++)
			if (has_functions(&all[i]))
				pn_bodies_wanted_add(wanted, all[i].entries,
						     all[i].count);
	pn_bodies_wanted_end(wanted);
	pn_arena_release(&arena);
}

void pn_source_choice_close(struct pn_source_choice *choice)
{
	free(choice->series);
	pn_arena_release(&choice->arena);
}
