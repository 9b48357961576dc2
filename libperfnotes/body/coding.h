/* How a run of a column's words is written; FORMAT.md, "A column". */
#ifndef PN_BODY_CODING_H
#define PN_BODY_CODING_H

#include "base/buf.h"

#include <stdint.h>

/* Low two bits of a run's first byte. */
enum pn_body_coding {
	CODING_SAME,   /* one number for all */
	CODING_PLANES, /* width x n bytes: all lowest ones, all second ones */
	CODING_ESCAPE  /* n bytes; 255 is completed by a number behind them */
};

/* The next two: what was done to the words before. */
enum pn_body_view {
	VIEW_PLAIN,
	VIEW_SIGNED, /* zigzag */
	VIEW_STEPS   /* the first, then zigzag differences from the last */
};

static inline unsigned int pn_body_bits(uint64_t v)
{
	return v ? 64 - (unsigned int)__builtin_clzll(v) : 0;
}

static inline uint64_t pn_body_step(uint64_t now, uint64_t before)
{
	return pn_zigzag((int64_t)(now - before));
}

#endif
