/*
 * The view `dot`: a call graph for Graphviz, drawn as pprof does
 * (google/pprof, internal/graph, dotgraph.go): size of letters by flat, colour
 * by cum, edges by weight, labels of samples as boxes beside their node.
 * Where pprof writes labels, files and titles as they are, quotes and
 * backslashes are escaped here, and so is what a terminal must not get.
 */
#include "analysis/drawn/drawn.h"
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/file.h"
#include "model/unit.h"
#include "render/renderer.h"
#include "render/rows.h"
#include "render/short_name.h"
#include "render/sink.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NODES 80	    /* pprof's default */
#define LETTERS_LEAST 8	    /* points */
#define LETTERS_GROWTH 16   /* more for the heaviest node */
#define NAME_MAX_BYTES 4096 /* of a name: Graphviz reads no longer text */

/* Text in quotes. What is no name of anything is cut where it is no use. */
static void quoted(struct pn_buf *out, const char *text, size_t len)
{
	struct pn_buf safe = {0};
	size_t i, cut = len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES;

	while (cut < len && cut && ((unsigned char)text[cut] & 0xc0) == 0x80)
		cut--;
	pn_escape_terminal(&safe, text, cut);
	for (i = 0; i < safe.len; i++) {
		if (safe.data[i] == '"' || safe.data[i] == '\\')
			pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out, safe.data[i]);
	}
	if (cut < len)
		pn_buf_add_text(out, "\u2026");
	pn_buf_release(&safe);
}

/* Lines of a text, each with `line_end`, or with it between two. */
static void quoted_lines(struct pn_buf *out, const char *text,
			 const char *line_end, bool between)
{
	for (;;) {
		size_t len = strcspn(text, "\n");

		quoted(out, text, len);
		if (!text[len] && between)
			return;
		pn_buf_add_text(out, line_end);
		text += len + 1;
		if (!text[-1] || !*text)
			return;
	}
}

