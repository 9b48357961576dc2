/* The rows of one commit or two. */
#include "jobs/profiles/commit_rows.h"

#include "jobs/profiles/commit_figures.h"
#include "storage/lookup/records.h"

static int read_side(struct pn_log_row *out, struct pn_arena *arena,
		     const struct pn_lookup *lookup, const struct pn_side *side,
		     const char *metric, struct pn_error *err)
{
	struct pn_oid records = pn_lookup_records(lookup, &side->commit);

	return pn_commit_figures(out, arena, lookup->repo, lookup->notes,
				 &side->commit, &records, metric, err);
}

int pn_commit_rows_read(struct pn_commit_rows *out,
			const struct pn_lookup *lookup,
			const struct pn_side *before,
			const struct pn_side *after, const char *name,
			const char *metric, struct pn_error *err)
{
	int code =
		read_side(&out->now, &out->arena, lookup, after, metric, err);

	if (!code && before)
		code = read_side(&out->old, &out->arena, lookup, before, metric,
				 err);
	if (!code)
		pn_series_rows_init(&out->rows, before ? &out->old : NULL,
				    &out->now, name);
	return code;
}

void pn_commit_rows_release(struct pn_commit_rows *rows)
{
	pn_series_rows_release(&rows->rows);
	pn_arena_release(&rows->arena);
}
