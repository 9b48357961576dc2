/* A row of numbers as one line of blocks. */
#ifndef PN_LOG_SPARKLINE_H
#define PN_LOG_SPARKLINE_H

#include "base/buf.h"

#include <stddef.h>

#define PN_SPARKLINE_RANGE 0.1 /* at least, of the middle */

/*
 * Values as blocks of eight heights (U+2581..U+2588) between the least and
 * the greatest, at most `width` of them: of more values each block shows the
 * median of its share. Not a number: a blank. The heights span at least
 * PN_SPARKLINE_RANGE of the middle value, so that what hardly moved looks so:
 * a difference of .2 % is in one height.
 */
void pn_sparkline(struct pn_buf *out, const double *values, size_t n,
		  size_t width);

#endif
