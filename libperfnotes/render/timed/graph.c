/*
 * The view `graph`: functions between their callers and callees, with the share
 * that each has of the other, as Racket's profiler prints them (racket/profile,
 * render-text and render-graphviz). Names are safe for a terminal.
 */
#include "analysis/timed/ordered.h"
#include "base/alloc.h"
#include "base/escape.h"
#include "base/number.h"
#include "base/text/width.h"
#include "model/unit.h"
#include "render/header.h"
#include "render/renderer.h"
#include "render/sink.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 10
#define NAME_CELL 8    /* "Name+src" */
#define LABEL_MIN 20   /* columns that it keeps */
#define LABEL_AROUND 8 /* "  name [1234]" */

struct graph {
	struct pn_sink *out;
	struct pn_timed t;
	struct pn_timed_ordered shown;
	const struct pn_timed_style *style;
	const char *unit; /* of all times */
	char **labels;	  /* by node, safe */
	size_t width[CELLS];
	size_t most;	/* characters of a name with its place; 0: any */
	bool measuring; /* widths, and print nothing */
};

/* What the weight of the report is, a run, in milliseconds where it is time. */
static int init(struct graph *g, struct pn_sink *out,
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

static void release(struct graph *g)
{
	size_t i;

	for (i = 0; g->labels && i < g->t.node_count; i++)
		free(g->labels[i]);
	free(g->labels);
	pn_timed_ordered_release(&g->shown);
	pn_timed_release(&g->t);
}

/* "name", "name#2"; "" where it has none. */
static void add_name(struct pn_buf *out, struct pn_buf *src,
		     const struct graph *g, uint32_t node)
{
	pn_buf_add_text(out, pn_timed_name(src, &g->t, node));
	if (g->t.nodes[node].alike)
		pn_buf_printf(out, "#%" PRIu32, g->t.nodes[node].alike + 1);
}

static void make_labels(struct graph *g)
{
	struct pn_buf name = {0}, src = {0}, safe = {0};
	uint32_t i;

	g->labels = pn_calloc(g->t.node_count + 1, sizeof(*g->labels));
	for (i = 0; i < g->t.node_count; i++) {
		pn_buf_clear(&name);
		pn_buf_clear(&safe);
		add_name(&name, &src, g, i);
		if (!name.len)
			pn_buf_add_text(&name, "???");
		pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
		g->labels[i] = pn_strdup(pn_buf_text(&safe));
	}
	pn_buf_release(&name);
	pn_buf_release(&src);
	pn_buf_release(&safe);
}

/* Ties to even, as Racket's round. */
static void add_time(struct pn_buf *out, double value)
{
	char digits[PN_NUMBER_UINT_TEXT];

	value = rint(value);
	if (value >= 0 && value < 1e15)
		pn_buf_add(out, digits,
			   pn_number_write_uint(digits, (uint64_t)value));
	else
		pn_buf_printf(out, "%.0f", value);
}

static void add_percent(struct pn_buf *out, double share)
{
	double thousandths = rint(share * 1000);
	char digits[PN_NUMBER_UINT_TEXT];
	uint64_t all;

	if (!isfinite(thousandths) || fabs(thousandths) > 1e15)
		thousandths = 0;
	if (thousandths <= -10)
		pn_buf_add_byte(out, '-');
	all = (uint64_t)fabs(thousandths);
	pn_buf_add(out, digits, pn_number_write_uint(digits, all / 10));
	pn_buf_add_byte(out, '.');
	pn_buf_add_byte(out, (unsigned char)('0' + all % 10));
	pn_buf_add_byte(out, '%');
}

static double share_of(double part, double all)
{
	return all != 0 ? part / all : 0;
}

/* Columns are as wide as their widest cell; names of functions with their
 * places do not count. */
static void print_row(struct graph *g, const char *const cells[CELLS],
		      size_t count)
{
	static const bool is_right[CELLS] = {
		[0] = true, [2] = true, [5] = true, [9] = true};
	struct pn_buf *text = &g->out->text;
	size_t i, n, width, start = text->len;

	for (i = 0; i < count; i++) {
		width = pn_sink_width(cells[i], strlen(cells[i]));
		if (g->measuring) {
			if (width > g->width[i])
				g->width[i] = width;
			continue;
		}
		n = width < g->width[i] ? g->width[i] - width : 0;
		if (is_right[i])
			pn_buf_add_fill(text, ' ', n);
		pn_buf_add_text(text, cells[i]);
		if (!is_right[i])
			pn_buf_add_fill(text, ' ', n);
	}
	if (g->measuring)
		return;
	while (text->len > start && text->data[text->len - 1] == ' ')
		pn_buf_cut(text, text->len - 1);
	pn_buf_add_byte(text, '\n');
	pn_sink_drain(g->out);
}

static void print_line(struct graph *g, char fill)
{
	size_t i;

	if (g->measuring)
		return;
	for (i = 0; i < CELLS; i++)
		pn_buf_add_fill(&g->out->text, (unsigned char)fill,
				g->width[i]);
	pn_buf_add_byte(&g->out->text, '\n');
}

static void print_titles(struct graph *g)
{
	static const char *const titles[3][CELLS] = {
		{"   ", " ", "   ", "     ", " ", "  ", "     ", " ",
		 "  Caller", ""},
		{"Idx", " ", "To", "tal   ", " ", "Se", "lf   ", " ",
		 "Name+src", "Local%"},
		{"   ", " ", NULL, "(pct)", " ", NULL, "(pct)", " ", "  Callee",
		 ""},
	};
	struct pn_buf unit[2] = {{0}, {0}};
	const char *cells[CELLS];
	size_t i;

	pn_escape_terminal(&unit[1], g->unit, strlen(g->unit));
	pn_buf_printf(&unit[0], " %s", pn_buf_text(&unit[1]));
	print_line(g, '=');
	print_row(g, titles[0], 9);
	print_row(g, titles[1], CELLS);
	for (i = 0; i < CELLS; i++)
		cells[i] = titles[2][i];
	cells[2] = pn_buf_text(&unit[0]);
	cells[5] = pn_buf_text(&unit[1]);
	print_row(g, cells, 9);
	print_line(g, '=');
	pn_buf_release(&unit[0]);
	pn_buf_release(&unit[1]);
}

/* A caller or callee; nothing of the root and of what is hidden. */
static void print_other(struct graph *g, uint32_t other, double time,
			double total)
{
	struct pn_buf name = {0}, local = {0};
	const char *cells[CELLS] = {"", "", "", "", "", "", "", "", NULL, NULL};

	if (!other || !g->shown.rank[other])
		return;
	pn_buf_printf(&name, "  %s [%" PRIu32 "]", g->labels[other],
		      g->shown.rank[other]);
	add_percent(&local, share_of(time, total));
	cells[8] = pn_buf_text(&name);
	cells[9] = pn_buf_text(&local);
	print_row(g, cells, CELLS);
	pn_buf_release(&name);
	pn_buf_release(&local);
}

/* The bytes of the last `count` characters of a text. */
static const char *tail(const char *text, size_t count)
{
	const char *at = text + strlen(text);

	while (count && at > text)
		if (((unsigned char)*--at & 0xc0) != 0x80)
			count--;
	return at;
}

/* "name path:line:column", the place cut at its beginning. */
static void add_place(struct pn_buf *out, const struct graph *g, uint32_t node)
{
	struct pn_buf src = {0}, safe = {0};
	size_t name = pn_sink_width(g->labels[node], strlen(g->labels[node]));
	size_t all, most = g->most;
	const char *place;

	pn_timed_name(&src, &g->t, node);
	pn_escape_terminal(&safe, pn_buf_text(&src), src.len);
	place = safe.len ? pn_buf_text(&safe) : "(unknown source)";
	all = pn_sink_width(place, strlen(place));
	pn_buf_printf(out, "%s ", g->labels[node]);
	if (!most || name + 1 + all <= most)
		pn_buf_add_text(out, place);
	else
		pn_buf_printf(out, "...%s",
			      most > name + 4 ? tail(place, most - name - 4)
					      : "");
	pn_buf_release(&src);
	pn_buf_release(&safe);
}

static void print_function(struct graph *g, uint32_t node, double all)
{
	const struct pn_timed_node *n = &g->t.nodes[node];
	struct pn_buf text[6] = {{0}, {0}, {0}, {0}, {0}, {0}};
	const char *cells[CELLS];
	size_t i;

	pn_buf_printf(&text[0], "[%" PRIu32 "]", g->shown.rank[node]);
	add_time(&text[1], n->total);
	pn_buf_add_byte(&text[2], '(');
	add_percent(&text[2], share_of(n->total, all));
	pn_buf_add_byte(&text[2], ')');
	add_time(&text[3], n->self);
	pn_buf_add_byte(&text[4], '(');
	add_percent(&text[4], share_of(n->self, all));
	pn_buf_add_byte(&text[4], ')');
	if (!g->measuring)
		add_place(&text[5], g, node);
	cells[0] = pn_buf_text(&text[0]);
	cells[1] = cells[4] = cells[7] = " ";
	cells[2] = pn_buf_text(&text[1]);
	cells[3] = pn_buf_text(&text[2]);
	cells[5] = pn_buf_text(&text[3]);
	cells[6] = pn_buf_text(&text[4]);
	cells[8] = pn_buf_text(&text[5]);
	print_row(g, cells, 9);
	for (i = 0; i < 6; i++)
		pn_buf_release(&text[i]);
}

static void print_block(struct graph *g, uint32_t node)
{
	const struct pn_timed_node *n = &g->t.nodes[node];
	const struct pn_timed_edge *e;
	size_t i;

	for (i = n->caller_count; i-- > 0;) {
		e = &g->t.edges[g->t.callers[n->caller_first + i]];
		print_other(g, e->caller, e->caller_time, n->total);
	}
	print_function(g, node, g->t.total_time);
	for (i = 0; i < n->callee_count; i++) {
		e = &g->t.edges[g->t.callees[n->callee_first + i]];
		print_other(g, e->callee, e->callee_time, n->total);
	}
	print_line(g, '-');
}

static void print_table(struct graph *g)
{
	size_t i;

	print_titles(g);
	for (i = 0; i < g->shown.count; i++)
		print_block(g, g->shown.nodes[i]);
}

static void print_head(struct graph *g)
{
	const struct pn_timed *t = &g->t;
	struct pn_buf *text = &g->out->text, unit = {0};
	const struct pn_timed_style *style = g->style;

	pn_escape_terminal(&unit, g->unit, strlen(g->unit));
	pn_buf_add_text(text, "Profiling results\n-----------------\n"
			      "  Total cpu time observed: ");
	add_time(text, t->total_time);
	pn_buf_printf(text, "%s (out of ", pn_buf_text(&unit));
	add_time(text, t->cpu_time);
	pn_buf_printf(text,
		      "%s)\n  Number of samples taken: ", pn_buf_text(&unit));
	add_time(text, t->samples);
	pn_buf_add_text(text, " (once every ");
	add_time(text, share_of(t->total_time, t->samples));
	pn_buf_printf(text, "%s)\n", pn_buf_text(&unit));
	if (t->thread_count > 1)
		pn_buf_printf(text, "  Threads observed:        %zu\n",
			      t->thread_count);
	if (g->shown.hidden) {
		pn_buf_add_text(text, "  (Hiding functions with self<");
		add_percent(text, style->hide_self);
		pn_buf_add_text(text, " and local<");
		add_percent(text, style->hide_subs);
		pn_buf_printf(text, ": %zu of %zu hidden)\n", g->shown.hidden,
			      t->node_count - 1);
	}
	pn_buf_add_byte(text, '\n');
	pn_buf_release(&unit);
}

static void measure(struct graph *g)
{
	memset(g->width, 0, sizeof(g->width));
	g->measuring = true;
	print_table(g);
	g->measuring = false;
}

static void cut_labels(struct graph *g, size_t most)
{
	struct pn_buf cut = {0};
	size_t i;

	for (i = 0; i < g->t.node_count; i++) {
		pn_buf_clear(&cut);
		pn_text_fit_name(&cut, g->labels[i], strlen(g->labels[i]),
				 most);
		free(g->labels[i]);
		g->labels[i] = pn_strdup(pn_buf_text(&cut));
	}
	pn_buf_release(&cut);
}

/* Names and places give way on a narrow terminal. */
static void fit(struct graph *g, size_t columns)
{
	size_t i, all = 0, before = 0;

	measure(g);
	for (i = 0; i < CELLS; i++) {
		all += g->width[i];
		before += i < NAME_CELL ? g->width[i] : 0;
	}
	if (all > columns && g->width[NAME_CELL] > all - columns + LABEL_MIN) {
		cut_labels(g, g->width[NAME_CELL] - (all - columns) -
				      LABEL_AROUND);
		measure(g);
	}
	if (g->most && columns > before + LABEL_MIN &&
	    g->most > columns - before)
		g->most = columns - before;
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct graph g;

	if (init(&g, out, in, err))
		return err->code;
	make_labels(&g);
	print_head(&g);
	if (in->columns)
		fit(&g, in->columns);
	else
		measure(&g);
	print_table(&g);
	release(&g);
	return 0;
}

/* Text in quotes, as Graphviz and Racket write it. */
static void add_quoted(struct pn_buf *out, const char *text)
{
	pn_buf_add_byte(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out, (unsigned char)*text);
	}
	pn_buf_add_byte(out, '"');
}

