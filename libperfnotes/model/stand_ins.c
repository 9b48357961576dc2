/* Values in the place of those that a summary was made of. */
#include "model/stand_ins.h"

#include <math.h>

#define LOGISTIC_TO_SD 0.5513288954217921 /* sqrt(3) / pi */

static bool has_quartiles(const struct pn_summary *s)
{
	return isfinite(s->q1) && isfinite(s->q3);
}

bool pn_summary_tells(const struct pn_summary *s)
{
	return s->n && isfinite(s->median) && isfinite(s->min) &&
	       isfinite(s->max) &&
	       (s->n == 1 || has_quartiles(s) || isfinite(s->sd));
}

/* At 0 the least, at 1 the largest. */
static double between(const struct pn_summary *s, double place)
{
	const double at[] = {s->min, s->q1, s->median, s->q3, s->max};
	size_t i = place < 1 ? (size_t)(place * 4) : 3;

	return at[i] + (at[i + 1] - at[i]) * (place * 4 - (double)i);
}

static double logistic(const struct pn_summary *s, double place)
{
	double value =
		s->median + s->sd * LOGISTIC_TO_SD * log(place / (1 - place));

	return fmax(s->min, fmin(s->max, value));
}

size_t pn_summary_stand_ins(double *out, size_t room,
			    const struct pn_summary *s)
{
	size_t i, n = s->n < room ? (size_t)s->n : room;
	double count = (double)n;

	if (n == 1)
		out[0] = s->median;
	for (i = 0; i < n && n > 1; i++)
		out[i] = has_quartiles(s)
				 ? between(s, (double)i / (count - 1))
				 : logistic(s, ((double)i + 0.5) / count);
	return n;
}

/* Sum of the squares of what values are off their mean. */
static double squares_of(const struct pn_summary *s)
{
	return s->n > 1 ? s->sd * s->sd * (double)(s->n - 1) : 0;
}

void pn_summary_add(struct pn_summary *s, const struct pn_summary *other)
{
	double a = (double)s->n, b = (double)other->n;
	double apart = other->mean - s->mean, squares;

	squares = squares_of(s) + squares_of(other) +
		  apart * apart * (a * b / (a + b));
	s->mean += apart * (b / (a + b));
	s->sd = sqrt(squares / (a + b - 1));
	s->min = fmin(s->min, other->min);
	s->max = fmax(s->max, other->max);
	s->n = s->n > UINT64_MAX - other->n ? UINT64_MAX : s->n + other->n;
}
