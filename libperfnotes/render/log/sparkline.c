/* Sparklines (E. Tufte, Beautiful Evidence, 2006). */
#include "render/log/sparkline.h"

#include "base/alloc.h"
#include "model/summary.h"

#include <math.h>
#include <stdlib.h>

/* Median of the values that are numbers; NaN when none is. */
static double median_of(const double *values, size_t n, double *scratch)
{
	size_t i, have = 0;

	for (i = 0; i < n; i++)
		if (isfinite(values[i]))
			scratch[have++] = values[i];
	if (!have)
		return NAN;
	pn_summary_sort(scratch, have);
	return pn_summary_quantile(scratch, have, 0.5);
}

#define LEVELS 8
#define MIDDLE 3.5 /* of the fourth height: it ends half a height away */

/* Where the heights begin, and how much each of them is. */
struct scale {
	double low, step;
};

static struct scale scale_of(double low, double high)
{
	double middle = low / 2 + high / 2;
	double least = fabs(middle) * PN_SPARKLINE_RANGE;

	if (high - low >= least && high > low)
		return (struct scale){low, (high - low) / LEVELS};
	return (struct scale){middle - least / LEVELS * MIDDLE, least / LEVELS};
}

static int level_of(const struct scale *scale, double value)
{
	double level =
		scale->step > 0 ? (value - scale->low) / scale->step : MIDDLE;

	/* the greatest value is of the eighth height, not of a ninth */
	return level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : (int)level;
}

void pn_sparkline(struct pn_buf *out, const double *values, size_t n,
		  size_t width)
{
	double *cells, *scratch, low = INFINITY, high = -INFINITY;
	size_t i, count = n < width ? n : width;
	struct scale scale;

	cells = pn_malloc(count * sizeof(*cells));
	scratch = pn_malloc(n * sizeof(*scratch));
	for (i = 0; i < count; i++) {
		size_t from = i * n / count, to = (i + 1) * n / count;

		cells[i] = median_of(values + from, to - from, scratch);
		if (cells[i] < low)
			low = cells[i];
		if (cells[i] > high)
			high = cells[i];
	}
	scale = scale_of(low, high);
	for (i = 0; i < count; i++) {
		if (isnan(cells[i])) {
			pn_buf_add_byte(out, ' ');
			continue;
		}
		pn_buf_add_text(out, "\xe2\x96");
		pn_buf_add_byte(
			out,
			(unsigned char)(0x81 + level_of(&scale, cells[i])));
	}
	free(cells);
	free(scratch);
}
