/*
 * The views `tree` and `peek`: each node between its callers and its callees.
 * peek shows those whose name matches, of an untrimmed report. The layout is
 * pprof's (report.go, printTree); where a report is a mean, an edge is
 * divided too, so that its share of the node makes sense.
 */
#include "base/escape.h"
#include "base/text/regex.h"
#include "base/text/width.h"
#include "model/unit.h"
#include "render/header.h"
#include "render/renderer.h"
#include "render/rows.h"
#include "render/sink.h"

#include <string.h>

#define TREE_NODES 80 /* pprof's default */
#define NAME_MIN 8    /* columns that a name keeps */

static const char separator[] = "--------------------------------------------"
				"--------------+-------------\n";
static const char legend[] = "      flat  flat%   sum%        cum   cum%   "
			     "calls calls% + context \t \t \n";

static void weight(struct pn_sink *out, const struct pn_report *report,
		   int64_t value, size_t width)
{
	struct pn_buf text = {0};

	pn_report_value(&text, report, value);
	pn_sink_right(out, pn_buf_text(&text), width);
	pn_buf_release(&text);
}

/* The last text of a line that begins at `start`, cut to `columns` (0: not). */
static void add_name(struct pn_sink *out, const struct pn_report_node *of,
		     size_t start, size_t columns, const char *behind)
{
	struct pn_buf safe = {0};
	size_t taken = out->text.len - start + strlen(behind);

	pn_escape_terminal(&safe, of->name, of->name_len);
	if (columns)
		pn_text_fit_name(&out->text, pn_buf_text(&safe), safe.len,
				 columns > taken + NAME_MIN ? columns - taken
							    : NAME_MIN);
	else
		pn_buf_add(&out->text, pn_buf_text(&safe), safe.len);
	pn_buf_add_text(&out->text, behind);
	pn_buf_release(&safe);
}

static void edge_line(struct pn_sink *out, const struct pn_report *report,
		      const struct pn_report_edge *edge, bool incoming,
		      int64_t cum, size_t columns)
{
	const struct pn_report_node *other =
		&report->rows[incoming ? edge->from : edge->to];
	int64_t value = pn_weight_div(edge->weight, edge->divisor);
	size_t start = out->text.len;

	weight(out, report, value, 50);
	pn_buf_add_byte(&out->text, ' ');
	pn_unit_percentage(&out->text, (double)value, (double)cum);
	pn_buf_add_text(&out->text, " |   ");
	add_name(out, other, start, columns, edge->inlined ? " (inline)" : "");
	pn_buf_add_byte(&out->text, '\n');
}

static void node_line(struct pn_sink *out, const struct pn_report *report,
		      const struct pn_report_node *row, int64_t sum,
		      size_t columns)
{
	size_t start = out->text.len;

	weight(out, report, row->flat, 10);
	pn_buf_add_byte(&out->text, ' ');
	pn_report_share(&out->text, report, row->flat);
	pn_buf_add_byte(&out->text, ' ');
	pn_report_share(&out->text, report, sum);
	pn_buf_add_byte(&out->text, ' ');
	weight(out, report, row->cum, 10);
	pn_buf_add_byte(&out->text, ' ');
	pn_report_share(&out->text, report, row->cum);
	pn_buf_printf(&out->text, "%18s", "| ");
	add_name(out, row, start, columns, "");
	pn_buf_add_byte(&out->text, '\n');
}

static void block(struct pn_sink *out, const struct pn_report *report,
		  const struct pn_report_node *row, int64_t sum, size_t columns)
{
	size_t i;

	pn_buf_add_text(&out->text, separator);
	for (i = 0; i < row->in_count; i++)
		edge_line(out, report,
			  &report->edges[report->in[row->in_first + i]], true,
			  row->cum, columns);
	node_line(out, report, row, sum, columns);
	for (i = 0; i < row->out_count; i++)
		edge_line(out, report,
			  &report->edges[report->out[row->out_first + i]],
			  false, row->cum, columns);
	pn_sink_drain(out);
}

static bool is_shown(const struct pn_regex *regex,
		     const struct pn_report_node *row)
{
	return !regex || pn_regex_match(regex, row->name, row->name_len);
}

/* The expression, and that it matches something: nothing may be printed
 * before that is known. */
