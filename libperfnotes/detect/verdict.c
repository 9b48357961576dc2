/* What a comparison says. */
#include "detect/verdict.h"

#include <math.h>

#define ROUNDING 1e-9 /* of a share of two doubles */

bool pn_verdict_counts(double effect, double least)
{
	return fabs(effect) >= least * (1 - ROUNDING);
}

const char *pn_verdict_name(enum pn_verdict verdict)
{
	static const char *const names[] = {
		[PN_VERDICT_NOT_IN_BASELINE] = "NotInBaseline",
		[PN_VERDICT_TOTAL_DEGRADATION] = "TotalDegradation",
		[PN_VERDICT_SEVERE_DEGRADATION] = "SevereDegradation",
		[PN_VERDICT_DEGRADATION] = "Degradation",
		[PN_VERDICT_MAYBE_DEGRADATION] = "MaybeDegradation",
		[PN_VERDICT_NO_CHANGE] = "NoChange",
		[PN_VERDICT_MAYBE_OPTIMIZATION] = "MaybeOptimization",
		[PN_VERDICT_OPTIMIZATION] = "Optimization",
		[PN_VERDICT_SEVERE_OPTIMIZATION] = "SevereOptimization",
		[PN_VERDICT_TOTAL_OPTIMIZATION] = "TotalOptimization",
		[PN_VERDICT_NOT_IN_TARGET] = "NotInTarget",
		[PN_VERDICT_UNKNOWN] = "Unknown",
	};

	return names[verdict];
}

enum pn_verdict pn_verdict_less_sure(enum pn_verdict verdict)
{
	switch (verdict) {
	case PN_VERDICT_TOTAL_DEGRADATION:
	case PN_VERDICT_SEVERE_DEGRADATION:
	case PN_VERDICT_DEGRADATION:
		return PN_VERDICT_MAYBE_DEGRADATION;
	case PN_VERDICT_TOTAL_OPTIMIZATION:
	case PN_VERDICT_SEVERE_OPTIMIZATION:
	case PN_VERDICT_OPTIMIZATION:
		return PN_VERDICT_MAYBE_OPTIMIZATION;
	default:
		return verdict;
	}
}
