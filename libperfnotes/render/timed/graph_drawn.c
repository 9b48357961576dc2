/* The view `graph` as a drawing for Graphviz and as JSON. */
#include "render/timed/graph.h"

#include "base/escape.h"
#include "base/number.h"
#include "base/text/utf8.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Graphviz ends a string of more than 16,384 bytes as an error. */
#define LABEL_MAX 8000 /* each byte may need a backslash */

int pn_timed_view_init(struct pn_timed_view *g, struct pn_sink *out,
		       const struct pn_view_input *in, struct pn_error *err)
{
	const struct pn_report *report = in->report;
	double scale = 1 / (double)report->runs;

	memset(g, 0, sizeof(*g));
	g->out = out;
	g->style = &in->timed;
	g->most = (size_t)in->timed.truncate;
	g->unit = report->unit;
	if (pn_unit_comparable(report->unit, "ms")) {
		g->unit = "ms";
		if (strcmp(report->unit, "milliseconds") != 0)
			scale *= pn_unit_scale(&g->unit, 1, report->unit, "ms");
	}
	if (report->options.divide_by > 0)
		scale /= report->options.divide_by;
	if (pn_timed_init(&g->t, report->profile, report->weight.column, scale,
			  err))
		return err->code;
	pn_timed_ordered_init(&g->shown, &g->t, g->style);
	return 0;
}

void pn_timed_view_release(struct pn_timed_view *g)
{
	size_t i;

	for (i = 0; g->labels && i < g->t.node_count; i++)
		free(g->labels[i]);
	free(g->labels);
	free(g->widths);
	pn_timed_ordered_release(&g->shown);
	pn_timed_release(&g->t);
}

void pn_timed_view_name(struct pn_buf *out, struct pn_buf *src,
			const struct pn_timed_view *g, uint32_t node)
{
	pn_buf_add_text(out, pn_timed_name(src, &g->t, node));
	if (g->t.nodes[node].alike)
		pn_buf_printf(out, "#%" PRIu32, g->t.nodes[node].alike + 1);
}

/* Text in quotes, as Graphviz and Racket write it. */
static void add_quoted(struct pn_buf *out, const char *text, size_t len)
{
	bool whole = len <= LABEL_MAX;
	size_t i;

	for (len = whole ? len : LABEL_MAX; !whole && len; len--)
		if (!pn_utf8_is_tail((unsigned char)text[len]))
			break;
	pn_buf_add_byte(out, '"');
	for (i = 0; i < len; i++) {
		if (text[i] == '"' || text[i] == '\\')
			pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out, (unsigned char)text[i]);
	}
	pn_buf_add_text(out, whole ? "\"" : "...\"");
}

static void add_double(struct pn_buf *out, double value)
{
	char text[PN_NUMBER_TEXT];
	size_t len = pn_number_write(text, isfinite(value) ? value : 0, true);

	pn_buf_add(out, text, len);
}

/* Without a name the file and line stand for it. */
static void add_node_label(struct pn_timed_view *g, uint32_t node)
{
	struct pn_buf name = {0}, src = {0}, safe = {0};
	const char *slash;

	pn_timed_view_name(&name, &src, g, node);
	if (!name.len) {
		slash = strrchr(pn_buf_text(&src), '/');
		pn_buf_add_text(&name, !src.len ? "(unknown source)"
				       : slash	? slash + 1
						: pn_buf_text(&src));
	}
	pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
	add_quoted(&g->out->text, pn_buf_text(&safe), safe.len);
	pn_buf_release(&name);
	pn_buf_release(&src);
	pn_buf_release(&safe);
}

static void print_dot_node(struct pn_timed_view *g, uint32_t node, double most)
{
	const struct pn_timed_node *n = &g->t.nodes[node];
	struct pn_buf *text = &g->out->text;
	double all = fmax(1e-20, g->t.total_time);
	size_t i;

	pn_buf_printf(text, "node%" PRIu32 " [label=", g->shown.rank[node]);
	add_node_label(g, node);
	pn_buf_add_text(text, ", fillcolor=\"1,");
	add_double(text, pn_timed_view_share(n->self / all, most / all));
	pn_buf_add_text(text, ",1\", style=filled];\n");
	for (i = 0; i < n->callee_count; i++) {
		uint32_t callee =
			g->t.edges[g->t.callees[n->callee_first + i]].callee;

		if (callee && g->shown.rank[callee])
			pn_buf_printf(
				text, "node%" PRIu32 " -> node%" PRIu32 ";\n",
				g->shown.rank[node], g->shown.rank[callee]);
	}
	pn_sink_drain(g->out);
}

