/* The names of doubts. */
#include "model/doubt.h"

const char *pn_doubt_name(enum pn_doubt_kind kind)
{
	static const char *const names[PN_DOUBT_KINDS] = {
		[PN_DOUBT_SLOW_FIRST] = "slow-first",
		[PN_DOUBT_OUTLIERS] = "outliers",
		[PN_DOUBT_TOO_SHORT] = "too-short",
		[PN_DOUBT_FAILED] = "failed",
		[PN_DOUBT_WIDE] = "wide",
		[PN_DOUBT_LOST] = "lost",
		[PN_DOUBT_ABSENT] = "absent",
	};

	return names[kind];
}
