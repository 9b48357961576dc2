/* heaptrack: curves of a bounded number of points. */
#include "codec/heaptrack/heaptrack.h"

static void halve(struct pn_heaptrack_curve *c)
{
	size_t i;

	for (i = 0; i < c->count / 2; i++) {
		c->ms[i] = c->ms[i * 2 + 1];
		c->values[i] = c->values[i * 2] > c->values[i * 2 + 1]
				       ? c->values[i * 2]
				       : c->values[i * 2 + 1];
	}
	c->count = i;
	c->step *= 2;
}

void pn_heaptrack_curve_add(struct pn_heaptrack_curve *c, int64_t ms,
			    int64_t value)
{
	if (!c->step)
		c->step = c->taken = 1;
	if (c->count && c->taken < c->step) {
		/* the last point is not whole yet */
		c->taken++;
		c->ms[c->count - 1] = ms;
		if (value > c->values[c->count - 1])
			c->values[c->count - 1] = value;
		return;
	}
	if (c->count == PN_HEAPTRACK_POINTS)
		halve(c);
	c->ms[c->count] = ms;
	c->values[c->count++] = value;
	c->taken = 1;
}