int pn_timed_view_dot(struct pn_sink *out, const struct pn_view_input *in,
		      struct pn_error *err)
{
	struct pn_timed_view g;
	double most = 0;
	size_t i;

	if (pn_timed_view_init(&g, out, in, err))
		return err->code;
	for (i = 0; i < g.shown.count; i++)
		most = fmax(most, g.t.nodes[g.shown.nodes[i]].self);
	pn_buf_add_text(&out->text, "digraph Profile {\n");
	for (i = 0; i < g.shown.count; i++)
		print_dot_node(&g, g.shown.nodes[i], most);
	pn_buf_add_text(&out->text, "}\n");
	pn_timed_view_release(&g);
	return 0;
}

static void json_other(struct pn_timed_view *g, uint32_t other,
		       const struct pn_timed_edge *e)
{
	struct pn_json_writer *w = &g->out->json;
	struct pn_buf name = {0}, src = {0};

	pn_json_open(w, '{');
	if (other) {
		pn_timed_view_name(&name, &src, g, other);
		pn_json_member(w, "name", pn_buf_text(&name));
		pn_json_member(w, "src", pn_buf_text(&src));
	}
	pn_json_member_double(w, "total", e->total);
	pn_json_member_double(w, "caller_time", e->caller_time);
	pn_json_member_double(w, "callee_time", e->callee_time);
	pn_json_close(w, '}');
	pn_buf_release(&name);
	pn_buf_release(&src);
}

static void json_function(struct pn_timed_view *g, uint32_t node)
{
	const struct pn_timed_node *n = &g->t.nodes[node];
	struct pn_json_writer *w = &g->out->json;
	struct pn_buf name = {0}, src = {0};
	const struct pn_timed_edge *e;
	size_t i;

	pn_timed_view_name(&name, &src, g, node);
	pn_json_open(w, '{');
	pn_json_member(w, "name", pn_buf_text(&name));
	pn_json_member(w, "src", pn_buf_text(&src));
	pn_json_member_double(w, "self", n->self);
	pn_json_member_double(w, "total", n->total);
	pn_json_key(w, "callers");
	pn_json_open(w, '[');
	for (i = 0; i < n->caller_count; i++) {
		e = &g->t.edges[g->t.callers[n->caller_first + i]];
		json_other(g, e->caller, e);
	}
	pn_json_close(w, ']');
	pn_json_key(w, "callees");
	pn_json_open(w, '[');
	for (i = 0; i < n->callee_count; i++) {
		e = &g->t.edges[g->t.callees[n->callee_first + i]];
		json_other(g, e->callee, e);
	}
	pn_json_close(w, ']');
	pn_json_close(w, '}');
	pn_sink_drain(g->out);
	pn_buf_release(&name);
	pn_buf_release(&src);
}

int pn_timed_view_json(struct pn_sink *out, const struct pn_view_input *in,
		       struct pn_error *err)
{
	struct pn_json_writer *w = &out->json;
	struct pn_timed_view g;
	size_t i;

	if (pn_timed_view_init(&g, out, in, err))
		return err->code;
	pn_json_member(w, "type", in->report->type);
	pn_json_member(w, "unit", g.unit);
	pn_json_member_double(w, "total", g.t.total_time);
	pn_json_member_double(w, "observed", g.t.cpu_time);
	pn_json_member_double(w, "samples", g.t.samples);
	pn_json_member_int(w, "threads", (int64_t)g.t.thread_count);
	pn_json_member_int(w, "hidden", (int64_t)g.shown.hidden);
	pn_json_key(w, "rows");
	pn_json_open(w, '[');
	for (i = 0; i < g.shown.count; i++)
		json_function(&g, g.shown.nodes[i]);
	pn_json_close(w, ']');
	pn_timed_view_release(&g);
	return 0;
}
