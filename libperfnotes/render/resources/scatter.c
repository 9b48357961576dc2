/* The view `scatter`: resources as points, with the models fitted to them. */
#include "analysis/resources/scatter.h"

#include "base/text/width.h"
#include "render/canvas.h"
#include "render/print_table.h"
#include "render/renderer.h"
#include "render/resources/plot.h"
#include "render/resources/words.h"

#include <math.h>
#include <string.h>

#define ROWS 12	   /* lines of a plot on a terminal */
#define HEIGHT 300 /* of a plot in a picture */

struct scattered {
	struct pn_scatter scatter;
	struct pn_buf title, remarks;
};

static int make(struct scattered *s, const struct pn_view_input *in,
		struct pn_error *err)
{
	int64_t most = in->most < 0 ? 0 : in->most ? in->most : -1;
	int code;

	memset(s, 0, sizeof(*s));
	code = pn_scatter_init(&s->scatter, in->profile, in->resources, most,
			       err);
	if (code)
		return code;
	if (in->title)
		pn_buf_printf(&s->title, "%s: ", in->title);
	pn_buf_printf(&s->title, "%s by %s", s->scatter.points.of,
		      s->scatter.points.per);
	if (s->scatter.fitted)
		pn_buf_add_text(&s->remarks, "models are fitted here: the "
					     "profile has none\n");
	if (s->scatter.more)
		pn_buf_printf(&s->remarks, "the %zu of %zu with most points\n",
			      s->scatter.plot_count,
			      s->scatter.plot_count + s->scatter.more);
	if (s->scatter.points.left_out)
		pn_buf_printf(&s->remarks,
			      "without %zu that lack one of these\n",
			      s->scatter.points.left_out);
	return 0;
}

static void release(struct scattered *s)
{
	pn_scatter_release(&s->scatter);
	pn_buf_release(&s->title);
	pn_buf_release(&s->remarks);
}

static void curve_words(struct pn_buf *out, const struct pn_scatter_curve *c)
{
	pn_buf_printf(out, "%s, r\u00b2 %.3g", c->name, c->r_square);
}

static void put_dots(struct pn_canvas *c, const struct pn_scatter_plot *p)
{
	size_t i;

	if (p->curve_count) {
		const struct pn_scatter_curve *best = &p->curves[0];

		for (i = 1; i < best->count; i++)
			pn_canvas_line(c, best->x[i - 1], best->y[i - 1],
				       best->x[i], best->y[i]);
	}
	for (i = 0; i < p->points->count; i++)
		pn_canvas_mark(c, p->points->x[i], p->points->y[i]);
}

/* "uid: 30 points; linear, r² 0.98" */
static void put_head(struct pn_buf *out, const struct pn_scatter_plot *p,
		     const struct pn_palette *palette, size_t columns)
{
	struct pn_buf more = {0};
	size_t width;

	pn_buf_printf(&more, ": %zu point%s", p->points->count,
		      p->points->count == 1 ? "" : "s");
	if (p->curve_count) {
		pn_buf_add_text(&more, "; ");
		curve_words(&more, &p->curves[0]);
	}
	width = pn_text_width(pn_buf_text(&more), more.len);
	pn_buf_add_text(out, palette->head);
	pn_resources_line(out, p->points->uid,
			  columns > width + 8 ? columns - width : 8);
	pn_buf_add_text(out, palette->end);
	pn_resources_line(out, pn_buf_text(&more), columns);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&more);
}

static void put_foot(struct pn_buf *out, const struct pn_scatter *s,
		     const struct pn_scatter_plot *p,
		     const struct pn_palette *palette, size_t scale,
		     size_t width)
{
	struct pn_buf ends[2] = {{0}, {0}}, name = {0};
	size_t used, left;

	pn_resources_value(&ends[0], p->low[0], s->x_unit);
	pn_resources_value(&ends[1], p->high[0], s->x_unit);
	pn_resources_line(&name, s->points.per, 30);
	used = ends[0].len + ends[1].len +
	       pn_text_width(pn_buf_text(&name), name.len);
	left = width > used + 2 ? width - used : 2;
	pn_buf_printf(out, "%*s   %s%s%*s%s%*s%s%s\n", (int)scale, "",
		      palette->dim, pn_buf_text(&ends[0]), (int)(left / 2), "",
		      pn_buf_text(&name), (int)(left - left / 2), "",
		      pn_buf_text(&ends[1]), palette->end);
	pn_buf_release(&ends[0]);
	pn_buf_release(&ends[1]);
	pn_buf_release(&name);
}

