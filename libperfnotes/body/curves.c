/* Curves as columns, and back: row by row, as they stand. */
#include "base/alloc.h"
#include "body/build.h"
#include "body/gather.h"
#include "body/values.h"

#include <stdlib.h>

/* The numbers of one curve, whole where their decimals allow it. */
static void put_numbers(struct pn_body_gather *g, unsigned int scales,
			size_t curve, unsigned int column, size_t first,
			const union pn_value *values, size_t count)
{
	struct pn_body_draft *d = &g->d;
	int64_t *numbers = pn_arena_array(&d->scratch, count, sizeof(*numbers));
	uint64_t base = d->base ? pn_body_at(d->base, scales, curve) : 0;
	size_t i;

	d->columns[scales][curve] =
		pn_body_values_scale(numbers, values, count, 1, base);
	for (i = 0; i < count; i++)
		d->columns[column][first + i] = (uint64_t)numbers[i];
}

static void gather_curve(struct pn_body_gather *g, size_t at)
{
	const struct pn_curves *curves = &g->p->curves;
	const struct pn_curve *curve = &curves->items[at];
	const struct pn_point *points =
		curve->count ? curves->points + curve->first : NULL;
	union pn_value *values =
		pn_arena_array(&g->d.scratch, curve->count, sizeof(*values));
	uint64_t **c = g->d.columns;
	size_t i;

	c[PN_BODY_CURVE_NAME][at] = pn_body_gather_string(g, curve->name);
	c[PN_BODY_CURVE_UNIT][at] = pn_body_gather_string(g, curve->unit);
	c[PN_BODY_CURVE_ALONG][at] = pn_body_gather_string(g, curve->along);
	c[PN_BODY_CURVE_POINTS][at] = curve->count;
	for (i = 0; i < curve->count; i++)
		values[i].d = points[i].position;
	put_numbers(g, PN_BODY_CURVE_POSITION_SCALE, at, PN_BODY_POINT_POSITION,
		    curve->first, values, curve->count);
	for (i = 0; i < curve->count; i++) {
		values[i].d = points[i].value;
		c[PN_BODY_POINT_PARTS][curve->first + i] = points[i].count;
	}
	put_numbers(g, PN_BODY_CURVE_VALUE_SCALE, at, PN_BODY_POINT_VALUE,
		    curve->first, values, curve->count);
}

/* Parts have one scale for all: they are of one curve mostly. */
static void gather_parts(struct pn_body_gather *g)
{
	const struct pn_curves *curves = &g->p->curves;
	size_t i, n = curves->part_count;
	union pn_value *values =
		pn_arena_array(&g->d.scratch, n, sizeof(*values));
	int64_t *numbers = pn_arena_array(&g->d.scratch, n, sizeof(*numbers));
	uint64_t scale, base = 0;

	if (g->d.base)
		base = pn_body_at(g->d.base, PN_BODY_PART_SCALE, 0);
	for (i = 0; i < n; i++)
		values[i].d = curves->parts[i].value;
	scale = pn_body_values_scale(numbers, values, n, 1, base);
	if (n && scale)
		pn_body_draft_push(&g->d, PN_BODY_PART_SCALE, scale);
	for (i = 0; i < n; i++) {
		g->d.columns[PN_BODY_PART_STACK][i] =
			g->stacks[curves->parts[i].stack];
		g->d.columns[PN_BODY_PART_VALUE][i] = (uint64_t)numbers[i];
	}
}

void pn_body_gather_curves(struct pn_body_gather *g)
{
	const struct pn_curves *curves = &g->p->curves;
	size_t i;

	pn_body_draft_resize(&g->d, PN_BODY_CURVES, curves->count);
	pn_body_draft_resize(&g->d, PN_BODY_POINTS, curves->point_count);
	pn_body_draft_resize(&g->d, PN_BODY_PARTS, curves->part_count);
	for (i = 0; i < curves->count; i++)
		gather_curve(g, i);
	gather_parts(g);
}

static void build_points(struct pn_body_build *b, size_t curve)
{
	struct pn_curves *c = &b->p->curves;
	uint64_t positions =
		pn_body_at(b->s, PN_BODY_CURVE_POSITION_SCALE, curve);
	uint64_t values = pn_body_at(b->s, PN_BODY_CURVE_VALUE_SCALE, curve);
	size_t i, end = c->items[curve].first + c->items[curve].count;

	for (i = c->items[curve].first; i < end; i++) {
		c->points[i].position = pn_body_values_double(
			pn_body_at(b->s, PN_BODY_POINT_POSITION, i), positions);
		c->points[i].value = pn_body_values_double(
			pn_body_at(b->s, PN_BODY_POINT_VALUE, i), values);
		c->points[i].first = c->part_count;
		c->points[i].count =
			(size_t)pn_body_at(b->s, PN_BODY_POINT_PARTS, i);
		c->part_count += c->points[i].count;
	}
}

void pn_body_build_curves(struct pn_body_build *b)
{
	struct pn_curves *c = &b->p->curves;
	size_t n = pn_body_rows(b->s, PN_BODY_CURVES), i;
	uint64_t scale = pn_body_at(b->s, PN_BODY_PART_SCALE, 0), stack;

	c->items = pn_grow(NULL, &c->cap, n, sizeof(*c->items));
	c->points =
		pn_grow(NULL, &c->point_cap, pn_body_rows(b->s, PN_BODY_POINTS),
			sizeof(*c->points));
	for (; c->count < n; c->count++) {
		struct pn_curve *curve = &c->items[c->count];

		i = c->count;
		curve->name = pn_body_build_string(b, PN_BODY_CURVE_NAME, i);
		curve->unit = pn_body_build_string(b, PN_BODY_CURVE_UNIT, i);
		curve->along = pn_body_build_string(b, PN_BODY_CURVE_ALONG, i);
		curve->first = c->point_count;
		curve->count =
			(size_t)pn_body_at(b->s, PN_BODY_CURVE_POINTS, i);
		c->point_count += curve->count;
		build_points(b, i);
	}
	c->parts =
		pn_grow(NULL, &c->part_cap, c->part_count, sizeof(*c->parts));
	for (i = 0; i < c->part_count; i++) {
		stack = pn_body_at(b->s, PN_BODY_PART_STACK, i);
		c->parts[i].stack = pn_body_build_stack(b, stack);
		c->parts[i].value = pn_body_values_double(
			pn_body_at(b->s, PN_BODY_PART_VALUE, i), scale);
	}
}
