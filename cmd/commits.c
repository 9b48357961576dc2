/* The series of commits. */
#include "commits.h"

#include "jobs/profiles/commit_figures.h"
#include "render/log/series.h"
#include "storage/lookup/records.h"

static int print(const struct global *global, const struct pn_series_rows *rows,
		 struct pn_series_print what, const struct commits_options *o,
		 struct pn_error *err)
{
	double worse = what.before ? pn_series_rows_worse(rows, what.all) : 0;
	bool fails = o->exit_code && worse > 0 && worse >= o->min_effect;
	struct output out;
	int code = open_output(&out, global, o->output, !o->json, err);

	if (code)
		return code;
	what.palette = &out.palette;
	if (o->json)
		pn_series_print_json(out.file, rows, &what);
	else
		pn_series_print_text(out.file, rows, &what);
	return close_output(&out, fails ? EXIT_NO : EXIT_DONE);
}

static int read_side(struct pn_log_row *out, struct pn_arena *arena,
		     const struct context *c, const struct pn_side *side,
		     const char *metric, struct pn_error *err)
{
	struct pn_oid records = pn_lookup_records(&c->lookup, &side->commit);

	say_rewritten(&c->lookup, &side->commit);
	return pn_commit_figures(out, arena, c->repo, c->notes, &side->commit,
				 &records, metric, err);
}

int print_commits(const struct global *global, const struct context *c,
		  const struct pn_side *before, const struct pn_side *after,
		  const char *name, const struct commits_options *o,
		  struct pn_error *err)
{
	struct pn_series_print what = {.new_rev = after->rev,
				       .all = o->all || o->metric};
	struct pn_log_row old, now;
	struct pn_series_rows rows = {0};
	struct pn_arena arena = {0};
	int code = read_side(&now, &arena, c, after, o->metric, err);

	what.after = &now;
	if (!code && before) {
		what.before = &old;
		what.old_rev = before->rev;
		code = read_side(&old, &arena, c, before, o->metric, err);
	}
	if (!code) {
		pn_series_rows_init(&rows, what.before, &now, name);
		if (!before && !now.row_count && !o->json)
			code = pn_side_refuse(&c->lookup, after, err);
		else if (o->metric && !rows.count && !o->json)
			say("no series of these commits has metric '%s'",
			    o->metric);
		else
			code = print(global, &rows, what, o, err);
		if (!code && o->exit_code && !rows.count)
			code = EXIT_NO_VERDICT;
	}
	pn_series_rows_release(&rows);
	pn_arena_release(&arena);
	return code;
}
