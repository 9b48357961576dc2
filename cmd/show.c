/* git perf show: one view of one profile. */
#include "analysis/report.h"
#include "command.h"
#include "profile_arg.h"
#include "render/renderer.h"

#include <string.h>

struct options {
	const char *view, *function, *commit, *format, *output;
	const char *granularity;
	struct pn_report_options report;
	bool json, all_frames;
};

#define OPTION(member) offsetof(struct options, member)
#define FILTER(kind) OPTION(report.filter.text[PN_FILTER_##kind])

/* In the order of enum pn_granularity. */
static const char *const granularities[] = {
	"functions", "filefunctions", "files", "lines", "addresses", NULL,
};

static const struct opt opts[] = {
	{OPT_TEXT, 0, "view", "<name>",
	 "how to show it (top, tree, peek, traces, tags, raw, metrics)",
	 OPTION(view), "top tree peek traces tags raw metrics"},
	{OPT_TEXT, 0, "function", "<regex>", "the functions that peek shows",
	 OPTION(function)},
	{OPT_TEXT, 'm', "commit", "<rev>", "look in the list of this commit",
	 OPTION(commit)},
	{OPT_TEXT, 0, "format", "<name>", "format of a file", OPTION(format)},
	{OPT_TEXT, 0, "sample-index", "<type>",
	 "value to show, by name or number", OPTION(report.sample_index)},
	{OPT_FLAG, 0, "mean", NULL, "divide it by the first value (count)",
	 OPTION(report.mean)},
	{OPT_DOUBLE, 0, "divide-by", "<n>", "divide all values by n",
	 OPTION(report.divide_by)},
	{OPT_TEXT, 0, "unit", "<unit>", "unit of the values",
	 OPTION(report.unit)},
	{OPT_TEXT, 0, "focus", "<regex>", "only samples with such a frame",
	 FILTER(FOCUS)},
	{OPT_TEXT, 0, "ignore", "<regex>", "no samples with such a frame",
	 FILTER(IGNORE)},
	{OPT_TEXT, 0, "hide", "<regex>", "take such frames out", FILTER(HIDE)},
	{OPT_TEXT, 0, "show", "<regex>", "keep such frames only", FILTER(SHOW)},
	{OPT_TEXT, 0, "show-from", "<regex>",
	 "cut stacks above the outermost such frame", FILTER(SHOW_FROM)},
	{OPT_TEXT, 0, "prune-from", "<regex>",
	 "cut stacks below the innermost such frame", FILTER(PRUNE_FROM)},
	{OPT_TEXT, 0, "tagfocus", "<filter>", "only samples with such labels",
	 FILTER(TAG_FOCUS)},
	{OPT_TEXT, 0, "tagignore", "<filter>", "no samples with such labels",
	 FILTER(TAG_IGNORE)},
	{OPT_FLAG, 0, "all-frames", NULL,
	 "keep the frames that the profile says to drop", OPTION(all_frames)},
	{OPT_TEXT, 0, "granularity", "<what>", "what counts as one",
	 OPTION(granularity), "functions filefunctions files lines addresses"},
	{OPT_FLAG, 0, "noinlines", NULL, "give inlined calls to their caller",
	 OPTION(report.noinlines)},
	{OPT_FLAG, 0, "cum", NULL, "order by cum instead of flat",
	 OPTION(report.cum_sort)},
	{OPT_INT, 0, "nodecount", "<n>", "show at most n (0: all)",
	 OPTION(report.node_count), NULL, 0},
	{OPT_DOUBLE, 0, "nodefraction", "<share>",
	 "leave out what is below this share of the total",
	 OPTION(report.node_fraction)},
	{OPT_DOUBLE, 0, "edgefraction", "<share>", "the same for calls",
	 OPTION(report.edge_fraction)},
	{OPT_FLAG, 0, "relative-percentages", NULL,
	 "percentages of what the filters left", OPTION(report.relative)},
	{OPT_FLAG, 0, "json", NULL, "print JSON", OPTION(json)},
	{OPT_TEXT, 'o', NULL, "<file>", "write to a file", OPTION(output)},
	{OPT_END},
};

