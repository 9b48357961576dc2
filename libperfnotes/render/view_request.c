/* What is asked for of a view. */
#define PN_OPTION_STRUCT struct pn_view_request
#include "render/view_request.h"

#include "analysis/filter/options.h"
#include "base/opts/table.h"
#include "render/rows.h"

#include <string.h>

const struct pn_opt pn_view_opts[] = {
	{PN_OPTION_TEXT(view), 0, "view", "<name>", "how to show it ({names})",
	 .names = pn_view_names},
	{PN_OPTION_TEXT(function), 0, "function", "<regex>",
	 "the functions that peek, list and disasm show, a sandwich's one"},
	{PN_OPTION_TEXT(source_path), 0, "source-path", "<folder>",
	 "sources are those below it, not the commit's"},
	{PN_OPTION_TEXT(binary_path), 0, "binary-path", "<path>",
	 "in disasm: the binary, or a folder that has it"},
	{PN_OPTION_TEXT(flame), 0, "flame", "<how>,...",
	 "how flame graphs are drawn: {names}", .names = pn_flame_style_names},
	{PN_OPTION_FLAG(report.mean), 0, "mean", NULL,
	 "divide it by the first value (count)"},
	{PN_OPTION_TEXT(report.unit), 0, "unit", "<unit>",
	 "unit of the values"},
	{PN_OPTION_FLAG(clean.all_frames), 0, "all-frames", NULL,
	 "keep the frames that the profile says to drop"},
	{PN_OPTION_LIST(clean.comments), 0, "add-comment", "<text>",
	 "a comment to show with its own (repeatable)"},
	{PN_OPTION_TEXT(demangle), 0, "demangle", "<how>",
	 "names of C++ and Rust: {names}", .names = pn_demangling_names},
	{PN_OPTION_FLAG(clean.join_clones), 0, "join-clones", NULL,
	 "count copies that compilers make (.isra, .part) as one"},
	{PN_OPTION_FLAG(report.cum_sort), 0, "cum", NULL,
	 "order by cum instead of flat"},
	{PN_OPTION_FLAG(report.flat_sort), 0, "flat", NULL,
	 "order by flat: the default"},
	{PN_OPTION_INT(report.node_count), 0, "nodecount", "<n>",
	 "show at most n (0: all)"},
	{PN_OPTION_DOUBLE(report.node_fraction), 0, "nodefraction", "<share>",
	 "leave out what is below this share of the total"},
	{PN_OPTION_DOUBLE(report.edge_fraction), 0, "edgefraction", "<share>",
	 "the same for calls"},
	{PN_OPTION_FLAG(trim), 0, "trim", NULL,
	 "leave out what is light or beyond n: the default, see --no-trim"},
	{PN_OPTION_FLAG(report.drop_negative), 0, "drop-negative", NULL,
	 "leave out what became less than the base"},
	{PN_OPTION_FLAG(report.call_tree), 0, "call-tree", NULL,
	 "in dot: tell functions apart by the path of calls to them"},
	{PN_OPTION_FLAG(report.relative), 0, "relative-percentages", NULL,
	 "percentages of what the filters left"},
	{PN_OPTION_LIST(sort), 0, "sort", "<key>",
	 "order of stats, callers, callees: {names}; of table any key",
	 .names = pn_pstats_sort_names},
	{PN_OPTION_FLAG(stats.reverse), 0, "reverse", NULL,
	 "the other way round"},
	{PN_OPTION_LIST(restrict_to), 0, "restrict", "<n|share|regex>",
	 "leave this many of their rows (repeatable)"},
	{PN_OPTION_FLAG(stats.strip_dirs), 0, "strip-dirs", NULL,
	 "without the folders of files"},
	{PN_OPTION_TEXT(order), 0, "order", "<order>",
	 "of the view graph: {names}", .names = pn_timed_order_names},
	{PN_OPTION_DOUBLE(timed.hide_self), 0, "hide-self", "<share>",
	 "in graph: hide functions of no more own time, and ..."},
	{PN_OPTION_DOUBLE(timed.hide_subs), 0, "hide-subs", "<share>",
	 "... of no more of any caller's or callee's"},
	{PN_OPTION_INT(timed.truncate), 0, "truncate-source", "<n>",
	 "in graph: cut names with places to n characters (0: never)"},
	{PN_OPTION_FLAG(csv), 0, "csv", NULL,
	 "print rows as CSV, as with -o <file>.csv"},
	{0},
};