static void add_value(struct pn_buf *out, const struct pn_report *report,
		      int64_t weight)
{
	struct pn_buf text = {0};

	pn_report_value(&text, report, weight);
	quoted(out, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
}

static void add_share(struct pn_buf *out, const struct pn_report *report,
		      int64_t weight)
{
	struct pn_buf text = {0};
	const char *percent;

	pn_report_share(&text, report, weight);
	percent = pn_buf_text(&text);
	pn_buf_printf(out, " (%s)", percent + strspn(percent, " "));
	pn_buf_release(&text);
}

/*
 * Red what costs, green what costs less than nothing, grey in between: hue by
 * the share to the power of 0.3, which tells small ones apart, too.
 */
static void add_color(struct pn_buf *out, double share, bool background)
{
	double saturation = background ? 0.1 : 1,
	       value = background ? 0.93 : 0.7;
	double high, low, rest;

	share = isnan(share) ? 0 : fmax(-1, fmin(1, share));
	if (fabs(share) < 0.2)
		saturation *= fabs(share) / 0.2;
	high = value * 255;
	low = value * (1 - saturation * pow(fabs(share), 1 - 0.7)) * 255;
	rest = value * (1 - saturation) * 255;
	pn_buf_printf(out, "\"#%02x%02x%02x\"",
		      (unsigned int)(share < 0 ? low : high),
		      (unsigned int)(share < 0 ? high : low),
		      (unsigned int)rest);
}

static double share_of(const struct pn_report *report, int64_t weight)
{
	return (double)weight / (double)pn_weight_abs(report->total);
}

/* Parts of a name stand below each other; Go's "[...]" is no such part. */
static void add_parts(struct pn_buf *out, const char *name, size_t len)
{
	struct pn_buf brief = {0}, safe = {0};
	const char *at, *end;

	pn_short_name(&brief, name, len);
	quoted(&safe, pn_buf_text(&brief), brief.len);
	at = pn_buf_text(&safe);
	for (end = at + safe.len; at < end; at++) {
		if (!strncmp(at, "[...]", 5)) {
			pn_buf_add_text(out, "[\u2026]");
			at += 4;
		} else if (*at == '.') {
			pn_buf_add_text(out, "\\n");
		} else if (at[0] == ':' && at[1] == ':') {
			pn_buf_add_text(out, "\\n");
			at++;
		} else {
			pn_buf_add_byte(out, (unsigned char)*at);
		}
	}
	pn_buf_release(&brief);
	pn_buf_release(&safe);
}

static void add_place(struct pn_buf *out, const struct pn_nodes *nodes,
		      const struct pn_node_info *info)
{
	const char *file =
		pn_file_basename(pn_strtab_text(&nodes->files, info->file));
	const char *object = pn_profile_text(nodes->profile, info->object);

	if (info->file || info->line) {
		quoted(out, file, strlen(file));
		if (info->line)
			pn_buf_printf(out, ":%" PRId64, info->line);
		if (info->line && info->column)
			pn_buf_printf(out, ":%" PRId64, info->column);
	} else if (info->name) {
		return;
	} else if (info->object) {
		pn_buf_add_byte(out, '[');
		object = pn_file_basename(object);
		quoted(out, object, strlen(object));
		pn_buf_add_byte(out, ']');
	} else {
		pn_buf_add_text(out, "<unknown>");
	}
	pn_buf_add_text(out, "\\n");
}

static void add_label(struct pn_buf *out, const struct pn_report *report,
		      const struct pn_report_node *row)
{
	const struct pn_nodes *nodes = &report->nodes;
	const struct pn_node_info *info = &nodes->items[row->node];

	if (info->address)
		pn_buf_printf(out, "%016" PRIx64 "\\n", info->address);
	if (info->name) {
		add_parts(out, pn_profile_text(nodes->profile, info->name),
			  pn_strtab_len(&nodes->profile->strings, info->name));
		pn_buf_add_text(out, "\\n");
	}
	add_place(out, nodes, info);
	if (row->flat) {
		add_value(out, report, row->flat);
		add_share(out, report, row->flat);
	} else {
		pn_buf_add_byte(out, '0');
	}
	if (row->cum == row->flat)
		return;
	pn_buf_add_text(out, row->flat ? "\\nof " : " of ");
	add_value(out, report, row->cum);
	add_share(out, report, row->cum);
}

static int letters(int64_t flat, int64_t most)
{
	double share = (double)pn_weight_abs(flat) / (double)most;

	if (!most || !flat)
		return LETTERS_LEAST;
	return LETTERS_LEAST + (int)ceil(LETTERS_GROWTH * sqrt(share));
}

static void print_node(struct pn_sink *out, const struct pn_report *report,
		       size_t at, int64_t most)
{
	const struct pn_report_node *row = &report->rows[at];
	struct pn_buf *text = &out->text;

	pn_buf_printf(text, "N%zu [label=\"", at + 1);
	add_label(text, report, row);
	pn_buf_printf(text,
		      "\" id=\"node%zu\" fontsize=%d shape=box tooltip=\"",
		      at + 1, letters(row->flat, most));
	quoted(text, row->name, row->name_len);
	pn_buf_add_text(text, " (");
	add_value(text, report, row->cum);
	pn_buf_add_text(text, ")\" color=");
	add_color(text, share_of(report, row->cum), false);
	pn_buf_add_text(text, " fillcolor=");
	add_color(text, share_of(report, row->cum), true);
	pn_buf_add_text(text, "]\n");
}

static void print_nodelet(struct pn_sink *out, const struct pn_report *report,
			  const struct pn_nodelet *let, const char *source,
			  const char *prefix)
{
	struct pn_buf *text = &out->text, value = {0};
	const char *weight;

	add_value(&value, report, let->weight);
	weight = pn_buf_text(&value);
	pn_buf_printf(text, "%s%s_%u [label = \"", prefix, source, let->place);
	quoted_lines(text, let->name, "\\n", true);
	pn_buf_printf(
		text,
		"\" id=\"%s%s_%u\" fontsize=8 shape=box3d tooltip=\"%s\"]\n",
		prefix, source, let->place, weight);
	pn_buf_printf(text,
		      "%s -> %s%s_%u [label=\" %s\" weight=100 tooltip=\"%s\" "
		      "labeltooltip=\"%s\"%s]\n",
		      source, prefix, source, let->place, weight, weight,
		      weight, let->partly ? " style=\"dotted\"" : "");
	pn_buf_release(&value);
}

/* Whether there are any. Boxes of numbers have one more N before their name. */
static bool print_nodelets(struct pn_sink *out, const struct pn_report *report,
			   const struct pn_nodelets *lets, size_t at)
{
	const struct pn_nodelet_rows *row = &lets->rows[at];
	char source[64], label[128];
	size_t i, n;

	snprintf(source, sizeof(source), "N%zu", at + 1);
	for (i = 0; i < row->label_count; i++) {
		const struct pn_nodelet *let = &lets->items[row->labels + i];

		print_nodelet(out, report, let, source, "");
		snprintf(label, sizeof(label), "%s_%u", source, let->place);
		for (n = 0; n < let->count; n++)
			print_nodelet(out, report, &lets->items[let->first + n],
				      label, "N");
	}
	for (i = 0; i < row->number_count; i++)
		print_nodelet(out, report, &lets->items[row->numbers + i],
			      source, "N");
	return row->label_count || row->number_count;
}

static int64_t of_total(int64_t weight, int64_t total, int64_t most)
{
	int64_t share = pn_weight_abs(pn_weight_div(
		(int64_t)((uint64_t)weight * (uint64_t)most), total));

	return share < most ? share : most;
}

static void print_edge(struct pn_sink *out, const struct pn_report *report,
		       const struct pn_report_edge *edge, bool apart)
{
	int64_t weight = pn_weight_div(edge->weight, edge->divisor);
	struct pn_buf *text = &out->text;
	size_t at, i;

	pn_buf_printf(text, "N%u -> N%u [label=\" ", edge->from + 1,
		      edge->to + 1);
	add_value(text, report, weight);
	pn_buf_add_text(text, edge->inlined ? "\\n (inline)\"" : "\"");
	if (report->total) {
		int64_t pull = of_total(weight, report->total, 100);
		int64_t width = of_total(weight, report->total, 5);

		if (pull > 0)
			pn_buf_printf(text, " weight=%" PRId64, 1 + pull);
		if (width > 0)
			pn_buf_printf(text, " penwidth=%" PRId64, 1 + width);
		pn_buf_add_text(text, " color=");
		add_color(text, share_of(report, weight), false);
	}
	for (i = 0; i < 2; i++) {
		pn_buf_add_text(text, i ? " labeltooltip=\"" : " tooltip=\"");
		at = edge->from;
		quoted(text, report->rows[at].name, report->rows[at].name_len);
		pn_buf_add_text(text, edge->residual ? " ... " : " -> ");
		at = edge->to;
		quoted(text, report->rows[at].name, report->rows[at].name_len);
		pn_buf_add_text(text, " (");
		add_value(text, report, weight);
		pn_buf_add_text(text, ")\"");
	}
	pn_buf_printf(text, "%s%s]\n",
		      edge->residual ? " style=\"dotted\"" : "",
		      apart ? " minlen=2" : "");
	pn_sink_drain(out);
}

static void print_legend(struct pn_sink *out, const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	const char *title =
		p->mapping_count ? pn_profile_text(p, p->mappings[0].file) : "";
	struct pn_buf head = {0};
	const char *first;

	title = pn_file_basename(title);
	pn_buf_add_text(&out->text, "digraph \"");
	quoted(&out->text, *title ? title : "unnamed",
	       *title ? strlen(title) : strlen("unnamed"));
	pn_buf_add_text(&out->text,
			"\" {\nnode [style=filled fillcolor=\"#f8f8f8\"]\n"
			"subgraph cluster_L { \"");
	pn_report_header(&head, report, true);
	first = pn_buf_text(&head);
	quoted(&out->text, first, strcspn(first, "\n"));
	pn_buf_add_text(&out->text, "\" [shape=box fontsize=16 label=\"");
	quoted_lines(&out->text, first, "\\l", false);
	pn_buf_add_text(&out->text, "\\lSee https://git.io/JfYMW for how to "
				    "read the graph\\l\"");
	if (*title) {
		pn_buf_add_text(&out->text, " tooltip=\"");
		quoted(&out->text, title, strlen(title));
		pn_buf_add_byte(&out->text, '"');
	}
	pn_buf_add_text(&out->text, "] }\n");
	pn_buf_release(&head);
}

struct sorted {
	const struct pn_report *report;
	const struct pn_report_edge *edge;
};

static int compare_names(const struct pn_report_node *a,
			 const struct pn_report_node *b)
{
	return pn_bytes_order(a->name, a->name_len, b->name, b->name_len);
}

/* Heaviest first, as a hint to the layout. */
static int by_weight(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	const struct pn_report_node *rows = a->report->rows;
	int64_t x = pn_weight_abs(a->edge->weight);
	int64_t y = pn_weight_abs(b->edge->weight);
	int order;

	if (x != y)
		return x > y ? -1 : 1;
	order = compare_names(&rows[a->edge->from], &rows[b->edge->from]);
	if (!order)
		order = compare_names(&rows[a->edge->to], &rows[b->edge->to]);
	return order ? order : (a->edge > b->edge) - (a->edge < b->edge);
}

static void print_edges(struct pn_sink *out, const struct pn_report *report,
			const bool *apart)
{
	struct sorted *all;
	size_t i, k, n = 0;

	all = pn_calloc(report->edge_count + 1, sizeof(*all));
	for (i = 0; i < report->row_count; i++)
		for (k = 0; k < report->rows[i].out_count; k++)
			all[n++] = (struct sorted){
				report,
				&report->edges[report->out[report->rows[i]
								   .out_first +
							   k]]};
	qsort(all, n, sizeof(*all), by_weight);
	for (i = 0; i < n; i++)
		print_edge(out, report, all[i].edge, apart[all[i].edge->from]);
	free(all);
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	const struct pn_report *report = in->report;
	struct pn_nodelets lets;
	bool *apart = pn_calloc(report->row_count + 1, sizeof(*apart));
	int64_t most = 0;
	size_t i;

	(void)err;
	print_legend(out, report);
	pn_nodelets_init(&lets, report);
	for (i = 0; i < report->row_count; i++)
		if (pn_weight_abs(report->rows[i].flat) > most)
			most = pn_weight_abs(report->rows[i].flat);
	for (i = 0; i < report->row_count; i++) {
		print_node(out, report, i, most);
		apart[i] = print_nodelets(out, report, &lets, i);
		pn_sink_drain(out);
	}
	print_edges(out, report, apart);
	pn_buf_add_text(&out->text, "}\n");
	pn_nodelets_release(&lets);
	free(apart);
	return 0;
}

const struct pn_view pn_view_dot = {
	.name = "dot",
	.summary = "the call graph for Graphviz",
	.needs = PN_VIEW_WEIGHTS,
	.edges = PN_EDGES_ALL,
	.trims = true,
	.drawn = true,
	.bare = true,
	.node_count = NODES,
	.text = text,
	.json = pn_tree_json,
};
