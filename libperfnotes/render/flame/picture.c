/* A flame graph as SVG 1.1: a picture that needs no script, and the script that
 * replaces it by one that can be zoomed and searched. */
#include "render/flame/picture.h"
#include "render/html/html.h"

#include "base/alloc.h"
#include "base/text/width.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

#define PAD 10
#define TOP_OF_PAGE 4 /* which has its title and tools above */
#define ROW 18
#define TEXT_DOWN 13	 /* from the top of a row to the line of its text */
#define COLUMN_PX 7.3	 /* of a character of 12 pixels, monospaced */
#define NARROWEST_PX 0.5 /* narrower frames are not drawn */
#define NAME_DRAWN 200	 /* bytes of a name in the text of a frame */
#define GONE_LISTED 10

static const double inner = PN_PICTURE_WIDTH - 2 * PAD;

/* One graph of a drawing: levels go up or down from `top`. */
struct part {
	const struct pn_flame *flame;
	bool up;
	double top;
	uint32_t rows;
};

static int side_of(const struct pn_flame_drawing *d)
{
	return d->flame->two && d->style.old_width ? PN_FLAME_OLD
						   : PN_FLAME_NEW;
}

static double pixels(const struct pn_flame *flame, int side, double value)
{
	double all = flame->frames[0].total[side];

	return all > 0 ? value / all * inner : 0;
}

/* The next frame that is wide enough from `at` on. */
static size_t next_drawn(const struct pn_flame *flame, int side, size_t at)
{
	while (at < flame->frame_count &&
	       pixels(flame, side, flame->frames[at].total[side]) <
		       NARROWEST_PX)
		at = flame->frames[at].end;
	return at;
}

static struct part part_of(const struct pn_flame *flame, int side, bool up,
			   double top)
{
	struct part part = {flame, up, top, 0};
	size_t at = 0;

	while ((at = next_drawn(flame, side, at)) < flame->frame_count) {
		if (flame->frames[at].depth >= part.rows)
			part.rows = flame->frames[at].depth + 1;
		at++;
	}
	return part;
}

static void add_number(struct pn_buf *out, double value)
{
	pn_unit_fixed(out, value, 2);
}

/* Memory for the text of one frame after the other. */
struct scratch {
	struct pn_buf whole, part;
};

static void draw_label(struct pn_buf *out, struct scratch *scratch,
		       const struct pn_flame_name *name, double x, double y,
		       double width)
{
	size_t columns = width > 6 ? (size_t)((width - 6) / COLUMN_PX) : 0;

	if (columns < 3)
		return;
	pn_buf_clear(&scratch->whole);
	pn_buf_clear(&scratch->part);
	pn_flame_name_text(&scratch->whole, name, NAME_DRAWN);
	pn_text_fit(&scratch->part, pn_buf_text(&scratch->whole),
		    scratch->whole.len, columns);
	if (!scratch->part.len)
		return;
	pn_buf_add_text(out, "<text x=\"");
	add_number(out, x);
	pn_buf_add_text(out, "\" y=\"");
	pn_buf_add_uint(out, (uint64_t)y);
	pn_buf_add_text(out, "\">");
	pn_html_text(out, pn_buf_text(&scratch->part), scratch->part.len);
	pn_buf_add_text(out, "</text>");
}

static void draw_frame(struct pn_sink *out, struct scratch *scratch,
		       const struct pn_flame_drawing *d,
		       const struct part *part, size_t at)
{
	const struct pn_flame *flame = part->flame;
	const struct pn_flame_frame *f = &flame->frames[at];
	int side = side_of(d);
	double x = PAD + pixels(flame, side, f->start[side]);
	double width = pixels(flame, side, f->total[side]);
	double y = part->top + ROW * (part->up ? part->rows - 1.0 - f->depth
					       : (double)f->depth);

	pn_buf_clear(&scratch->whole);
	pn_flame_describe(&scratch->whole, flame, f, NAME_DRAWN);
	pn_buf_add_text(&out->text, "<g><title>");
	pn_html_text(&out->text, pn_buf_text(&scratch->whole),
		     scratch->whole.len);
	pn_buf_add_text(&out->text, "</title><rect class=\"");
	pn_flame_class(&out->text, d, flame, f);
	pn_buf_add_text(&out->text, "\" x=\"");
	add_number(&out->text, x);
	pn_buf_add_text(&out->text, "\" y=\"");
	pn_buf_add_uint(&out->text, (uint64_t)y);
	pn_buf_add_text(&out->text, "\" width=\"");
	add_number(&out->text, width);
	pn_buf_add_text(&out->text, "\" height=\"");
	pn_buf_add_uint(&out->text, ROW - 1);
	pn_buf_add_text(&out->text, "\"/>");
	draw_label(&out->text, scratch, &flame->names[f->name], x + 3,
		   y + TEXT_DOWN, width);
	pn_buf_add_text(&out->text, "</g>\n");
	pn_sink_drain(out);
}

