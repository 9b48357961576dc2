/* The view `heapmap`: addresses that are allocated at each snapshot. */
#include "analysis/resources/heap.h"

#include "base/text/width.h"
#include "render/print_table.h"
#include "render/resources/plot.h"
#include "render/resources/words.h"

#include <math.h>
#include <string.h>

#define COLUMNS 160 /* of a picture */
#define ADDRESS 130 /* pixels that one is wide, at most */
#define CELL 14	    /* pixels that a row of it is high */
#define LEFT 150
#define SHADES 8 /* classes h1 ... of a picture */

struct mapped {
	struct pn_heap heap;
	struct pn_buf title, remarks;
	double hottest;
};

static void add_remarks(struct pn_buf *out, const struct pn_heap *h)
{
	size_t i;

	pn_buf_add_text(out, "a column is ");
	pn_resources_value(out, (double)h->column_bytes,
			   *h->unit ? h->unit : "B");
	for (i = 0; i < h->region_count && i < 4; i++)
		pn_buf_printf(out, "%s0x%llx-0x%llx", i ? ", " : "; ",
			      (unsigned long long)h->regions[i].start,
			      (unsigned long long)h->regions[i].end);
	if (h->region_count > 4)
		pn_buf_printf(out, " and %zu more", h->region_count - 4);
	pn_buf_add_byte(out, '\n');
	if (h->row_count < h->snapshots)
		pn_buf_printf(out, "%zu of %zu snapshots\n", h->row_count,
			      h->snapshots);
	if (h->left_out)
		pn_buf_printf(out, "without %zu that have no address\n",
			      h->left_out);
}

static int make(struct mapped *m, const struct pn_view_input *in,
		size_t columns, struct pn_error *err)
{
	size_t rows = in->most > 0    ? (size_t)in->most
		      : in->most == 0 ? SIZE_MAX
				      : PN_HEAP_ROWS;
	size_t i;
	int code;

	memset(m, 0, sizeof(*m));
	/* a row has all columns: nobody looks at more */
	if (rows > 10000)
		rows = 10000;
	code = pn_heap_init(&m->heap, in->profile, in->resources, columns, rows,
			    err);
	if (code)
		return code;
	if (in->title)
		pn_buf_printf(&m->title, "%s: ", in->title);
	pn_buf_add_text(&m->title, "allocated addresses per snapshot");
	add_remarks(&m->remarks, &m->heap);
	for (i = 0; i < m->heap.columns; i++)
		m->hottest = fmax(m->hottest, m->heap.heat[i]);
	return 0;
}

static void release(struct mapped *m)
{
	pn_heap_release(&m->heap);
	pn_buf_release(&m->title);
	pn_buf_release(&m->remarks);
}

/* What is hardly there is seen, too. */
static const char *shade(double share, bool utf8)
{
	static const char *const blocks[] = {" ", "\u2591", "\u2592", "\u2593",
					     "\u2588"};
	static const char *const signs[] = {" ", ".", ":", "+", "#"};
	size_t at = share > 0 ? 1 + (size_t)fmin(3, share * 4) : 0;

	return (utf8 ? blocks : signs)[at];
}

