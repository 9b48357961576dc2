/* Levels of a line of commits. */
#include "detect/bisect/levels.h"

#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define ROUNDING 1e-12 /* squares that are none, of logarithms */
#define MOST 64	       /* levels that are looked for in noise */
#define IN_VAIN 2      /* numbers of levels that are too many, one by one */

void pn_level_of(struct pn_level *out, const struct pn_level_point *points,
		 size_t first, size_t end)
{
	struct pn_level_point last = points[end - 1], none = {0};
	const struct pn_level_point *skip = first ? &points[first - 1] : &none;
	double sum = last.sum - skip->sum;

	*out = (struct pn_level){first, end, .n = last.n - skip->n};
	out->mean = sum / out->n;
	out->squares = fmax(0, last.squares - skip->squares - sum * out->mean);
}

double pn_level_known_t(const struct pn_level_options *options, double shift,
			double n, double m)
{
	if (fabs(shift) < log1p(options->min_effect))
		return 0;
	return fabs(shift) / (options->sd * sqrt(1 / n + 1 / m));
}

static size_t find_known(struct pn_level *out,
			 const struct pn_level_point *points, size_t count,
			 const struct pn_level_options *o)
{
	struct pn_level next;
	size_t n = 1, i;

	pn_level_of(&out[0], points, 0, 1);
	for (i = 1; i < count; i++) {
		struct pn_level *last = &out[n - 1];

		pn_level_of(&next, points, i, i + 1);
		if (pn_level_known_t(o, next.mean - last->mean, last->n,
				     next.n) >= o->t)
			out[n++] = next;
		else
			pn_level_of(last, points, last->first, i + 1);
	}
	return n;
}

/* The least squares of the points before each one in one level more, and where
 * the last of these begins. */
static void add_level(double *next, uint32_t *begin, const double *squares,
		      const struct pn_level_point *points, size_t count)
{
	struct pn_level level;
	size_t i, end;

	for (end = 0; end <= count; end++) {
		next[end] = INFINITY;
		begin[end] = 0;
		for (i = 1; i < end; i++) {
			if (!(squares[i] < next[end]))
				continue;
			pn_level_of(&level, points, i, end);
			if (squares[i] + level.squares < next[end]) {
				next[end] = squares[i] + level.squares;
				begin[end] = (uint32_t)i;
			}
		}
	}
}

/* Welch's t of neighbours, with the noise of all levels. */
static double t_of(const struct pn_level *a, const struct pn_level *b,
		   double variance, double n, double min_effect)
{
	double shift = fabs(b->mean - a->mean);

	if (a->n < PN_LEVEL_RUNS || b->n < PN_LEVEL_RUNS)
		return 0;
	if (variance * n <= ROUNDING)
		return shift >= log1p(min_effect) ? INFINITY : 0;
	return shift / sqrt(variance * (1 / a->n + 1 / b->n));
}

static int all_differ(const struct pn_level *levels, size_t count,
		      const struct pn_level_options *o)
{
	double n = 0, squares = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		n += levels[i].n;
		squares += levels[i].squares;
	}
	if (n <= (double)count)
		return 0;
	for (i = 1; i < count; i++)
		if (!(t_of(&levels[i - 1], &levels[i],
			   squares / (n - (double)count), n,
			   o->min_effect) >= o->t))
			return 0;
	return 1;
}

static size_t find_in_noise(struct pn_level *out,
			    const struct pn_level_point *points, size_t count,
			    const struct pn_level_options *o)
{
	size_t most = count < MOST ? count : MOST, width = count + 1;
	size_t levels, found = 1, vain = 0, i, end;
	uint32_t *begin = pn_calloc(most * width, sizeof(*begin));
	double *squares = pn_calloc(2 * width, sizeof(*squares));
	double *next = squares + width, *swap, *both = squares;
	struct pn_level *tried = pn_calloc(most, sizeof(*tried));

	for (i = 1; i <= count; i++) {
		pn_level_of(&tried[0], points, 0, i);
		squares[i] = tried[0].squares;
	}
	pn_level_of(&out[0], points, 0, count);
	for (levels = 2; levels <= most && vain < IN_VAIN; levels++) {
		add_level(next, begin + (levels - 1) * width, squares, points,
			  count);
		swap = squares;
		squares = next;
		next = swap;
		for (i = levels, end = count; i--;) {
			size_t from = begin[i * width + end];

			pn_level_of(&tried[i], points, from, end);
			end = from;
		}
		vain++;
		if (!all_differ(tried, levels, o))
			continue;
		for (i = 0; i < levels; i++)
			out[i] = tried[i];
		found = levels;
		vain = 0;
	}
	free(tried);
	free(begin);
	free(both);
	return found;
}

size_t pn_levels_find(struct pn_level **out,
		      const struct pn_level_point *points, size_t count,
		      const struct pn_level_options *options)
{
	*out = pn_calloc(count + 1, sizeof(**out));
	if (options->sd > 0)
		return find_known(*out, points, count, options);
	return find_in_noise(*out, points, count, options);
}