static void put_plot(struct pn_sink *out, const struct pn_scatter *s,
		     const struct pn_scatter_plot *p, size_t columns, bool utf8)
{
	struct pn_buf low = {0}, high = {0};
	struct pn_canvas canvas;
	size_t scale;

	pn_resources_value(&low, p->low[1], s->y_unit);
	pn_resources_value(&high, p->high[1], s->y_unit);
	scale = low.len > high.len ? low.len : high.len;
	if (scale > 16)
		scale = 16;
	pn_canvas_init(&canvas, columns - scale - 3, ROWS, utf8);
	canvas.left = p->low[0];
	canvas.right = p->high[0] > p->low[0] ? p->high[0] : p->low[0] + 1;
	canvas.bottom = p->low[1];
	canvas.top = p->high[1] > p->low[1] ? p->high[1] : p->low[1] + 1;
	put_dots(&canvas, p);
	put_head(&out->text, p, &out->palette, columns);
	pn_canvas_print(&out->text, &canvas, &out->palette, scale, &high, &low);
	put_foot(&out->text, s, p, &out->palette, scale, canvas.width);
	pn_canvas_release(&canvas);
	pn_buf_release(&low);
	pn_buf_release(&high);
	pn_sink_drain(out);
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	size_t columns = pn_resources_columns(in), i;
	struct scattered s;
	int code = make(&s, in, err);

	if (!code) {
		pn_resources_line(&out->text, pn_buf_text(&s.title), columns);
		pn_buf_add_byte(&out->text, '\n');
		pn_buf_add_text(&out->text, pn_buf_text(&s.remarks));
	}
	for (i = 0; i < s.scatter.plot_count && !code; i++)
		put_plot(out, &s.scatter, &s.scatter.plots[i], columns,
			 in->utf8);
	release(&s);
	return code;
}

static int rows(struct pn_table *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct scattered s;
	int code = make(&s, in, err);

	if (!code)
		pn_table_of_scatter(out, &s.scatter, true);
	release(&s);
	return code;
}

static void json_curves(struct pn_json_writer *w, const struct pn_scatter *s)
{
	size_t i, k;

	pn_json_key(w, "curves");
	pn_json_open(w, '[');
	for (i = 0; i < s->plot_count; i++)
		for (k = 0; k < s->plots[i].curve_count; k++) {
			const struct pn_scatter_curve *c =
				&s->plots[i].curves[k];

			pn_json_open(w, '{');
			pn_json_key(w, "uid");
			pn_json_string_n(w, s->plots[i].points->uid,
					 s->plots[i].points->uid_len);
			pn_json_member(w, "model", c->name);
			pn_json_member_double(w, "r_square", c->r_square);
			pn_json_close(w, '}');
		}
	pn_json_close(w, ']');
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table = {0};
	struct scattered s;
	int code = make(&s, in, err);

	if (!code) {
		pn_json_member(&out->json, "of", s.scatter.points.of);
		pn_json_member(&out->json, "per", s.scatter.points.per);
		pn_json_member(&out->json, "unit", s.scatter.y_unit);
		pn_json_member_int(&out->json, "left_out",
				   (int64_t)s.scatter.points.left_out);
		json_curves(&out->json, &s.scatter);
		pn_json_key(&out->json, "rows");
		pn_table_of_scatter(&table, &s.scatter, false);
		pn_print_table_json(out, &table);
	}
	pn_table_release(&table);
	release(&s);
	return code;
}

static void draw_curve(struct pn_plot *p, const struct pn_scatter_curve *c,
		       size_t color)
{
	size_t i, n = 0;

	pn_buf_printf(p->out, "<path class=\"line l%zu\" d=\"", color);
	for (i = 0; i < c->count; i++) {
		/* what leaves the frame is not followed */
		if (c->y[i] < p->y.low || c->y[i] > p->y.high)
			continue;
		pn_buf_printf(p->out, "%s%.1f %.1f", n++ ? "L" : "M",
			      pn_plot_x(p, c->x[i]), pn_plot_y(p, c->y[i]));
	}
	pn_buf_add_text(p->out, "\"/>\n");
}

