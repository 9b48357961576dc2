/* A row of numbers as one line of blocks. */
#ifndef PN_LOG_SPARKLINE_H
#define PN_LOG_SPARKLINE_H

#include "base/buf.h"

#include <stddef.h>

/*
 * Values as blocks of eight heights (U+2581..U+2588) between the least and
 * the greatest (all equal: the middle one), at most `width` of them: of more
 * values each block shows the median of its share. Not a number: a blank.
 */
void pn_sparkline(struct pn_buf *out, const double *values, size_t n,
		  size_t width);

#endif
