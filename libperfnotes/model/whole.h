/*
 * Whole numbers for formats that have no others.
 *
 * Seconds and megabytes with a fraction become nanoseconds and bytes, rounded;
 * other fractions have no such unit and stay.
 */
#ifndef PN_MODEL_WHOLE_H
#define PN_MODEL_WHOLE_H

#include "model/profile.h"

struct pn_whole {
	struct pn_profile made; /* what differs is owned, the rest borrowed */
	bool used;
};

/*
 * The profile with each column of time or memory whose values of samples are
 * not all whole in the smallest unit: `p` itself when there is no such column,
 * else one that lives as long as both `out` and `p` do. A column whose values
 * add up to 9e18 of the smallest unit or more stays as it is.
 */
const struct pn_profile *pn_whole_make(struct pn_whole *out,
				       const struct pn_profile *p);
void pn_whole_release(struct pn_whole *whole);

/* A double that is whole as an integer; false for any other. */
bool pn_whole_number(int64_t *out, double value);
/* PN_EINVAL names the first value of a sample that is none, and the format that
 * has no others; PN_ERANGE where they add up to more than an integer holds. */
int pn_whole_check(const struct pn_profile *p, const char *format,
		   struct pn_error *err);

#endif