/* A row of shades, regions with a bar between them. */
static void put_cells(struct pn_buf *out, const struct pn_heap *h,
		      const double *shares, double whole, bool utf8)
{
	const char *bar = utf8 ? "\u2502" : "|";
	size_t i, k;

	pn_buf_add_text(out, bar);
	for (i = 0; i < h->region_count; i++) {
		const struct pn_heap_region *r = &h->regions[i];

		for (k = r->first; k < r->first + r->columns; k++)
			pn_buf_add_text(out, shade(shares[k] / whole, utf8));
		pn_buf_add_text(out, bar);
	}
	pn_buf_add_byte(out, '\n');
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	size_t columns = pn_resources_columns(in), i;
	/* a name, an amount, and a bar between two regions at the most */
	size_t room = (columns - 22) * 4 / 5;
	struct pn_buf *to = &out->text;
	struct mapped m;
	int code = make(&m, in, room, err);

	if (!code) {
		pn_resources_line(to, pn_buf_text(&m.title), columns);
		pn_buf_add_byte(to, '\n');
		pn_buf_add_text(to, pn_buf_text(&m.remarks));
	}
	for (i = 0; i < m.heap.row_count && !code; i++) {
		const struct pn_heap_row *row = &m.heap.rows[i];
		struct pn_buf bytes = {0};

		pn_resources_value(&bytes, row->bytes, m.heap.unit);
		pn_buf_printf(to, "%8.6g %9s ", row->snapshot,
			      pn_buf_text(&bytes));
		put_cells(to, &m.heap, row->share, 1, in->utf8);
		pn_buf_release(&bytes);
		pn_sink_drain(out);
	}
	if (!code) {
		pn_buf_printf(to, "%-18s ", "allocated often");
		put_cells(to, &m.heap, m.heap.heat, fmax(m.hottest, 1),
			  in->utf8);
	}
	release(&m);
	return code;
}

static int rows(struct pn_table *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct mapped m;
	int code = make(&m, in, COLUMNS, err);

	if (!code)
		pn_table_of_heap(out, &m.heap);
	release(&m);
	return code;
}

static void json_regions(struct pn_json_writer *w, const struct pn_heap *h)
{
	size_t i;

	pn_json_key(w, "regions");
	pn_json_open(w, '[');
	for (i = 0; i < h->region_count; i++) {
		pn_json_open(w, '{');
		pn_json_member_int(w, "start", (int64_t)h->regions[i].start);
		pn_json_member_int(w, "end", (int64_t)h->regions[i].end);
		pn_json_member_int(w, "columns",
				   (int64_t)h->regions[i].columns);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
}

static void json_numbers(struct pn_json_writer *w, const char *key,
			 const double *values, size_t count)
{
	size_t i;

	pn_json_key(w, key);
	pn_json_open(w, '[');
	for (i = 0; i < count; i++)
		pn_json_double(w, values[i]);
	pn_json_close(w, ']');
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_json_writer *w = &out->json;
	struct mapped m;
	int code = make(&m, in, COLUMNS, err);
	size_t i;

	if (code) {
		release(&m);
		return code;
	}
	pn_json_member(w, "unit", m.heap.unit);
	pn_json_member_int(w, "column_bytes", (int64_t)m.heap.column_bytes);
	pn_json_member_int(w, "left_out", (int64_t)m.heap.left_out);
	json_regions(w, &m.heap);
	json_numbers(w, "heat", m.heap.heat, m.heap.columns);
	pn_json_key(w, "rows");
	pn_json_open(w, '[');
	for (i = 0; i < m.heap.row_count; i++) {
		const struct pn_heap_row *row = &m.heap.rows[i];

		pn_json_open(w, '{');
		pn_json_member_double(w, "snapshot", row->snapshot);
		if (!isnan(row->time))
			pn_json_member_double(w, "time", row->time);
		pn_json_member_int(w, "allocations", (int64_t)row->count);
		pn_json_member_double(w, "live", row->bytes);
		json_numbers(w, "shares", row->share, m.heap.columns);
		pn_json_close(w, '}');
		pn_sink_drain(out);
	}
	pn_json_close(w, ']');
	release(&m);
	return 0;
}

/* One row's cells, neighbours of one shade as one; `figures` is what it is. */
static void draw_cells(struct pn_plot *p, const struct pn_heap *h,
		       const double *shares, double whole, double y,
		       const char *heat)
{
	double wide = (p->right - p->left) / (double)h->columns;
	size_t i, end;

	for (i = 0; i < h->columns; i = end) {
		size_t at = (size_t)ceil(SHADES * shares[i] / whole);

		for (end = i + 1;
		     end < h->columns &&
		     (size_t)ceil(SHADES * shares[end] / whole) == at;
		     end++)
			;
		if (at)
			pn_buf_printf(p->out,
				      "<rect class=\"%s%zu\" x=\"%.1f\" "
				      "y=\"%.1f\" width=\"%.1f\" "
				      "height=\"%d\"/>",
				      heat, at < SHADES ? at : SHADES,
				      p->left + (double)i * wide, y,
				      (double)(end - i) * wide, CELL - 2);
	}
	pn_buf_add_byte(p->out, '\n');
}

static void address(struct pn_plot *p, double x, const char *anchor,
		    uint64_t value)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "0x%llx", (unsigned long long)value);
	pn_plot_text(p, x, p->bottom + 16, anchor, pn_buf_text(&text), 20);
	pn_buf_release(&text);
}

