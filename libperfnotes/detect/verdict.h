/* What a comparison says: the names are Perun's. */
#ifndef PN_DETECT_VERDICT_H
#define PN_DETECT_VERDICT_H

#include <stdbool.h>

/* Whether a relative effect, up or down, is as large as what counts. From 3 to
 * 3.3 it is a tenth, though it is not of doubles. */
bool pn_verdict_counts(double effect, double least);

/* Worst first. */
enum pn_verdict {
	PN_VERDICT_NOT_IN_BASELINE,
	PN_VERDICT_TOTAL_DEGRADATION, /* of the whole run */
	PN_VERDICT_SEVERE_DEGRADATION,
	PN_VERDICT_DEGRADATION,
	PN_VERDICT_MAYBE_DEGRADATION,
	PN_VERDICT_NO_CHANGE,
	PN_VERDICT_MAYBE_OPTIMIZATION,
	PN_VERDICT_OPTIMIZATION,
	PN_VERDICT_SEVERE_OPTIMIZATION,
	PN_VERDICT_TOTAL_OPTIMIZATION,
	PN_VERDICT_NOT_IN_TARGET,
	PN_VERDICT_UNKNOWN /* too few values to say */
};

/* "NotInBaseline", "TotalDegradation", ... */
const char *pn_verdict_name(enum pn_verdict verdict);

/* What may be of what is confirmed; others stay. */
enum pn_verdict pn_verdict_less_sure(enum pn_verdict verdict);

#endif
