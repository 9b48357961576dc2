/* Whether a session is unusual as a whole. */
#include "base/alloc.h"
#include "detect/latest/latest.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_METRICS 10
#define LEAST_COMMITS 11 /* with the one that is judged */
#define LEAST_NOISE 0.1	 /* so that a very quiet past does not count for all */

/* Median of what the metrics of one commit say. */
static double median_shift(double *scratch, const double *row,
			   const double *sds, size_t metrics)
{
	size_t i, count = 0;

	for (i = 0; i < metrics; i++)
		if (!isnan(row[i]))
			scratch[count++] = row[i] / sds[i];
	return count ? pn_stats_median(scratch, count) : (double)NAN;
}

double pn_session_shift(const double *deviations, size_t commits,
			const double *sds, size_t metrics)
{
	double *scratch, *shifts, last, centre, noise;
	size_t i, count = 0;

	if (metrics < LEAST_METRICS || commits < LEAST_COMMITS)
		return 0;
	scratch = pn_realloc_array(NULL, metrics, sizeof(*scratch));
	shifts = pn_realloc_array(NULL, commits, sizeof(*shifts));
	for (i = 0; i + 1 < commits; i++) {
		shifts[count] = median_shift(scratch, deviations + i * metrics,
					     sds, metrics);
		count += !isnan(shifts[count]);
	}
	last = median_shift(scratch, deviations + i * metrics, sds, metrics);
	if (count + 1 >= LEAST_COMMITS && !isnan(last)) {
		centre = pn_stats_median(shifts, count);
		noise = PN_STATS_MAD_TO_SD *
			pn_stats_mad(shifts, count, centre);
		last = (last - centre) / (noise + LEAST_NOISE);
	} else {
		last = 0;
	}
	free(shifts);
	free(scratch);
	return last;
}