static void add_double(struct pn_buf *out, double value)
{
	char text[PN_NUMBER_TEXT];
	size_t len = pn_number_write(text, isfinite(value) ? value : 0, true);

	pn_buf_add(out, text, len);
}

/* Without a name the file and line stand for it. */
static void add_node_label(struct graph *g, uint32_t node)
{
	struct pn_buf name = {0}, src = {0}, safe = {0};
	const char *slash;

	add_name(&name, &src, g, node);
	if (!name.len) {
		slash = strrchr(pn_buf_text(&src), '/');
		pn_buf_add_text(&name, !src.len ? "(unknown source)"
				       : slash	? slash + 1
						: pn_buf_text(&src));
	}
	pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
	add_quoted(&g->out->text, pn_buf_text(&safe));
	pn_buf_release(&name);
	pn_buf_release(&src);
	pn_buf_release(&safe);
}

static void print_dot_node(struct graph *g, uint32_t node, double most)
{
	const struct pn_timed_node *n = &g->t.nodes[node];
	struct pn_buf *text = &g->out->text;
	double all = fmax(1e-20, g->t.total_time);
	size_t i;

	pn_buf_printf(text, "node%" PRIu32 " [label=", g->shown.rank[node]);
	add_node_label(g, node);
	pn_buf_add_text(text, ", fillcolor=\"1,");
	add_double(text, share_of(n->self / all, most / all));
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

static int dot(struct pn_sink *out, const struct pn_view_input *in,
	       struct pn_error *err)
{
	struct graph g;
	double most = 0;
	size_t i;

	if (init(&g, out, in, err))
		return err->code;
	for (i = 0; i < g.shown.count; i++)
		most = fmax(most, g.t.nodes[g.shown.nodes[i]].self);
	pn_buf_add_text(&out->text, "digraph Profile {\n");
	for (i = 0; i < g.shown.count; i++)
		print_dot_node(&g, g.shown.nodes[i], most);
	pn_buf_add_text(&out->text, "}\n");
	release(&g);
	return 0;
}

static void json_other(struct graph *g, uint32_t other,
		       const struct pn_timed_edge *e)
{
	struct pn_json_writer *w = &g->out->json;
	struct pn_buf name = {0}, src = {0};

	pn_json_open(w, '{');
	if (other) {
		add_name(&name, &src, g, other);
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

static void json_function(struct graph *g, uint32_t node)
{
	const struct pn_timed_node *n = &g->t.nodes[node];
	struct pn_json_writer *w = &g->out->json;
	struct pn_buf name = {0}, src = {0};
	const struct pn_timed_edge *e;
	size_t i;

	add_name(&name, &src, g, node);
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

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_json_writer *w = &out->json;
	struct graph g;
	size_t i;

	if (init(&g, out, in, err))
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
	release(&g);
	return 0;
}

const struct pn_view pn_view_graph = {
	.name = "graph",
	.summary = "callers and callees with their shares, as Racket has them",
	.needs = PN_VIEW_WEIGHTS,
	.own_rows = true,
	.text = text,
	.dot = dot,
	.json = json,
};
