/*
 * The view `graph`: functions between their callers and callees, with the share
 * that each has of the other, as Racket's profiler prints them (racket/profile,
 * render-text and render-graphviz). Names are safe for a terminal.
 */
#include "render/timed/graph.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/number.h"
#include "base/text/width.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CELL 8    /* "Name+src" */
#define LABEL_MIN 20   /* columns that it keeps */
#define LABEL_AROUND 8 /* "  name [1234]" */
#define LABEL_BRACKETS 5

static void set_label(struct pn_timed_view *g, size_t node,
		      const struct pn_buf *label)
{
	g->labels[node] = pn_strdup(pn_buf_text(label));
	g->widths[node] = pn_sink_width(pn_buf_text(label), label->len);
}

static void make_labels(struct pn_timed_view *g)
{
	struct pn_buf name = {0}, src = {0}, safe = {0};
	uint32_t i;

	g->labels = pn_calloc(g->t.node_count + 1, sizeof(*g->labels));
	g->widths = pn_calloc(g->t.node_count + 1, sizeof(*g->widths));
	for (i = 0; i < g->t.node_count; i++) {
		pn_buf_clear(&name);
		pn_buf_clear(&safe);
		pn_timed_view_name(&name, &src, g, i);
		if (!name.len)
			pn_buf_add_text(&name, "???");
		pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
		set_label(g, i, &safe);
	}
	pn_buf_release(&name);
	pn_buf_release(&src);
	pn_buf_release(&safe);
}

/* Ties to even, as Racket's round. */
static void add_time(struct pn_buf *out, double value)
{
	value = rint(value);
	if (value >= 0 && value < 1e15)
		pn_buf_add_uint(out, (uint64_t)value);
	else
		pn_buf_printf(out, "%.0f", value);
}

static void add_percent(struct pn_buf *out, double share)
{
	double thousandths = rint(share * 1000);
	uint64_t all;

	if (!isfinite(thousandths) || fabs(thousandths) > 1e15)
		thousandths = 0;
	if (thousandths <= -10)
		pn_buf_add_byte(out, '-');
	all = (uint64_t)fabs(thousandths);
	pn_buf_add_uint(out, all / 10);
	pn_buf_add_byte(out, '.');
	pn_buf_add_byte(out, (unsigned char)('0' + all % 10));
	pn_buf_add_byte(out, '%');
}

static void widen(size_t *to, size_t width)
{
	if (width > *to)
		*to = width;
}

/* Columns are as wide as their widest cell; names of functions with their
 * places do not count. */