static void draw_part(struct pn_sink *out, const struct pn_flame_drawing *d,
		      const struct part *part)
{
	struct scratch scratch = {.whole = {0}};
	int side = side_of(d);
	size_t at = 0;

	while ((at = next_drawn(part->flame, side, at)) <
	       part->flame->frame_count)
		draw_frame(out, &scratch, d, part, at++);
	pn_buf_release(&scratch.whole);
	pn_buf_release(&scratch.part);
}

static void note(struct pn_buf *out, const char *class, double y,
		 const char *text, size_t len)
{
	pn_buf_printf(out, "<text class=\"%s\" x=\"%d\" y=\"%.0f\">", class,
		      PAD, y);
	pn_html_text(out, text, len);
	pn_buf_add_text(out, "</text>\n");
}

/* Lines of text below each other; returns how many there are. */
static size_t notes(struct pn_buf *out, double y, const struct pn_buf *lines)
{
	const char *at = pn_buf_text(lines), *end = at + lines->len, *stop;
	size_t n = 0;

	for (; at < end; at = stop + 1, n++) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		note(out, "note", y + 16.0 * (double)n, at,
		     (size_t)(stop - at));
	}
	return n;
}

/* The functions that only the old profile has, dearest first. */
static void list_gone(struct pn_buf *out, const struct pn_flame_drawing *d)
{
	size_t i, n = 0;

	if (!d->diff)
		return;
	for (i = 0; i < d->diff->row_count; i++) {
		const struct pn_diff_row *row = &d->diff->rows[i];
		struct pn_flame_name name = {row->name, strlen(row->name)};

		if (row->state != PN_DIFF_GONE)
			continue;
		if (n++ >= GONE_LISTED)
			continue;
		pn_buf_add_text(out, n == 1 ? "gone:\n  " : "  ");
		pn_flame_value(out, d->flame, row->old_total);
		pn_buf_add_text(out, "  ");
		pn_flame_name_text(out, &name, 120);
		pn_buf_add_byte(out, '\n');
	}
	if (n > GONE_LISTED)
		pn_buf_printf(out, "  and %zu more\n", n - GONE_LISTED);
}

static void head(struct pn_sink *out, const struct pn_flame_drawing *d,
		 double height, bool alone)
{
	struct pn_buf *text = &out->text;

	if (alone)
		pn_buf_add_text(text, "<?xml version=\"1.0\" "
				      "encoding=\"UTF-8\"?>\n");
	pn_buf_printf(text,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		      "class=\"pn-flame\" width=\"%d\" height=\"%.0f\" "
		      "viewBox=\"0 0 %d %.0f\">\n<title>",
		      PN_PICTURE_WIDTH, height, PN_PICTURE_WIDTH, height);
	pn_html_text(text, pn_buf_text(&d->title), d->title.len);
	pn_buf_add_text(text, "</title>\n");
	if (!alone)
		return;
	pn_buf_printf(text, "<style><![CDATA[\n%s]]></style>\n",
		      pn_flame_style);
	note(text, "head", 20, pn_buf_text(&d->title), d->title.len);
	notes(text, 38, &d->remarks);
}

void pn_flame_picture(struct pn_sink *out, const struct pn_flame_drawing *d,
		      bool alone)
{
	int side = side_of(d);
	bool up = d->below ? true : !d->style.icicle;
	double top = alone ? PN_PICTURE_TOP : TOP_OF_PAGE;
	struct part part = part_of(d->flame, side, up, top);
	struct part below = {NULL, false, 0, 0};
	struct pn_buf gone = {0};
	double bottom = top + (double)part.rows * ROW;
	size_t lines = 0, i;

	if (d->below) {
		/* the function itself is the first row of both */
		below = part_of(d->below, side, false, bottom - ROW);
		bottom += (double)below.rows * ROW - ROW;
	}
	list_gone(&gone, d);
	for (i = 0; i < gone.len; i++)
		lines += gone.data[i] == '\n';
	head(out, d, bottom + 24 + 16.0 * (double)lines, alone);
	pn_buf_add_text(&out->text, "<g class=\"still\">\n");
	draw_part(out, d, &part);
	if (d->below)
		draw_part(out, d, &below);
	pn_buf_printf(&out->text, "</g>\n<g class=\"gone\" data-y=\"%.0f\">\n",
		      bottom);
	notes(&out->text, bottom + 18, &gone);
	pn_buf_add_text(&out->text, "</g>\n");
	if (alone) {
		pn_buf_add_text(&out->text, "<script id=\"pn-data\" "
					    "type=\"application/json\">");
		pn_flame_data(out, d);
		pn_buf_printf(&out->text,
			      "</script>\n<script><![CDATA[\n%s]]></script>\n",
			      pn_flame_script);
	}
	pn_buf_add_text(&out->text, "</svg>\n");
	pn_buf_release(&gone);
}
