/* What commands that print a view have in common. Long, as it is a table of
 * all their options. */
#define OPT_STRUCT struct view_options
#include "view_opts.h"

#include "jobs/profiles/graphviz.h"
#include "render/rows.h"
#include "render/terminal.h"

#include <string.h>

const struct pn_opt view_opts[] = {
	{OPT_TEXT(view), 0, "view", "<name>", "how to show it ({names})",
	 .names = pn_view_names},
	{OPT_TEXT(function), 0, "function", "<regex>",
	 "the functions that peek shows, the one of a sandwich"},
	{OPT_TEXT(flame), 0, "flame", "<how>,...",
	 "how flame graphs are drawn: {names}", .names = pn_flame_style_names},
	{OPT_TEXT(report.sample_index), 0, "sample-index", "<type>",
	 "value to show, by name or number"},
	{OPT_FLAG(report.mean), 0, "mean", NULL,
	 "divide it by the first value (count)"},
	{OPT_DOUBLE(report.divide_by), 0, "divide-by", "<n>",
	 "divide all values by n"},
	{OPT_TEXT(report.unit), 0, "unit", "<unit>", "unit of the values"},
	{OPT_FLAG(clean.all_frames), 0, "all-frames", NULL,
	 "keep the frames that the profile says to drop"},
	{OPT_TEXT(demangle), 0, "demangle", "<how>",
	 "names of C++ and Rust: {names}", .names = pn_demangling_names},
	{OPT_FLAG(clean.join_clones), 0, "join-clones", NULL,
	 "count copies that compilers make (.isra, .part) as one"},
	{OPT_TEXT(granularity), 0, "granularity", "<what>",
	 "what counts as one", .names = pn_granularity_names},
	{OPT_FLAG(report.noinlines), 0, "noinlines", NULL,
	 "give inlined calls to their caller"},
	{OPT_FLAG(report.cum_sort), 0, "cum", NULL,
	 "order by cum instead of flat"},
	{OPT_INT(report.node_count), 0, "nodecount", "<n>",
	 "show at most n (0: all)"},
	{OPT_DOUBLE(report.node_fraction), 0, "nodefraction", "<share>",
	 "leave out what is below this share of the total"},
	{OPT_DOUBLE(report.edge_fraction), 0, "edgefraction", "<share>",
	 "the same for calls"},
	{OPT_FLAG(trim), 0, "trim", NULL,
	 "leave out what is light or beyond n: the default, see --no-trim"},
	{OPT_FLAG(report.relative), 0, "relative-percentages", NULL,
	 "percentages of what the filters left"},
	{OPT_LIST(sort), 0, "sort", "<key>",
	 "order of stats, callers, callees (repeatable)"},
	{OPT_FLAG(stats.reverse), 0, "reverse", NULL, "the other way round"},
	{OPT_LIST(restrict_to), 0, "restrict", "<n|share|regex>",
	 "leave this many of their rows (repeatable)"},
	{OPT_FLAG(stats.strip_dirs), 0, "strip-dirs", NULL,
	 "without the folders of files"},
	{0},
};

void view_options_init(struct view_options *out)
{
	memset(out, 0, sizeof(*out));
	out->demangle = "simple";
	out->report.divide_by = 1;
	out->report.node_count = -1;
	out->report.node_fraction = PN_REPORT_NODE_FRACTION;
	out->report.edge_fraction = PN_REPORT_EDGE_FRACTION;
	out->trim = true;
}

static int check_numbers(const struct pn_report_options *report,
			 const struct command *command)
{
	if (!(report->divide_by > 0))
		return usage(command, "--divide-by needs a number above 0");
	if (!(report->node_fraction >= 0 && report->node_fraction <= 1) ||
	    !(report->edge_fraction >= 0 && report->edge_fraction <= 1))
		return usage(command, "a share is between 0 and 1");
	return EXIT_DONE;
}

bool view_is_chosen(const struct view_options *o, const char *output)
{
	return o->view || pn_view_form_of(output) != PN_VIEW_TEXT;
}

int view_options_check(struct view_options *o, const struct pn_view **view,
		       const char *output, const struct command *command)
{
	struct pn_error err;

	*view = view_is_chosen(o, output) ? &pn_view_flamegraph : &pn_view_top;
	if (o->view && pn_view_find(view, o->view, &err))
		return usage(command, "%s", err.message);
	if (o->flame && pn_flame_style_parse(&o->style, o->flame, &err))
		return usage(command, "%s", err.message);
	if ((*view)->needs_pattern && !o->function)
		return usage(command, "the view '%s' needs --function",
			     (*view)->name);
	if (!o->trim) {
		o->report.node_count = 0;
		o->report.node_fraction = o->report.edge_fraction = 0;
	}
	o->stats.sort = (struct pn_pstats_list){o->sort.values, o->sort.count};
	o->stats.restrict_to = (struct pn_pstats_list){o->restrict_to.values,
						       o->restrict_to.count};
	if (pn_pstats_check(&o->stats, &err) ||
	    pn_demangling_find(&o->clean.demangle, o->demangle, &err) ||
	    (o->granularity &&
	     pn_granularity_find(&o->report.granularity, o->granularity, &err)))
		return usage(command, "%s", err.message);
	return check_numbers(&o->report, command);
}

int view_prepare(struct pn_report *out, struct pn_view_input *in,
		 const struct pn_view **view, struct pn_profile *profile,
		 const struct view_options *o, struct pn_error *err)
{
	int code = pn_view_prepare(out, in, view, profile, &o->report, err);

	in->pattern = o->function;
	in->stats = &o->stats;
	in->flame = o->style;
	if (!code && in->report)
		filters_warn(out->unmatched);
	return code;
}

static int draw(const struct global *global, const struct pn_view *view,
		const struct pn_view_input *in, const char *output,
		struct pn_error *err)
{
	struct pn_buf picture = {0};
	FILE *graph = tmpfile();
	int code;

	if (!graph)
		return pn_error_system(err, "cannot create a temporary file");
	code = pn_view_print(graph, view, in, "", PN_VIEW_TEXT, err);
	if (!code)
		code = pn_graphviz(&picture, graph, output, err);
	fclose(graph);
	code = write_output(global, output, &picture, code, err);
	pn_buf_release(&picture);
	return code;
}

int view_print(const struct global *global, const struct pn_view *view,
	       const struct pn_view_input *in, const char *command,
	       const char *output, bool json, struct pn_error *err)
{
	enum pn_view_form form = json ? PN_VIEW_JSON : pn_view_form_of(output);
	struct pn_view_input fitted = *in;
	struct output out;
	int code;

	if (view->drawn && !json && pn_graphviz_draws(output))
		return draw(global, view, in, output, err);
	code = open_output(&out, global, output, true, err);
	if (code)
		return code;
	fitted.palette = &out.palette;
	fitted.columns = pn_terminal_columns(output ? NULL : stdout);
	fitted.utf8 = pn_terminal_is_utf8();
	code = pn_view_print(out.file, view, &fitted, command, form, err);
	if (!code)
		return close_output(&out, EXIT_DONE);
	discard_output(&out);
	return code;
}
