/*
 * Units of values and how values and shares are written, as pprof does it
 * (github.com/google/pprof, internal/measurement): families of bytes (1024),
 * time and GCU; anything else stays as it is.
 */
#ifndef PN_MODEL_UNIT_H
#define PN_MODEL_UNIT_H

#include "base/buf.h"

#include <stdbool.h>

/* Targets that are no unit: the largest unit in which the value is 1 or more.
 * A report replaces the first by one unit for all of its values. */
#define PN_UNIT_MINIMUM "minimum"
#define PN_UNIT_AUTO "auto"

/*
 * The value in another unit. *to_unit becomes the name of the unit it is in,
 * "" for one that is not printed (count, sample, unit). `to` may be
 * PN_UNIT_MINIMUM or PN_UNIT_AUTO; outside of the family of `from` it is the
 * family's default (B, s, GCU), without a family the value stays.
 */
double pn_unit_scale(const char **to_unit, double value, const char *from,
		     const char *to);
/* Whether the two are units of one family, or the same text. */
bool pn_unit_comparable(const char *a, const char *b);

/* Whether values in one unit are never in the other one; then a sentence that
 * says which units there are for them, and which one may be meant. */
bool pn_unit_unfit(struct pn_buf *why, const char *from, const char *to);

/* The unit that stands for all those that it is comparable with: "ns", "B",
 * else the unit itself. */
const char *pn_unit_base(const char *unit);

/* "2.29s", "12.50MB", "90", "0": two decimals unless both are 0. */
void pn_unit_label(struct pn_buf *out, double value, const char *from,
		   const char *to);

/* The share value / total in percent, sign lost, in six columns or more:
 * "  100%", "12.34%", "0.012%"; 0 of 0 is "    0%". */
void pn_unit_percentage(struct pn_buf *out, double value, double total);

/* As printf's "%.1f", "%.2f" and "%.3f" in the C locale: exact, ties to
 * even; as Python's repr where that would not fit 64 bits. */
void pn_unit_fixed(struct pn_buf *out, double value, unsigned int decimals);

#endif