static void draw_points(struct pn_plot *p, const struct pn_points *points)
{
	size_t i;

	pn_buf_add_text(p->out, "<path class=\"point c0\" d=\"");
	for (i = 0; i < points->count; i++)
		pn_buf_printf(p->out, "M%.1f %.1fa3 3 0 1 0 6 0a3 3 0 1 0-6 0",
			      pn_plot_x(p, points->x[i]) - 3,
			      pn_plot_y(p, points->y[i]));
	pn_buf_add_text(p->out, "\"/>\n");
}

/* One uid: a picture of its own, below those before. */
static double draw_plot(struct pn_buf *out, const struct scattered *s,
			size_t at, double top)
{
	const struct pn_scatter *all = &s->scatter;
	const struct pn_scatter_plot *of = &all->plots[at];
	struct pn_plot p = {.out = out,
			    .left = 90,
			    .width = PN_PLOT_WIDTH,
			    .right = PN_PLOT_WIDTH - 24};
	struct pn_buf names[PN_SCATTER_CURVES] = {{0}};
	const char *legend[PN_SCATTER_CURVES + 1] = {"resources"};
	struct pn_plot_words words = {of->points->uid, "", legend,
				      of->curve_count + 1, false};
	size_t i;

	for (i = 0; i < of->curve_count; i++) {
		curve_words(&names[i], &of->curves[i]);
		legend[i + 1] = pn_buf_text(&names[i]);
	}
	p.x = (struct pn_plot_axis){of->low[0], of->high[0], all->x_unit,
				    all->points.per, false};
	p.y = (struct pn_plot_axis){of->low[1], of->high[1], all->y_unit,
				    all->points.of, false};
	pn_plot_widen(&p.x);
	pn_plot_widen(&p.y);
	pn_plot_part(&p, &words, top, HEIGHT);
	pn_plot_axes(&p);
	draw_points(&p, of->points);
	for (i = 0; i < of->curve_count; i++)
		draw_curve(&p, &of->curves[i], i + 1);
	for (i = 0; i < of->curve_count; i++)
		pn_buf_release(&names[i]);
	return p.height;
}

static void draw_all(struct pn_buf *out, const struct scattered *s, bool alone)
{
	struct pn_buf inner = {0};
	struct pn_plot p = {.out = out, .width = PN_PLOT_WIDTH};
	struct pn_plot_words words = {pn_buf_text(&s->title),
				      pn_buf_text(&s->remarks), NULL, 0, false};
	double top = pn_plot_head(&words, alone);
	size_t i;

	for (i = 0; i < s->scatter.plot_count; i++)
		top = draw_plot(&inner, s, i, top);
	p.height = top;
	pn_plot_open(&p, &words, alone);
	pn_buf_add(out, inner.data, inner.len);
	pn_plot_end(&p);
	pn_buf_release(&inner);
}

static int svg(struct pn_sink *out, const struct pn_view_input *in,
	       struct pn_error *err)
{
	struct scattered s;
	int code = make(&s, in, err);

	if (!code)
		draw_all(&out->text, &s, true);
	release(&s);
	return code;
}

static void draw(struct pn_buf *out, const void *of)
{
	draw_all(out, of, false);
}

static int html(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table = {0};
	struct scattered s;
	int code = make(&s, in, err);

	if (!code) {
		pn_table_of_scatter(&table, &s.scatter, true);
		pn_resources_page(out, pn_buf_text(&s.title),
				  pn_buf_text(&s.remarks), &table, draw, &s);
	}
	pn_table_release(&table);
	release(&s);
	return code;
}

const struct pn_view pn_view_scatter = {
	.name = "scatter",
	.summary = "resources as points, with the models fitted to them",
	.needs = PN_VIEW_RESOURCES,
	.whole = true,
	.text = text,
	.json = json,
	.table = rows,
	.svg = svg,
	.html = html,
};
