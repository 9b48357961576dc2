/* Curves grow at their end, and lose parts from the middle. */
#include "model/timeline/curves.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void pn_curves_add(struct pn_profile *p, uint32_t name, uint32_t unit,
		   uint32_t along)
{
	struct pn_curves *c = &p->curves;
	struct pn_curve *curve;

	c->items = pn_grow(c->items, &c->cap, c->count + 1, sizeof(*c->items));
	curve = &c->items[c->count++];
	curve->name = name;
	curve->unit = unit;
	curve->along = along;
	curve->first = c->point_count;
	curve->count = 0;
}

void pn_curves_add_point(struct pn_profile *p, double position, double value)
{
	struct pn_curves *c = &p->curves;
	struct pn_point *point;

	c->points = pn_grow(c->points, &c->point_cap, c->point_count + 1,
			    sizeof(*c->points));
	point = &c->points[c->point_count++];
	point->position = position;
	point->value = value;
	point->first = c->part_count;
	point->count = 0;
	c->items[c->count - 1].count++;
}

void pn_curves_add_part(struct pn_profile *p, uint32_t stack, double value)
{
	struct pn_curves *c = &p->curves;

	c->parts = pn_grow(c->parts, &c->part_cap, c->part_count + 1,
			   sizeof(*c->parts));
	c->parts[c->part_count].stack = stack;
	c->parts[c->part_count++].value = value;
	c->points[c->point_count - 1].count++;
}

void pn_curves_keep_parts(struct pn_profile *p, const unsigned char *stays)
{
	struct pn_curves *c = &p->curves;
	size_t i, at, end, to = 0;

	for (i = 0; i < c->point_count; i++) {
		struct pn_point *point = &c->points[i];

		at = point->first;
		end = at + point->count;
		point->first = to;
		for (; at < end; at++)
			if (stays && stays[c->parts[at].stack])
				c->parts[to++] = c->parts[at];
		point->count = to - point->first;
	}
	c->part_count = to;
}

void pn_curves_clear(struct pn_profile *p)
{
	free(p->curves.items);
	free(p->curves.points);
	free(p->curves.parts);
	memset(&p->curves, 0, sizeof(p->curves));
}

static int bad(struct pn_error *err, const char *what, size_t at)
{
	return pn_error_set(err, PN_EINVAL, "%s %zu has a bad range or name",
			    what, at);
}

int pn_curves_check(const struct pn_profile *p, struct pn_error *err)
{
	const struct pn_curves *c = &p->curves;
	size_t strings = p->strings.count ? p->strings.count : 1, i, at = 0;

	for (i = 0; i < c->count; at += c->items[i++].count)
		if (c->items[i].name >= strings ||
		    c->items[i].unit >= strings ||
		    c->items[i].along >= strings || c->items[i].first != at ||
		    c->items[i].count > c->point_count - at)
			return bad(err, "curve", i);
	if (at != c->point_count)
		return bad(err, "curve", c->count);
	for (i = at = 0; i < c->point_count; at += c->points[i++].count)
		if (c->points[i].first != at ||
		    c->points[i].count > c->part_count - at)
			return bad(err, "point", i);
	if (at != c->part_count)
		return bad(err, "point", c->point_count);
	for (i = 0; i < c->part_count; i++)
		if (c->parts[i].stack >= p->stack_count)
			return bad(err, "part", i);
	return 0;
}