static void print_row(struct pn_timed_view *g,
		      const char *const cells[PN_TIMED_VIEW_CELLS],
		      size_t count)
{
	static const bool is_right[PN_TIMED_VIEW_CELLS] = {
		[0] = true, [2] = true, [5] = true, [9] = true};
	struct pn_buf *text = &g->out->text;
	size_t i, n, width, start = text->len;

	for (i = 0; i < count; i++) {
		width = pn_sink_width(cells[i], strlen(cells[i]));
		if (g->measuring) {
			widen(&g->width[i], width);
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

static void print_line(struct pn_timed_view *g, char fill)
{
	size_t i;

	if (g->measuring)
		return;
	for (i = 0; i < PN_TIMED_VIEW_CELLS; i++)
		pn_buf_add_fill(&g->out->text, (unsigned char)fill,
				g->width[i]);
	pn_buf_add_byte(&g->out->text, '\n');
}

static void print_titles(struct pn_timed_view *g)
{
	static const char *const titles[3][PN_TIMED_VIEW_CELLS] = {
		{"   ", " ", "   ", "     ", " ", "  ", "     ", " ",
		 "  Caller", ""},
		{"Idx", " ", "To", "tal   ", " ", "Se", "lf   ", " ",
		 "Name+src", "Local%"},
		{"   ", " ", NULL, "(pct)", " ", NULL, "(pct)", " ", "  Callee",
		 ""},
	};
	struct pn_buf unit[2] = {{0}, {0}};
	const char *cells[PN_TIMED_VIEW_CELLS];
	size_t i;

	pn_escape_terminal(&unit[1], g->unit, strlen(g->unit));
	pn_buf_printf(&unit[0], " %s", pn_buf_text(&unit[1]));
	print_line(g, '=');
	print_row(g, titles[0], 9);
	print_row(g, titles[1], PN_TIMED_VIEW_CELLS);
	for (i = 0; i < PN_TIMED_VIEW_CELLS; i++)
		cells[i] = titles[2][i];
	cells[2] = pn_buf_text(&unit[0]);
	cells[5] = pn_buf_text(&unit[1]);
	print_row(g, cells, 9);
	print_line(g, '=');
	pn_buf_release(&unit[0]);
	pn_buf_release(&unit[1]);
}

/* A caller or callee; nothing of the root and of what is hidden. Long tables
 * are of these: "  name [number]" and its share, below blank cells. */
static void print_other(struct pn_timed_view *g, uint32_t other, double time,
			double total)
{
	struct pn_buf *text = &g->out->text;
	size_t i, len, name, share_len, start = text->len;
	char digits[PN_NUMBER_UINT_TEXT];

	if (!other || !g->shown.rank[other])
		return;
	len = pn_number_write_uint(digits, g->shown.rank[other]);
	name = g->widths[other] + LABEL_BRACKETS + len;
	add_percent(text, pn_timed_view_share(time, total));
	share_len = text->len - start;
	pn_buf_cut(text, start);
	if (g->measuring) {
		widen(&g->width[NAME_CELL], name);
		widen(&g->width[NAME_CELL + 1], share_len);
		return;
	}
	for (i = 0; i < NAME_CELL; i++)
		pn_buf_add_fill(text, ' ', g->width[i]);
	pn_buf_add_text(text, "  ");
	pn_buf_add_text(text, g->labels[other]);
	pn_buf_add_text(text, " [");
	pn_buf_add(text, digits, len);
	pn_buf_add_byte(text, ']');
	pn_buf_add_fill(text, ' ',
			g->width[NAME_CELL] - name + g->width[NAME_CELL + 1] -
				share_len);
	add_percent(text, pn_timed_view_share(time, total));
	pn_buf_add_byte(text, '\n');
	pn_sink_drain(g->out);
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
static void add_place(struct pn_buf *out, const struct pn_timed_view *g,
		      uint32_t node)
{
	struct pn_buf src = {0}, safe = {0};
	size_t name = g->widths[node], all, most = g->most;
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

static void print_function(struct pn_timed_view *g, uint32_t node, double all)
{
	const struct pn_timed_node *n = &g->t.nodes[node];
	struct pn_buf text[6] = {{0}, {0}, {0}, {0}, {0}, {0}};
	const char *cells[PN_TIMED_VIEW_CELLS];
	size_t i;

	pn_buf_printf(&text[0], "[%" PRIu32 "]", g->shown.rank[node]);
	add_time(&text[1], n->total);
	pn_buf_add_byte(&text[2], '(');
	add_percent(&text[2], pn_timed_view_share(n->total, all));
	pn_buf_add_byte(&text[2], ')');
	add_time(&text[3], n->self);
	pn_buf_add_byte(&text[4], '(');
	add_percent(&text[4], pn_timed_view_share(n->self, all));
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

static void print_block(struct pn_timed_view *g, uint32_t node)
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

static void print_table(struct pn_timed_view *g)
{
	size_t i;

	print_titles(g);
	for (i = 0; i < g->shown.count; i++)
		print_block(g, g->shown.nodes[i]);
}

static void print_head(struct pn_timed_view *g)
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
	add_time(text, pn_timed_view_share(t->total_time, t->samples));
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

static void measure(struct pn_timed_view *g)
{
	memset(g->width, 0, sizeof(g->width));
	g->measuring = true;
	print_table(g);
	g->measuring = false;
}

static void cut_labels(struct pn_timed_view *g, size_t most)
{
	struct pn_buf cut = {0};
	size_t i;

	for (i = 0; i < g->t.node_count; i++) {
		pn_buf_clear(&cut);
		pn_text_fit_name(&cut, g->labels[i], strlen(g->labels[i]),
				 most);
		free(g->labels[i]);
		set_label(g, i, &cut);
	}
	pn_buf_release(&cut);
}

/* Names and places give way on a narrow terminal. */
static void fit(struct pn_timed_view *g, size_t columns)
{
	size_t i, all = 0, before = 0;

	measure(g);
	for (i = 0; i < PN_TIMED_VIEW_CELLS; i++) {
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
	struct pn_timed_view g;

	if (pn_timed_view_init(&g, out, in, err))
		return err->code;
	make_labels(&g);
	print_head(&g);
	if (in->columns)
		fit(&g, in->columns);
	else
		measure(&g);
	print_table(&g);
	pn_timed_view_release(&g);
	return 0;
}

const struct pn_view pn_view_graph = {
	.name = "graph",
	.summary = "callers and callees with their shares, as Racket has them",
	.needs = PN_VIEW_WEIGHTS,
	.own_rows = true,
	.text = text,
	.dot = pn_timed_view_dot,
	.json = pn_timed_view_json,
};
