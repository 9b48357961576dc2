/* git perf diff: what a profile costs more or less than another. Long, as there
 * are four kinds of difference (of functions, samples, metrics and of the
 * series of two commits), and as two profiles are read at once. */
#include "render/diff.h"
#include "analysis/merge/difference.h"
#include "command.h"
#include "commits.h"
#include "jobs/judge/gates.h"
#include "jobs/profiles/pair.h"
#include "model/timeline/ticks.h"
#include "profile_arg.h"
#include "render/rows.h"
#include "view/view_opts.h"

#include <string.h>

struct options {
	struct pn_view_request view;
	const char *commit, *format, *metric, *output, *least;
	bool json, normalize, exit_code;
	double min_effect; /* of `least` */
};

static const struct pn_opt opts[] = {
	{OPT_TABLE(struct pn_view_request, view, pn_view_opts)},
	{OPT_TABLE(struct pn_reshape, view.reshape, pn_reshape_opts)},
	{OPT_TABLE(struct pn_filter, view.report.filter, pn_filter_opts)},
	{OPT_TABLE(struct pn_resources_request, view.resources,
		   pn_resources_opts)},
	{OPT_FLAG(normalize), 0, "normalize", NULL,
	 "scale the second profile to the sum of the first"},
	{OPT_FLAG(exit_code), 0, "exit-code", NULL,
	 "exit with 1 when the second is worse"},
	{OPT_TEXT(least), 0, "min-effect", "<share>",
	 "with --exit-code: by so much at least, as 2%"},
	{OPT_TEXT(metric), 0, "metric", "<regex>",
	 "of commits: all metrics whose name matches"},
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "look in the list of this commit"},
	{OPT_TEXT(format), 0, "format", "<name>", "format of the files",
	 .check = pn_codec_check_read},
	{OPT_FLAG(json), 0, "json", NULL, "print JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

struct pair {
	struct pn_profile before, after;
	const char *const *names;	 /* of both, as they were given */
	char commits[2][PN_OID_HEX + 1]; /* that were measured, or "" */
};

static int load_pair(struct pair *pair, const struct options *o,
		     struct pn_error *err)
{
	struct pn_profile *const to[] = {&pair->before, &pair->after};
	struct profile_source from[2];
	struct pn_pair_source sides[2];
	size_t opened = 0;
	int code = 0;

	while (!code && opened < 2) {
		struct profile_arg arg = {pair->names[opened], o->commit,
					  o->format};
		struct profile_source *side = &from[opened];

		code = open_profile(side, &arg, err);
		if (!code && side->found.items->entry)
			pn_oid_hex(pair->commits[opened],
				   pn_stand_ins_source(&side->context.lookup,
						       side->found.items));
		sides[opened++] = (struct pn_pair_source){
			&side->context.lookup, side->found.items, side->codec};
	}
	if (!code)
		code = pn_pair_load(to, sides, &o->view.clean, err);
	while (opened)
		close_profile(&from[--opened]);
	return code;
}

static int answer(const struct options *o, double worse)
{
	return o->exit_code && pn_diff_is_worse(worse, o->min_effect)
		       ? EXIT_NO
		       : EXIT_DONE;
}

/* Any view but top: that of the difference of the samples. Where percentages
 * are printed, they are of the first profile. */
static int view_difference(const struct global *global, struct pair *pair,
			   const struct pn_view *view, const struct options *o,
			   struct pn_error *err)
{
	struct pn_subtract_options options = {view->edges == PN_EDGES_ALL,
					      o->normalize};
	struct pn_profile difference;
	struct pn_report report = {0};
	struct pn_view_input in;
	double worse = 0;
	int code;

	pn_ticks_spread(&pair->after);
	pn_ticks_spread(&pair->before);
	code = pn_subtract(&difference, &pair->after, &pair->before, &options,
			   err);
	if (code)
		pn_error_context(err, "cannot compare");
	if (!code && o->exit_code)
		code = pn_view_request_worse(&worse, &pair->before,
					     &pair->after, &o->view,
					     o->normalize, err);
	if (!code)
		code = view_prepare(&report, &in, &view, &difference, &o->view,
				    err);
	if (!code)
		code = view_print(global, view, &in, "diff", o->output, o->json,
				  err);
	pn_report_release(&report);
	pn_profile_release(&difference);
	return code ? code : answer(o, worse);
}

static int print_metrics(const struct global *global, const struct pair *pair,
			 const struct options *o, struct pn_error *err)
{
	struct pn_table table;
	struct output out;
	double worse;
	int code = pn_table_of_metric_diff(&table, &worse, &pair->before,
					   &pair->after,
					   o->view.report.sample_index, err);

	code = code ? code : open_output(&out, global, o->output, true, err);
	if (!code)
		pn_print_metric_diff(
			out.file, &table, &out.palette,
			pn_view_request_form(&o->view, o->output, o->json));
	pn_table_release(&table);
	return code ? code : close_output(&out, answer(o, worse));
}

/* What is said about them, on failure too: which one lacks the type, when that
 * is what is wrong. */
static void warn_of_reports(const struct pn_diff_reports *reports,
			    const struct pair *pair, int code,
			    struct pn_error *err)
{
	int side;

	for (side = 1; side > reports->failed; side--)
		filters_warn(reports->of[side].unmatched);
	if (code && reports->lacks_type)
		pn_error_context(err, "'%s'", pair->names[reports->failed]);
}

static int print_table(const struct global *global, const struct pn_diff *diff,
		       const struct options *o, struct pn_error *err)
{
	struct output out;
	int code = open_output(&out, global, o->output, true, err);

	if (code)
		return code;
	pn_print_diff(out.file, diff, &out.palette,
		      pn_view_request_form(&o->view, o->output, o->json));
	return close_output(&out, answer(o, pn_diff_worse(diff)));
}

/* The views that show both sides of it. */
static int view_pair(const struct global *global, const struct pair *pair,
		     const struct pn_diff *diff, const struct pn_view *view,
		     const struct options *o, struct pn_error *err)
{
	struct pn_view_input in = {&pair->after, diff->after, o->view.function};
	struct pn_buf title = {0};
	int code;

	pn_buf_printf(&title, "%s to %s", pair->names[0], pair->names[1]);
	in.diff = diff;
	in.source_path = o->view.source_path;
	in.commit = *pair->commits[1] ? pair->commits[1] : NULL;
	in.commit_before = *pair->commits[0] ? pair->commits[0] : NULL;
	in.flame = o->view.style;
	in.title = pn_buf_text(&title);
	code = view_print(global, view, &in, "diff", o->output, o->json, err);
	pn_buf_release(&title);
	return code ? code : answer(o, pn_diff_worse(diff));
}

static int compare(const struct global *global, struct pair *pair,
		   const struct pn_view *view, const struct options *o,
		   struct pn_error *err)
{
	struct pn_diff_reports reports = {0};
	struct pn_diff diff = {0};
	int code = pn_view_request_compare(&diff, &reports, view, &pair->before,
					   &pair->after, &o->view, o->normalize,
					   err);

	warn_of_reports(&reports, pair, code, err);
	if (!code && view->of_pair)
		code = view_pair(global, pair, &diff, view, o, err);
	else if (!code)
		code = print_table(global, &diff, o, err);
	pn_diff_release(&diff);
	pn_diff_reports_release(&reports);
	return code;
}

static int diff(const struct global *global, const char *const *names,
		const struct pn_view *view, const struct options *o)
{
	struct pair pair = {.names = names};
	struct pn_error err;
	int code;

	pn_profile_init(&pair.before);
	pn_profile_init(&pair.after);
	code = load_pair(&pair, o, &err);
	if (code)
		goto out;
	if (view == &pn_view_metrics ||
	    !pn_pair_has_weights(&pair.before, &pair.after))
		code = print_metrics(global, &pair, o, &err);
	else if (view == &pn_view_top || view->of_pair)
		code = compare(global, &pair, view, o, &err);
	else
		code = view_difference(global, &pair, view, o, &err);
out:
	pn_profile_release(&pair.before);
	pn_profile_release(&pair.after);
	return code < 0 ? fail(&err) : code;
}

/* Commits of which no view of a profile is wanted: 1 when they were printed,
 * *done with the exit code. Else 0: `sides` names profiles. */
static int diff_commits(int *done, struct pn_sides *sides,
			const struct global *global, const char *const *names,
			size_t count, const struct options *o,
			struct pn_error *err)
{
	bool all = o->view.view && !strcmp(o->view.view, pn_view_metrics.name);
	struct commits_options options = {o->output, o->json,
					  all,	     o->exit_code,
					  o->metric, o->min_effect};
	struct context context = {0};
	int code = open_context(&context, o->commit, count < 2, err);

	options.type = o->view.report.sample_index;
	pn_stand_ins_use(&context.stand_ins, &context.lookup);
	if (!code)
		code = pn_sides_find(sides, &context.lookup, names, count, err);
	if (!code && sides->are_commits &&
	    (!pn_view_is_meant(&o->view, o->output) || all || o->metric)) {
		*done = print_commits(global, &context, &sides->commits[0],
				      &sides->commits[1], sides->series,
				      &options, err);
		code = *done < 0 ? *done : 1;
	}
	if (code == PN_ENOTFOUND)
		say_where_profiles_are(&context.lookup);
	close_context(&context);
	return code;
}

static int diff_named(const struct global *global, int count, char **argv,
		      const struct pn_view *view, const struct options *o)
{
	const char *names[2] = {argv[0], count > 1 ? argv[1] : NULL};
	struct pn_sides sides = {.nothing = false};
	struct pn_error err;
	int done = 0, code = 0;
	size_t i;

	if (pn_sides_may_be_commits(names, (size_t)count))
		code = diff_commits(&done, &sides, global, names, (size_t)count,
				    o, &err);
	for (i = 0; i < 2; i++)
		if (sides.profiles[i])
			names[i] = sides.profiles[i];
		else if (sides.are_commits)
			names[i] = sides.commits[i].rev;
	if (!code && o->metric)
		done = usage(&cmd_diff,
			     "--metric is of commits, --view=metrics "
			     "or --sample-index of profiles");
	else if (!code)
		done = diff(global, names, view, o);
	else if (code < 0)
		done = sides.nothing ? (fail(&err), EXIT_NO_VERDICT)
				     : fail(&err);
	pn_sides_release(&sides);
	return done;
}

static int run(const struct global *global, int argc, char **argv)
{
	const struct pn_view *view = NULL;
	struct options o = {.commit = NULL};
	struct pn_error err;
	int code;

	pn_view_request_init(&o.view);
	argc = opts_parse(&cmd_diff, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc > 2)
		return usage(&cmd_diff, "need two profiles or commits, have %d",
			     argc);
	if (argc == 1 && !pn_sides_may_be_commits((const char *const *)argv, 1))
		return usage(&cmd_diff,
			     "need two profiles or commits, have one profile");
	if (argc == 2 && !strcmp(argv[0], "-") && !strcmp(argv[1], "-"))
		return usage(&cmd_diff, "standard input can be read only once");
	if (o.least && !o.exit_code)
		return usage(&cmd_diff, "--min-effect is for --exit-code");
	if (o.least && pn_gates_effect(&o.min_effect, o.least, &err))
		return usage(&cmd_diff, "--min-effect: %s", err.message);
	code = view_check(&view, &o.view, o.output, &cmd_diff);
	if (!code && view == &pn_view_models)
		code = usage(&cmd_diff, "models have no difference; show both");
	if (!code)
		code = diff_named(global, argc, argv, view, &o);
	pn_opts_release(opts, &o);
	return code;
}

const struct command cmd_diff = {
	.name = "diff",
	.summary = "compare two commits or profiles",
	.synopsis = "diff [<options>] [<old> [<new>]]",
	.opts = opts,
	.colored = true,
	.forms = PN_VIEW_FORMS_ALL,
	.run = run,
};
