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

void pn_sparkline(struct pn_buf *out, const double *values, size_t n,
		  size_t width)
{
	double *cells, *scratch, low = INFINITY, high = -INFINITY;
	size_t i, count = n < width ? n : width;
	int level;

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
	for (i = 0; i < count; i++) {
		if (isnan(cells[i])) {
			pn_buf_add_byte(out, ' ');
			continue;
		}
		/* 7.999: the greatest value is the eighth block, not a ninth */
		level = high > low
				? (int)((cells[i] - low) / (high - low) * 7.999)
				: 3;
		pn_buf_add_text(out, "\xe2\x96");
		pn_buf_add_byte(out, (unsigned char)(0x81 + level));
	}
	free(cells);
	free(scratch);
}
