/* The course of functions as text. */
#include "base/alloc.h"
#include "render/functions/course.h"
#include "render/functions/words.h"
#include "render/log/sparkline.h"
#include "render/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 80
#define SPARKS 50
#define NAME 46

struct printing {
	struct pn_buf *out;
	const struct pn_blame *blame;
	const struct pn_palette *palette;
	const struct pn_blame_row *row;
	size_t less; /* columns than 80 */
};

static const struct pn_function_commit *commit_of(const struct printing *p,
						  size_t number)
{
	return &p->blame->commits[number];
}

static void add_commit(struct printing *p, size_t number)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &commit_of(p, number)->id);
	pn_buf_printf(p->out, "%s%.10s%s", p->palette->commit, hex,
		      p->palette->end);
}

static void add_names(struct printing *p)
{
	const struct pn_function_row *f = p->row->function;
	size_t i;

	for (i = 0; i < f->earlier_count; i++) {
		size_t newer = f->earlier[i].point - 1;

		pn_buf_printf(p->out, "  %s", p->palette->dim);
		pn_functions_add_name(p->out, f->earlier[i].name,
				      NAME - p->less);
		if (!strcmp(pn_function_name_at(f, newer), f->earlier[i].name))
			pn_buf_add_text(p->out, " in another file");
		pn_buf_printf(p->out, " before%s ", p->palette->end);
		add_commit(p, p->row->series->points[newer].commit);
		pn_buf_add_byte(p->out, '\n');
	}
}

static void add_course(struct printing *p)
{
	const struct pn_function_history *h = p->row->series;
	const struct pn_function_row *f = p->row->function;
	double *values = pn_calloc(h->point_count + 1, sizeof(*values));
	double low = INFINITY, high = -INFINITY;
	size_t i;

	for (i = 0; i < h->point_count; i++) {
		double value =
			pn_function_size(h, &f->values[h->point_count - 1 - i]);

		values[i] = value;
		low = fmin(low, value);
		high = fmax(high, value);
	}
	pn_buf_add_text(p->out, "  ");
	pn_sparkline(p->out, values, h->point_count, SPARKS - p->less);
	pn_buf_add_text(p->out, "  ");
	pn_quantity_text(p->out, low, NAN, h->unit);
	if (low != high) {
		pn_buf_add_text(p->out, " .. ");
		pn_quantity_text(p->out, high, NAN, h->unit);
	}
	pn_buf_add_byte(p->out, '\n');
	free(values);
}

static const struct pn_function_change *change_at(const struct printing *p,
						  size_t point)
{
	const struct pn_function_changes *c = &p->row->changes;
	size_t i;

	for (i = 0; i < c->count; i++)
		if (c->items[i].point == point)
			return &c->items[i];
	return NULL;
}

/* The commits one of which it was, where they are several. */
static void add_range(struct printing *p, const struct pn_function_change *c)
{
	if (pn_functions_span(c) == 1)
		return;
	pn_buf_printf(p->out, "    %sby one of %zu commits,%s ",
		      p->palette->dim, pn_functions_span(c), p->palette->end);
	add_commit(p, c->to);
	pn_buf_add_text(p->out, " to ");
	add_commit(p, c->from);
	pn_buf_add_byte(p->out, '\n');
}

static void add_point(struct printing *p, size_t point, bool brief)
{
	const struct pn_function_history *h = p->row->series;
	const struct pn_function_row *f = p->row->function;
	const struct pn_function_change *change = change_at(p, point);
	const struct pn_function_commit *c =
		commit_of(p, h->points[point].commit);

	if (brief && !change)
		return;
	pn_buf_add_text(p->out, "  ");
	add_commit(p, h->points[point].commit);
	pn_functions_add_figure(p->out, f->values[point].self, h->unit, 11);
	pn_functions_add_share(p->out, pn_function_share(h, f, point, false),
			       7);
	pn_functions_add_figure(p->out, f->values[point].total, h->unit, 11);
	if (change)
		pn_functions_add_change(p->out, h, change, p->palette, 9);
	else
		pn_buf_printf(p->out, "%9s", "");
	pn_buf_add_text(p->out, "  ");
	pn_functions_add_name(p->out, c->subject, WIDTH - 61 + 9 - p->less);
	pn_buf_add_byte(p->out, '\n');
	if (change)
		add_range(p, change);
}

static void add_function(struct printing *p, bool brief)
{
	const struct pn_function_history *h = p->row->series;
	const struct pn_function_row *f = p->row->function;
	size_t i;

	pn_functions_add_name(p->out, f->name, NAME - p->less / 2);
	if (*f->file) {
		pn_buf_printf(p->out, "  %s", p->palette->dim);
		pn_functions_add_path(p->out, f->file,
				      WIDTH - NAME - 2 - p->less / 2);
		pn_buf_add_text(p->out, p->palette->end);
	}
	pn_buf_add_byte(p->out, '\n');
	add_names(p);
	add_course(p);
	if (p->row->changes.doubt != PN_FUNCTION_SURE) {
		pn_buf_add_text(p->out, "  ");
		pn_functions_add_doubt(p->out, p->row);
		pn_buf_add_byte(p->out, '\n');
	}
	if (!brief || p->row->changes.count)
		pn_buf_printf(p->out, "  %s%-10s%11s%7s%11s%9s%s\n",
			      p->palette->dim, "commit", "self", "", "total",
			      "change", p->palette->end);
	for (i = 0; i < h->point_count; i++)
		add_point(p, i, brief);
	pn_buf_add_byte(p->out, '\n');
}

void pn_function_course_text(struct pn_buf *out, const struct pn_blame *blame,
			     const struct pn_palette *palette, bool brief,
			     size_t columns)
{
	size_t less = pn_functions_less(columns);
	struct printing p = {out, blame, palette, NULL, less};
	size_t i;

	for (i = 0; i < blame->count; i++) {
		const struct pn_function_history *h = blame->rows[i].series;

		p.row = &blame->rows[i];
		if (!i || blame->rows[i - 1].series != h)
			pn_functions_add_head(out, blame, h, palette, less);
		add_function(&p, brief);
		if (i + 1 < blame->count && blame->rows[i + 1].series == h)
			continue;
		if (h->left_out)
			pn_buf_printf(out, "%zu more functions match\n\n",
				      h->left_out);
	}
}