/* Where one region ends and another one begins; its first address below, and
 * where the last one ends. */
static void draw_regions(struct pn_plot *p, const struct pn_heap *h)
{
	double wide = (p->right - p->left) / (double)h->columns;
	double last = -1e9;
	size_t i;

	for (i = 0; i < h->region_count; i++) {
		double x = p->left + (double)h->regions[i].first * wide;

		pn_buf_printf(p->out,
			      "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x,
			      p->top, p->bottom);
		if (x - last > ADDRESS)
			address(p, last = x, "start", h->regions[i].start);
	}
	if (i && p->right - last > 2 * ADDRESS)
		address(p, p->right, "end", h->regions[i - 1].end);
}

static void picture(struct pn_buf *out, const struct mapped *m, bool alone)
{
	const struct pn_heap *h = &m->heap;
	struct pn_plot p = {.out = out,
			    .left = LEFT,
			    .width = PN_PLOT_WIDTH,
			    .right = PN_PLOT_WIDTH - 24};
	struct pn_plot_words words = {pn_buf_text(&m->title),
				      pn_buf_text(&m->remarks), NULL, 0, false};
	struct pn_plot_axis none = {.high = 1, .unit = "", .none = true};
	size_t i;

	p.x = p.y = none;
	p.x.name = "address";
	pn_plot_begin(&p, &words, CELL * (double)(h->row_count + 2), alone);
	pn_plot_axes(&p);
	draw_regions(&p, h);
	for (i = 0; i < h->row_count; i++) {
		struct pn_buf text = {0};
		double y = p.top + CELL * (double)i;

		pn_buf_printf(&text, "%.6g: ", h->rows[i].snapshot);
		pn_resources_value(&text, h->rows[i].bytes, h->unit);
		pn_plot_text(&p, p.left - 8, y + CELL - 3, "end",
			     pn_buf_text(&text), 18);
		draw_cells(&p, h, h->rows[i].share, 1, y, "h");
		pn_buf_release(&text);
	}
	pn_plot_text(&p, p.left - 8, p.bottom - 3, "end", "allocated often",
		     18);
	draw_cells(&p, h, h->heat, fmax(m->hottest, 1), p.bottom - CELL, "o");
	pn_plot_end(&p);
}

static int svg(struct pn_sink *out, const struct pn_view_input *in,
	       struct pn_error *err)
{
	struct mapped m;
	int code = make(&m, in, COLUMNS, err);

	if (!code)
		picture(&out->text, &m, true);
	release(&m);
	return code;
}

static void draw(struct pn_buf *out, const void *of)
{
	picture(out, of, false);
}

static int html(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table = {0};
	struct mapped m;
	int code = make(&m, in, COLUMNS, err);

	if (!code) {
		pn_table_of_heap(&table, &m.heap);
		pn_resources_page(out, pn_buf_text(&m.title),
				  pn_buf_text(&m.remarks), &table, draw, &m);
	}
	pn_table_release(&table);
	release(&m);
	return code;
}

const struct pn_view pn_view_heapmap = {
	.name = "heapmap",
	.summary = "addresses that are allocated at each snapshot",
	.needs = PN_VIEW_RESOURCES,
	.whole = true,
	.text = text,
	.json = json,
	.table = rows,
	.svg = svg,
	.html = html,
};
