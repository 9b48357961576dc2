/* A change for the worse that was mended three commits later. */
#include "detect/history/excursion.h"

#include "base/alloc.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 3	/* of four and more the models are sure */
#define MEDIAN_WIDTH 11 /* of the level that they are off */
#define FAR_OFF 4.0	/* deviations of the noise */
#define ALIKE 5.0	/* deviations from the least to the most of them */
#define NEAR 3.0	/* deviations of those beside, so many: */
#define BESIDE 3
#define AS_FAR 0.6 /* of their size: another commit that is off */
#define LEAST_VALUES 40

struct excursion {
	size_t at;
	double size; /* in cells, with its sign */
};

static bool is_run(double *size, const double *r, size_t at, double sd)
{
	double least = r[at], most = r[at];
	size_t i;

	for (i = at; i < at + LENGTH; i++) {
		least = fmin(least, r[i]);
		most = fmax(most, r[i]);
	}
	if (!(most - least < ALIKE * sd) ||
	    !(least > FAR_OFF * sd || most < -FAR_OFF * sd))
		return false;
	for (i = 1; i <= BESIDE; i++)
		if (fabs(r[at - i]) > NEAR * sd ||
		    fabs(r[at + LENGTH - 1 + i]) > NEAR * sd)
			return false;
	*size = pn_stats_median(r + at, LENGTH);
	return true;
}

/* Whether nothing else is as far off, on either side. */
static bool is_alone(const double *r, size_t n, const struct excursion *e)
{
	size_t i;

	for (i = 0; i < n; i++)
		if ((i < e->at || i >= e->at + LENGTH) &&
		    fabs(r[i]) > AS_FAR * fabs(e->size))
			return false;
	return true;
}

/* Whether three are off their neighbours, so that more is worth to be known. */
static bool stands_out(const double *at, double sd)
{
	const double *left = at - BESIDE, *right = at + LENGTH;
	double sum = 0, least = 2 * BESIDE * NEAR * sd, off;
	size_t i;

	for (i = 0; i < BESIDE; i++)
		sum += left[i] + right[i];
	off = 2 * BESIDE * at[0] - sum;
	if (fabs(off) <= least)
		return false;
	for (i = 1; i < LENGTH; i++)
		if ((2 * BESIDE * at[i] - sum) * (off > 0 ? 1 : -1) <= least)
			return false;
	return true;
}

static bool find(struct excursion *out, const struct pn_grid *g)
{
	size_t first = BESIDE, i;
	bool found = false;
	double *r, sd;

	while (first + LENGTH + BESIDE <= g->n &&
	       !stands_out(g->at + first, g->sd))
		first++;
	if (first + LENGTH + BESIDE > g->n)
		return false;
	r = pn_realloc_array(NULL, g->n, sizeof(*r));
	pn_grid_running_medians(r, g->at, g->n, MEDIAN_WIDTH);
	for (i = 0; i < g->n; i++)
		r[i] = g->at[i] - r[i];
	sd = fmax(g->sd, PN_STATS_MAD_TO_SD * pn_stats_mad(r, g->n, 0));
	for (i = first; !found && i + LENGTH + BESIDE <= g->n; i++) {
		out->at = i;
		found = stands_out(g->at + i, g->sd) &&
			is_run(&out->size, r, i, sd) && is_alone(r, g->n, out);
	}
	free(r);
	return found;
}

/* Takes out what is reported of it: a single end may be, which is no change.
 * Returns where its ends belong. */
static size_t take_out(struct pn_found_change *c, size_t *count, size_t at)
{
	size_t before = 0, behind;

	if (!*count)
		return 0;
	while (before < *count && c[before].at + PN_MODELS_BESIDE < at)
		before++;
	behind = before;
	while (behind < *count &&
	       c[behind].at <= at + LENGTH + PN_MODELS_BESIDE)
		behind++;
	memmove(c + before, c + behind, (*count - behind) * sizeof(*c));
	*count -= behind - before;
	return before;
}

/* Whether both are reported already. */
static bool is_found(const struct pn_found_change *c, size_t count, size_t at)
{
	size_t i;

	for (i = 0; i + 1 < count; i++)
		if (c[i].at == at && c[i + 1].at == at + LENGTH)
			return true;
	return false;
}

void pn_excursion_add(struct pn_found_change **changes, size_t *count,
		      const struct pn_grid *grid, double *levels)
{
	struct pn_found_change *c;
	struct excursion e;
	double level;
	size_t i, k;

	if (grid->n < LEAST_VALUES || !find(&e, grid) ||
	    is_found(*changes, *count, e.at))
		return;
	k = take_out(*changes, count, e.at);
	c = pn_realloc_array(*changes, *count + 2, sizeof(*c));
	memmove(c + k + 2, c + k, (*count - k) * sizeof(*c));
	c[k] = (struct pn_found_change){e.at, PN_EXCURSION_MASS};
	c[k + 1] = (struct pn_found_change){e.at + LENGTH, PN_EXCURSION_MASS};
	*count += 2;
	*changes = c;
	level = pn_stats_median(grid->at + e.at, LENGTH);
	for (i = 0; i < LENGTH; i++)
		levels[e.at + i] = level;
}