static int compile(struct pn_regex **out, const struct pn_view_input *in,
		   struct pn_error *err)
{
	const struct pn_report *report = in->report;
	struct pn_regex *regex;
	size_t i;
	int code;

	*out = NULL;
	if (!in->pattern)
		return 0;
	code = pn_regex_new(&regex, in->pattern, err);
	if (code)
		return code;
	for (i = 0; i < report->row_count; i++)
		if (is_shown(regex, &report->rows[i])) {
			*out = regex;
			return 0;
		}
	pn_regex_free(regex);
	if (report->row_count < report->kept_count + report->dropped_count)
		return pn_error_set(err, PN_ENOTFOUND,
				    "none of the %zu functions that are left "
				    "matches '%s'",
				    report->row_count, in->pattern);
	return pn_error_set(err, PN_ENOTFOUND, "no function matches '%s'",
			    in->pattern);
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	const struct pn_report *report = in->report;
	struct pn_regex *regex;
	int64_t sum = 0;
	size_t i;
	int code = compile(&regex, in, err);

	if (code)
		return code;
	pn_print_header(out, report, true);
	pn_buf_add_text(&out->text, separator);
	pn_buf_add_text(&out->text, legend);
	for (i = 0; i < report->row_count; i++) {
		const struct pn_report_node *row = &report->rows[i];

		if (!is_shown(regex, row))
			continue;
		sum = pn_weight_add(sum, row->flat);
		block(out, report, row, sum, in->columns);
	}
	if (report->row_count)
		pn_buf_add_text(&out->text, separator);
	pn_regex_free(regex);
	return 0;
}

static void json_edges(struct pn_sink *out, const struct pn_report *report,
		       const char *key, const uint32_t *edges, size_t count,
		       bool incoming)
{
	size_t i;

	pn_json_key(&out->json, key);
	pn_json_open(&out->json, '[');
	for (i = 0; i < count; i++) {
		const struct pn_report_edge *edge = &report->edges[edges[i]];
		uint32_t other = incoming ? edge->from : edge->to;

		pn_json_open(&out->json, '{');
		pn_json_member(&out->json, "name", report->rows[other].name);
		pn_print_weight_json(
			out, "weight", report,
			pn_weight_div(edge->weight, edge->divisor));
		if (edge->inlined) {
			pn_json_key(&out->json, "inlined");
			pn_json_bool(&out->json, true);
		}
		pn_json_close(&out->json, '}');
	}
	pn_json_close(&out->json, ']');
}

int pn_tree_json(struct pn_sink *out, const struct pn_view_input *in,
		 struct pn_error *err)
{
	const struct pn_report *report = in->report;
	struct pn_regex *regex;
	size_t i;
	int code = compile(&regex, in, err);

	if (code)
		return code;
	pn_print_header_json(out, report);
	pn_json_key(&out->json, "rows");
	pn_json_open(&out->json, '[');
	for (i = 0; i < report->row_count; i++) {
		const struct pn_report_node *row = &report->rows[i];

		if (!is_shown(regex, row))
			continue;
		pn_json_open(&out->json, '{');
		pn_json_member(&out->json, "name", row->name);
		pn_print_weight_json(out, "self", report, row->flat);
		pn_print_weight_json(out, "total", report, row->cum);
		json_edges(out, report, "callers", report->in + row->in_first,
			   row->in_count, true);
		json_edges(out, report, "callees", report->out + row->out_first,
			   row->out_count, false);
		pn_json_close(&out->json, '}');
		pn_sink_drain(out);
	}
	pn_json_close(&out->json, ']');
	pn_regex_free(regex);
	return 0;
}

const struct pn_view pn_view_tree = {
	.name = "tree",
	.summary = "each function between its callers and callees",
	.needs = PN_VIEW_WEIGHTS,
	.edges = PN_EDGES_ALL,
	.trims = true,
	.node_count = TREE_NODES,
	.text = text,
	.json = pn_tree_json,
};

const struct pn_view pn_view_peek = {
	.name = "peek",
	.summary = "the same for the functions that match --function",
	.needs = PN_VIEW_WEIGHTS,
	.edges = PN_EDGES_ALL,
	.needs_pattern = true,
	.text = text,
	.json = pn_tree_json,
};
