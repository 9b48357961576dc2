/* The table of views, and what all of them have in common. */
#include "analysis/merge/filtered.h"
#include "analysis/resources/request.h"
#include "base/text/similar.h"
#include "model/unit.h"
#include "render/remark.h"
#include "render/rows.h"
#include "render/sink.h"
#include "render/table_forms.h"

#include <string.h>
#include <strings.h>

/* A line each, declared here: a new one needs no other file. */
/* clang-format off */
extern const struct pn_view pn_view_tree, pn_view_peek, pn_view_traces,
	pn_view_tags, pn_view_raw, pn_view_stats, pn_view_callers,
	pn_view_callees, pn_view_comments,
	pn_view_sandwich, pn_view_list, pn_view_disasm, pn_view_graph,
	pn_view_table,
	pn_view_bars, pn_view_flow, pn_view_scatter,
	pn_view_heapmap, pn_view_alloclist;

const struct pn_view *const pn_views[] = {
	&pn_view_top,
	&pn_view_tree,
	&pn_view_peek,
	&pn_view_traces,
	&pn_view_tags,
	&pn_view_raw,
	&pn_view_stats,
	&pn_view_callers,
	&pn_view_callees,
	&pn_view_graph,
	&pn_view_dot,
	&pn_view_comments,
	&pn_view_list,
	&pn_view_disasm,
	&pn_view_metrics,
	&pn_view_models,
	&pn_view_flamegraph,
	&pn_view_sandwich,
	&pn_view_table,
	&pn_view_bars,
	&pn_view_flow,
	&pn_view_scatter,
	&pn_view_heapmap,
	&pn_view_alloclist,
	NULL,
};
/* clang-format on */

void pn_view_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; pn_views[i]; i++)
		pn_buf_printf(out, "%s%s", i ? between : "", pn_views[i]->name);
}

int pn_view_find(const struct pn_view **out, const char *name,
		 struct pn_error *err)
{
	size_t i;

	for (i = 0; pn_views[i]; i++)
		if (!strcmp(pn_views[i]->name, name)) {
			*out = pn_views[i];
			return 0;
		}
	return pn_unknown_name("view", name, pn_view_names, err);
}

const struct pn_view *pn_view_fitting(const struct pn_view *asked,
				      const struct pn_profile *profile)
{
	bool weights = profile->sample_count || profile->graph.node_count;

	if (asked->needs == PN_VIEW_MODELS || asked->needs == PN_VIEW_RESOURCES)
		return asked;

	return !weights && profile->metric_count ? &pn_view_metrics : asked;
}

void pn_view_options(struct pn_report_options *options,
		     const struct pn_view *view)
{
	options->edges = view->edges;
	options->no_rows = view->own_rows;
	options->drawn = view->drawn;
	if (options->node_count < 0)
		options->node_count = view->node_count;
	if (!options->unit)
		options->unit = view->unit ? view->unit : PN_UNIT_MINIMUM;
	if (!view->trims) {
		options->node_count = 0;
		options->node_fraction = 0;
		options->edge_fraction = 0;
	}
	if (view->by_lines)
		options->granularity = PN_BY_BINARY_LINES;
	if (view->by_address) {
		options->granularity = PN_BY_ADDRESSES;
		options->noinlines = false;
	}
	if (view->by_instruction) {
		options->granularity = PN_BY_BINARY_ADDRESSES;
		options->noinlines = true; /* an address has one row */
	}
}

void pn_view_tell_apart(struct pn_report_options *options,
			const struct pn_view *view,
			const struct pn_profile *profile)
{
	if (view->by_way && options->granularity == PN_BY_FUNCTIONS &&
	    profile->graph.node_count && !profile->sample_count)
		options->granularity = PN_BY_FILEFUNCTIONS;
}

/* Views of resources show labels and values, not functions: their profile is
 * filtered, and nothing is gathered by granularity. */
static int filter_only(struct pn_report *out, struct pn_profile *profile,
		       const struct pn_report_options *options,
		       struct pn_error *err)
{
	return pn_filtered(profile, &options->filter, &out->unmatched, err);
}

int pn_view_prepare(struct pn_report *out, struct pn_view_input *in,
		    const struct pn_view **view, struct pn_profile *profile,
		    const struct pn_report_options *options,
		    enum pn_view_form form, struct pn_error *err)
{
	struct pn_report_options wanted = *options;
	int code;

	*in = (struct pn_view_input){.profile = profile};
	*view = pn_view_fitting(*view, profile);
	if ((*view)->needs == PN_VIEW_METRICS ||
	    (*view)->needs == PN_VIEW_MODELS)
		return 0;
	if ((*view)->needs == PN_VIEW_RESOURCES)
		return filter_only(out, profile, options, err);
	pn_view_options(&wanted, *view);
	wanted.nodes_only = (*view)->nodes_only >> form & 1;
	pn_view_tell_apart(&wanted, *view, profile);
	code = pn_report_init(out, profile, &wanted, err);
	if (!code)
		in->report = out;
	return code;
}

static int check_needs(const struct pn_view *view,
		       const struct pn_view_input *in, struct pn_error *err)
{
	if (view->needs_pattern && !in->pattern)
		return pn_error_set(err, PN_EINVAL,
				    "the view '%s' needs a function's name",
				    view->name);
	if (view->needs == PN_VIEW_STACKS && in->profile->graph.node_count &&
	    !in->profile->sample_count)
		return pn_error_set(err, PN_EINVAL,
				    "the view '%s' needs stacks: the profile "
				    "is a call graph without",
				    view->name);
	return 0;
}

