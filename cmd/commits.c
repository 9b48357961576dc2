/* The series of commits. */
#include "commits.h"

#include "analysis/diff/diff.h"
#include "jobs/profiles/commit_rows.h"
#include "render/log/series.h"

static int print(const struct global *global, const struct pn_series_rows *rows,
		 struct pn_series_print what, const struct commits_options *o,
		 struct pn_error *err)
{
	double worse = what.before ? pn_series_rows_worse(rows, what.all) : 0;
	bool fails = o->exit_code && pn_diff_is_worse(worse, o->min_effect);
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

int print_commits(const struct global *global, const struct context *c,
		  const struct pn_side *before, const struct pn_side *after,
		  const char *name, const struct commits_options *o,
		  struct pn_error *err)
{
	struct pn_commit_rows read = {.rows.count = 0};
	struct pn_series_print what = {.new_rev = after->rev,
				       .old_rev = before ? before->rev : NULL,
				       .before = before ? &read.old : NULL,
				       .after = &read.now,
				       .all = o->all || o->metric};
	int code = o->type ? pn_side_refuse_type(after, err)
			   : pn_commit_rows_read(&read, &c->lookup, before,
						 after, name, o->metric, err);

	if (!code) {
		say_rewritten(&c->lookup, &after->commit);
		if (before)
			say_rewritten(&c->lookup, &before->commit);
		if (!before && !read.now.row_count && !o->json)
			code = pn_side_refuse(&c->lookup, after, err);
		else if (o->metric && !read.rows.count && !o->json)
			say("no series of these commits has metric '%s'",
			    o->metric);
		else
			code = print(global, &read.rows, what, o, err);
		if (!code && o->exit_code && !read.rows.count)
			code = EXIT_NO_VERDICT;
	}
	pn_commit_rows_release(&read);
	return code;
}