/* What the option table cannot check. */
static int check(struct options *o)
{
	const struct pn_report_options *report = &o->report;
	size_t i = 0;

	if (o->granularity)
		while (granularities[i] &&
		       strcmp(granularities[i], o->granularity))
			i++;
	if (!granularities[i])
		return usage(&cmd_show,
			     "no granularity '%s': there are functions, "
			     "filefunctions, files, lines, addresses",
			     o->granularity);
	o->report.granularity = (enum pn_granularity)i;
	if (!(report->divide_by > 0))
		return usage(&cmd_show, "--divide-by needs a number above 0");
	if (!(report->node_fraction >= 0 && report->node_fraction <= 1) ||
	    !(report->edge_fraction >= 0 && report->edge_fraction <= 1))
		return usage(&cmd_show, "a share is between 0 and 1");
	return EXIT_DONE;
}

static void warn_unmatched(const struct pn_report *report)
{
	int kind;

	for (kind = 0; kind < PN_FILTER_KINDS; kind++)
		if (report->unmatched & 1u << kind)
			warn("%s matched no samples",
			     pn_filter_name((enum pn_filter_kind)kind));
}

/* Filter the profile and report on it, unless the view is of metrics. */
static int prepare(struct pn_report *out, struct pn_view_input *in,
		   const struct pn_view **view, struct pn_profile *profile,
		   const struct options *o, struct pn_error *err)
{
	struct pn_report_options options = o->report;
	int code;

	*in = (struct pn_view_input){profile, NULL, o->function};
	*view = pn_view_fitting(*view, profile);
	if ((*view)->needs == PN_VIEW_METRICS)
		return 0;
	pn_view_options(&options, *view);
	code = pn_report_init(out, profile, &options, err);
	if (code)
		return code;
	warn_unmatched(out);
	in->report = out;
	return 0;
}

static int print(const struct global *global, const struct pn_view *view,
		 const struct pn_view_input *in, const struct options *o,
		 struct pn_error *err)
{
	struct output out;
	int code = open_output(&out, global, o->output, true, err);

	if (code)
		return code;
	code = pn_view_print(out.file, view, in, "show", o->json, err);
	if (!code)
		return close_output(&out, EXIT_DONE);
	discard_output(&out);
	return code;
}

static int show(const struct global *global, const char *name,
		const struct pn_view *view, const struct options *o)
{
	struct profile_arg arg = {name, o->commit, o->format};
	struct pn_report report = {0};
	struct pn_view_input in;
	struct pn_profile profile;
	struct pn_error err;
	int code;

	pn_profile_init(&profile);
	code = load_profile(&profile, &arg, &err);
	if (!code && !o->all_frames)
		code = pn_filter_drop_frames(&profile, &err);
	if (!code)
		code = prepare(&report, &in, &view, &profile, o, &err);
	if (!code)
		code = print(global, view, &in, o, &err);
	pn_report_release(&report);
	pn_profile_release(&profile);
	return code < 0 ? fail(&err) : code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {
		.view = "top",
		.report = {.divide_by = 1,
			   .node_count = -1,
			   .node_fraction = PN_REPORT_NODE_FRACTION,
			   .edge_fraction = PN_REPORT_EDGE_FRACTION}};
	const struct pn_view *view;
	struct pn_error err;
	int code;

	argc = opts_parse(&cmd_show, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 1)
		return usage(&cmd_show, "need one profile");
	if (pn_view_find(&view, o.view, &err))
		return usage(&cmd_show, "%s", err.message);
	if (view->needs_pattern && !o.function)
		return usage(&cmd_show, "the view '%s' needs --function",
			     view->name);
	code = check(&o);
	return code ? code : show(global, argv[0], view, &o);
}

const struct command cmd_show = {
	.name = "show",
	.summary = "show one view of one profile",
	.synopsis = "show [<options>] <profile>",
	.opts = opts,
	.run = run,
};
