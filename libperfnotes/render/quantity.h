/*
 * Measured values as people read them: as many digits as are known, thousands
 * grouped or scaled, in a unit that suits. Text is escaped for a terminal.
 */
#ifndef PN_RENDER_QUANTITY_H
#define PN_RENDER_QUANTITY_H

#include "base/buf.h"

#define PN_QUANTITY_DIGITS 4	 /* of a value whose spread is not known */
#define PN_QUANTITY_DIGITS_MAX 6 /* however small the spread is */

/*
 * "81.3 ms", "194.1 M", "12,345": `value` down to the second digit of `spread`
 * (how far a value lies from it as a rule; NaN where that is not known), but to
 * no more than PN_QUANTITY_DIGITS_MAX digits. Without a spread, or where all
 * values were equal, PN_QUANTITY_DIGITS digits, and all of a whole number below
 * a million. Units are those of pn_unit_scale; a count has none, and from a
 * million on M, G, T, P, E.
 */
void pn_quantity_text(struct pn_buf *out, double value, double spread,
		      const char *unit);
/* "81.3 ms ± 2.1": the spread behind it, in the same unit and to the same
 * digit, unless it would be 0 there. */
void pn_quantity_spread_text(struct pn_buf *out, double value, double spread,
			     const char *unit);

/* "+2.3%", "-0.04%", "x12": from `old` to `now`; "=" when they are equal, ""
 * when there is no ratio, as of what was 0 or less, or is less than 0. */
void pn_change_text(struct pn_buf *out, double old, double now);

#endif
