/* Values that stand for those of a summary, and summaries of two samples
 * together. Pure. */
#ifndef PN_MODEL_STAND_INS_H
#define PN_MODEL_STAND_INS_H

#include "model/summary.h"

/* Whether it says enough of its values for others to stand for them. */
bool pn_summary_tells(const struct pn_summary *s);
/*
 * Values in ascending order that stand for those of a summary that tells, as
 * many as those are, but at most `room`: on straight lines between its five
 * numbers, which they have, too; where it has no quartiles, of a logistic
 * density with its standard deviation. Returns their number.
 */
size_t pn_summary_stand_ins(double *out, size_t room,
			    const struct pn_summary *s);
/*
 * Add another sample: size, extremes, mean and sd are those of both together.
 * The quartiles are left as they are: two summaries do not tell them.
 */
void pn_summary_add(struct pn_summary *s, const struct pn_summary *other);

#endif