static void open_object(struct pn_json_writer *w, const struct pn_view *view,
			const char *command)
{
	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", command);
	pn_json_member(w, "view", view->name);
}

enum pn_view_form pn_view_form_of(const char *file)
{
	size_t len = file ? strlen(file) : 0;

	if (len > 4 && !strcasecmp(file + len - 4, ".svg"))
		return PN_VIEW_SVG;
	if (len > 5 && !strcasecmp(file + len - 5, ".html"))
		return PN_VIEW_HTML;
	if (len > 4 && !strcasecmp(file + len - 4, ".csv"))
		return PN_VIEW_CSV;
	if ((len > 4 && !strcasecmp(file + len - 4, ".dot")) ||
	    (len > 3 && !strcasecmp(file + len - 3, ".gv")))
		return PN_VIEW_DOT;
	return PN_VIEW_TEXT;
}

int pn_view_file_check(const char *file, unsigned forms, struct pn_error *err)
{
	static const char *const others[] = {
		"png",	"jpg", "jpeg", "gif", "bmp", "tif", "tiff",
		"webp", "pdf", "svgz", "ps",  "eps", "htm", "xlsx",
		"ods",	"gz",  "zst",  "xz",  "bz2", "zip"};
	const char *suffix = strrchr(file, '.');
	bool other = false;
	size_t i;

	if (forms == PN_VIEW_FORMS_ANY)
		return 0;
	for (i = 0; suffix && i < sizeof(others) / sizeof(*others); i++)
		other = other || !strcasecmp(suffix + 1, others[i]);
	if (other && forms == PN_VIEW_FORMS_ALL)
		return pn_error_set(err, PN_EINVAL,
				    "'%s': nothing is written as %s, but .svg, "
				    ".html, .csv, .dot and text",
				    file, suffix + 1);
	if (!other && forms & 1u << pn_view_form_of(file))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "'%s': this is not written as %s, but pages of "
			    "'git perf report' are as .html, views of 'git "
			    "perf show' and 'diff' as .svg, .html, .csv and "
			    ".dot",
			    file, suffix);
}

static bool has_form(const struct pn_view *view, enum pn_view_form form)
{
	if (form == PN_VIEW_SVG)
		return view->svg || view->drawn || view->dot;
	if (form == PN_VIEW_DOT)
		return view->drawn || view->dot;
	return form == PN_VIEW_HTML ? view->html != NULL : view->table != NULL;
}

/* Its views, for whom the asked one has no picture. */
static int no_form(const struct pn_view *view, enum pn_view_form form,
		   struct pn_error *err)
{
	static const char *const forms[] = {[PN_VIEW_SVG] = "SVG",
					    [PN_VIEW_HTML] = "HTML",
					    [PN_VIEW_DOT] = "DOT",
					    [PN_VIEW_CSV] = "CSV"};
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; pn_views[i]; i++)
		if (has_form(pn_views[i], form))
			pn_buf_printf(&names, "%s%s", names.len ? ", " : "",
				      pn_views[i]->name);
	pn_error_set(err, PN_EINVAL, "the view '%s' is no %s: there are %s",
		     view->name, forms[form], pn_buf_text(&names));
	pn_buf_release(&names);
	return PN_EINVAL;
}

static int print_json(struct pn_sink *sink, const struct pn_view *view,
		      const struct pn_view_input *in, const char *command,
		      struct pn_error *err)
{
	int code;

	open_object(&sink->json, view, command);
	if (in->remarks)
		pn_remark_json(&sink->json, in->profile);
	code = view->json(sink, in, err);
	pn_json_close(&sink->json, '}');
	pn_buf_add_byte(&sink->text, '\n');
	return code;
}

static int print_csv(struct pn_sink *sink, const struct pn_view *view,
		     const struct pn_view_input *in, struct pn_error *err)
{
	struct pn_table table = {0};
	int code = view->table ? view->table(&table, in, err)
			       : no_form(view, PN_VIEW_CSV, err);

	if (!code)
		pn_print_table_csv(sink, &table);
	pn_table_release(&table);
	return code;
}

static int print_form(struct pn_sink *sink, const struct pn_view *view,
		      const struct pn_view_input *in, const char *command,
		      enum pn_view_form form, struct pn_error *err)
{
	switch (form) {
	case PN_VIEW_JSON:
		return print_json(sink, view, in, command, err);
	case PN_VIEW_SVG:
		return view->svg ? view->svg(sink, in, err)
				 : no_form(view, form, err);
	case PN_VIEW_HTML:
		return view->html ? view->html(sink, in, err)
				  : no_form(view, form, err);
	case PN_VIEW_CSV:
		return print_csv(sink, view, in, err);
	case PN_VIEW_DOT:
		if (!has_form(view, form))
			return no_form(view, form, err);
		if (view->dot)
			return view->dot(sink, in, err);
		/* fall through */
	default:
		if (in->remarks && !view->bare)
			pn_remark_text(&sink->text, in->profile);
		return view->text(sink, in, err);
	}
}

int pn_view_print(FILE *to, const struct pn_view *view,
		  const struct pn_view_input *in, const char *command,
		  enum pn_view_form form, struct pn_error *err)
{
	struct pn_resources_request any;
	struct pn_view_input asked = *in;
	struct pn_sink sink;
	int code = check_needs(view, in, err);

	if (code)
		return code;
	pn_resources_request_init(&any);
	if (!asked.resources)
		asked.resources = &any;
	pn_sink_init(&sink, to);
	pn_sink_colors(&sink, in->palette);
	code = print_form(&sink, view, &asked, command, form, err);
	if (code)
		pn_buf_clear(&sink.text);
	pn_sink_finish(&sink);
	return code;
}