void pn_view_request_init(struct pn_view_request *out)
{
	memset(out, 0, sizeof(*out));
	out->demangle = "simple";
	out->reshape = PN_RESHAPE_DEFAULT;
	out->report.node_count = -1;
	out->report.node_fraction = PN_REPORT_NODE_FRACTION;
	out->report.edge_fraction = PN_REPORT_EDGE_FRACTION;
	out->trim = true;
	out->timed = PN_TIMED_STYLE_DEFAULT;
	pn_resources_request_init(&out->resources);
}

bool pn_view_is_chosen(const struct pn_view_request *r, const char *output)
{
	return r->view || r->csv || pn_view_form_of(output) != PN_VIEW_TEXT;
}

enum pn_view_form pn_view_request_form(const struct pn_view_request *r,
				       const char *output, bool json)
{
	if (json)
		return PN_VIEW_JSON;
	return r->csv ? PN_VIEW_CSV : pn_view_form_of(output);
}

bool pn_view_is_meant(const struct pn_view_request *r, const char *output)
{
	struct pn_view_request none;

	pn_view_request_init(&none);
	return pn_view_is_chosen(r, output) ||
	       pn_opts_differ(pn_view_opts, r, &none) ||
	       pn_opts_differ(pn_filter_opts, &r->report.filter,
			      &none.report.filter) ||
	       pn_opts_differ(pn_reshape_opts, &r->reshape, &none.reshape) ||
	       pn_opts_differ(pn_resources_opts, &r->resources,
			      &none.resources);
}

static void settle(struct pn_view_request *r)
{
	if (!r->trim) {
		r->report.node_count = 0;
		r->report.node_fraction = r->report.edge_fraction = 0;
	}
	r->stats.sort = (struct pn_pstats_list){r->sort.values, r->sort.count};
	r->stats.restrict_to = (struct pn_pstats_list){r->restrict_to.values,
						       r->restrict_to.count};
}

static int take_reshape(struct pn_view_request *r, struct pn_error *err)
{
	int code = pn_reshape_check(&r->reshape, err);

	r->report.granularity = r->reshape.granularity;
	r->report.sample_index = r->reshape.sample_index;
	r->report.divide_by = r->reshape.divide_by;
	r->report.noinlines = r->reshape.noinlines;
	return code;
}

/* Views of resources show values as they are, by --of. */
static int check_resources(const struct pn_view_request *r,
			   const struct pn_view *view, struct pn_error *err)
{
	bool whole = view->whole && r->resources.filters.count;
	const char *not_its = r->reshape.sample_index	    ? "--sample-index"
			      : r->report.unit		    ? "--unit"
			      : r->reshape.divide_by != 1   ? "--divide-by"
			      : r->report.mean		    ? "--mean"
			      : r->reshape.granularity_name ? "--granularity"
							    : NULL;

	if (whole)
		return pn_error_set(err, PN_EINVAL,
				    "--filter-by is not of the view '%s', "
				    "which is of all resources: --focus and "
				    "the like choose functions",
				    view->name);
	if (not_its)
		return pn_error_set(err, PN_EINVAL,
				    "%s is not of the view '%s': --of says "
				    "which value is shown",
				    not_its, view->name);
	return 0;
}

/* What other views would pass over. */
static int refuse_resources(const struct pn_view_request *r,
			    const struct pn_view *view, struct pn_error *err)
{
	struct pn_resources_request none;
	const char *option;

	pn_resources_request_init(&none);
	option = pn_opts_differing(pn_resources_opts, &r->resources, &none);
	if (!option)
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "--%s is not of the view '%s': it is of table, "
			    "bars, flow, scatter, heapmap and alloclist",
			    option, view->name);
}

