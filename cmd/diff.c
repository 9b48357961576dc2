/* git perf diff: what a profile costs more or less than another. */
#include "analysis/diff.h"
#include "analysis/merge.h"
#include "command.h"
#include "profile_arg.h"
#include "render/diff.h"
#include "view_opts.h"

#include <string.h>

struct options {
	struct view_options view;
	const char *commit, *format, *output;
	bool json, normalize, exit_code;
};

#define AT(member) offsetof(struct options, member)

static const struct opt opts[] = {
	VIEW_OPTS(struct options, view),
	{OPT_FLAG, 0, "normalize", NULL,
	 "scale the second profile to the sum of the first", AT(normalize)},
	{OPT_FLAG, 0, "exit-code", NULL, "exit with 1 when they differ",
	 AT(exit_code)},
	{OPT_TEXT, 'm', "commit", "<rev>", "look in the list of this commit",
	 AT(commit)},
	{OPT_TEXT, 0, "format", "<name>", "format of the files", AT(format)},
	{OPT_FLAG, 0, "json", NULL, "print JSON", AT(json)},
	{OPT_TEXT, 'o', NULL, "<file>", "write to a file", AT(output)},
	{OPT_END},
};

struct pair {
	struct pn_profile before, after;
};

static int load(struct pn_profile *out, const char *name,
		const struct options *o, struct pn_error *err)
{
	struct profile_arg arg = {name, o->commit, o->format};
	int code = load_profile(out, &arg, err);

	return code ? code : view_clean(out, &o->view, err);
}

/* The second profile without the first. */
static int subtract(struct pn_profile *out, const struct pair *pair, bool apart,
		    bool normalize, struct pn_error *err)
{
	struct pn_merge_change change = {true, apart, NULL}, scale = {0};
	struct pn_merge *merge = pn_merge_new();
	double factors[PN_MAX_VALUE_TYPES];
	int code;

	if (normalize) {
		pn_merge_normalize(factors, &pair->after, &pair->before);
		scale.factors = factors;
	}
	code = pn_merge_add(merge, &pair->after, &scale, err);
	if (!code)
		code = pn_merge_add(merge, &pair->before, &change, err);
	if (code)
		pn_error_context(err, "cannot compare");
	pn_merge_end(out, merge);
	return code;
}

static bool is_zero(const union pn_value *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (values[i].i)
			return false;
	return true;
}

static bool says_nothing(const struct pn_profile *p)
{
	const struct pn_graph *g = &p->graph;

	return !p->sample_count &&
	       is_zero(g->self, g->node_count * p->type_count) &&
	       is_zero(g->total, g->node_count * p->type_count);
}

static int answer(const struct options *o, bool differs)
{
	return o->exit_code && differs ? EXIT_NO : EXIT_DONE;
}

/* Any view but top: that of the difference of the samples. Where percentages
 * are printed, they are of the first profile. */
static int view_difference(const struct global *global, struct pair *pair,
			   const struct pn_view *view, const struct options *o,
			   struct pn_error *err)
{
	bool apart = view->edges == PN_EDGES_ALL;
	struct pn_profile difference, plain;
	struct pn_report report = {0};
	struct pn_view_input in;
	bool differs = false;
	int code;

	code = subtract(&difference, pair, apart, o->normalize, err);
	if (!code && o->exit_code) {
		code = subtract(&plain, pair, false, o->normalize, err);
		differs = !says_nothing(&plain);
		pn_profile_release(&plain);
	}
	if (!code)
		code = view_prepare(&report, &in, &view, &difference, &o->view,
				    err);
	if (!code)
		code = view_print(global, view, &in, "diff", o->output, o->json,
				  err);
	pn_report_release(&report);
	pn_profile_release(&difference);
	return code ? code : answer(o, differs);
}

static int print_metrics(const struct global *global, const struct pair *pair,
			 const struct options *o, struct pn_error *err)
{
	struct pn_table table;
	struct output out;
	bool differs;
	int code = open_output(&out, global, o->output, true, err);

	if (code)
		return code;
	pn_table_of_metric_diff(&table, &differs, &pair->before, &pair->after);
	pn_print_metric_diff(out.file, &table, o->json);
	pn_table_release(&table);
	return close_output(&out, answer(o, differs));
}

/* All nodes of a profile; the difference decides what is small. */
static int report_on(struct pn_report *out, struct pn_profile *profile,
		     const struct view_options *o, const char *type,
		     struct pn_error *err)
{
	struct view_options whole = *o;
	const struct pn_view *view = &pn_view_top;
	struct pn_view_input in;

	whole.report.node_count = 0;
	whole.report.node_fraction = 0;
	if (!whole.report.sample_index)
		whole.report.sample_index = type;
	return view_prepare(out, &in, &view, profile, &whole, err);
}

static int print_table(const struct global *global, const struct pn_diff *diff,
		       const struct options *o, struct pn_error *err)
{
	struct output out;
	int code = open_output(&out, global, o->output, true, err);

	if (code)
		return code;
	pn_print_diff(out.file, diff, o->json);
	return close_output(&out, answer(o, diff->changed_count > 0));
}

static int compare(const struct global *global, struct pair *pair,
		   const struct options *o, struct pn_error *err)
{
	const struct pn_report_options *report = &o->view.report;
	struct pn_diff_options options = {report->cum_sort, o->normalize,
					  report->node_fraction,
					  report->node_count};
	struct pn_report before = {0}, after = {0};
	struct pn_diff diff = {0};
	int code;

	code = report_on(&after, &pair->after, &o->view, NULL, err);
	if (!code)
		code = report_on(&before, &pair->before, &o->view, after.type,
				 err);
	if (!code)
		code = pn_diff_init(&diff, &before, &after, &options, err);
	if (!code)
		code = print_table(global, &diff, o, err);
	pn_diff_release(&diff);
	pn_report_release(&before);
	pn_report_release(&after);
	return code;
}

static bool has_weights(const struct pn_profile *p)
{
	return p->sample_count || p->graph.node_count;
}

static int diff(const struct global *global, char **names,
		const struct pn_view *view, const struct options *o)
{
	struct pair pair;
	struct pn_error err;
	int code;

	pn_profile_init(&pair.before);
	pn_profile_init(&pair.after);
	code = load(&pair.before, names[0], o, &err);
	if (!code)
		code = load(&pair.after, names[1], o, &err);
	if (code)
		goto out;
	if (view == &pn_view_metrics || !has_weights(&pair.before) ||
	    !has_weights(&pair.after))
		code = print_metrics(global, &pair, o, &err);
	else if (view == &pn_view_top)
		code = compare(global, &pair, o, &err);
	else
		code = view_difference(global, &pair, view, o, &err);
out:
	pn_profile_release(&pair.before);
	pn_profile_release(&pair.after);
	return code < 0 ? fail(&err) : code;
}

static int run(const struct global *global, int argc, char **argv)
{
	const struct pn_view *view = NULL;
	struct options o = {.commit = NULL};
	int code;

	view_options_init(&o.view);
	argc = opts_parse(&cmd_diff, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 2)
		return usage(&cmd_diff, "need two profiles, have %d", argc);
	code = view_options_check(&o.view, &view, &cmd_diff);
	return code ? code : diff(global, argv, view, &o);
}

const struct command cmd_diff = {
	.name = "diff",
	.summary = "compare two profiles",
	.synopsis = "diff [<options>] <old> <new>",
	.opts = opts,
	.run = run,
};