int pn_view_request_check(const struct pn_view **view,
			  struct pn_view_request *r, const char *output,
			  struct pn_error *err)
{
	int code = 0;

	if (!pn_view_is_chosen(r, output) || r->csv ||
	    pn_view_form_of(output) == PN_VIEW_CSV)
		*view = &pn_view_top;
	else if (pn_view_form_of(output) == PN_VIEW_HTML && !r->flame)
		*view = &pn_view_page;
	else if (pn_view_form_of(output) == PN_VIEW_DOT)
		*view = &pn_view_dot;
	else
		*view = &pn_view_flamegraph;
	if (r->view)
		code = pn_view_find(view, r->view, err);
	if (!code && r->flame)
		code = pn_flame_style_parse(&r->style, r->flame, err);
	if (!code && (*view)->needs_pattern && !r->function)
		code = pn_error_set(err, PN_EINVAL,
				    "the view '%s' needs --function",
				    (*view)->name);
	settle(r);
	r->form = pn_view_form_of(output);
	if (!code && (*view)->needs == PN_VIEW_RESOURCES)
		code = check_resources(r, *view, err);
	if (!code && (*view)->needs == PN_VIEW_RESOURCES)
		code = pn_resources_request_check(&r->resources, err);
	else if (!code)
		code = refuse_resources(r, *view, err);
	if (!code && (*view)->needs != PN_VIEW_RESOURCES)
		code = pn_pstats_check(&r->stats, err);
	if (!code && r->order)
		code = pn_timed_order_find(&r->timed.order, r->order, err);
	if (!code && r->timed.truncate < 0)
		code = pn_error_set(err, PN_EINVAL,
				    "--truncate-source needs 0 or more");
	if (!code)
		code = pn_demangling_find(&r->clean.demangle, r->demangle, err);
	if (!code)
		code = take_reshape(r, err);
	return code ? code : pn_report_options_check(&r->report, err);
}

int pn_view_request_prepare(struct pn_report *out, struct pn_view_input *in,
			    const struct pn_view **view,
			    struct pn_profile *profile,
			    const struct pn_view_request *r,
			    struct pn_error *err)
{
	int code = pn_view_prepare(out, in, view, profile, &r->report, r->form,
				   err);

	in->pattern = r->function;
	in->metric = r->report.sample_index;
	in->stats = &r->stats;
	in->flame = r->style;
	in->source_path = r->source_path;
	in->binary_path = r->binary_path;
	in->timed = r->timed;
	in->resources = &r->resources;
	in->most = r->report.node_count;
	in->csv = r->csv;
	return code;
}

int pn_view_request_compare(struct pn_diff *out,
			    struct pn_diff_reports *reports,
			    const struct pn_view *view,
			    struct pn_profile *before, struct pn_profile *after,
			    const struct pn_view_request *request,
			    bool normalize, struct pn_error *err)
{
	struct pn_report_options report = request->report;
	struct pn_diff_options options = {report.cum_sort, normalize,
					  report.node_fraction,
					  report.node_count};
	int code;

	pn_view_options(&report, view);
	pn_view_tell_apart(&report, view, after);
	/* rows of two do not say what was inlined, which takes a walk of all
	 * frames to know */
	if (!view->of_pair && report.edges == PN_EDGES_INLINED)
		report.edges = PN_EDGES_NONE;
	if (!view->trims)
		options.node_fraction = 0;
	code = pn_diff_reports_init(reports, before, after, &report, err);
	return code ? code
		    : pn_diff_init(out, &reports->of[0], &reports->of[1],
				   &options, err);
}

int pn_view_request_worse(double *out, struct pn_profile *before,
			  struct pn_profile *after,
			  const struct pn_view_request *request, bool normalize,
			  struct pn_error *err)
{
	struct pn_diff_reports reports = {0};
	struct pn_diff diff = {0};
	int code =
		pn_view_request_compare(&diff, &reports, &pn_view_top, before,
					after, request, normalize, err);

	if (!code)
		*out = pn_diff_worse(&diff);
	pn_diff_release(&diff);
	pn_diff_reports_release(&reports);
	return code;
}
