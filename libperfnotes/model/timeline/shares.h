/*
 * What many samples cost together, divided among them in their order: as long
 * as each took where that adds up to it, else evenly. All parts make the whole.
 */
#ifndef PN_TIMELINE_SHARES_H
#define PN_TIMELINE_SHARES_H

#include "model/profile.h"

/* Begins with what the samples have in all, of one value type. */
struct pn_share {
	union pn_value value;
	bool real;	    /* which arm of the values */
	double unit_ns;	    /* of a value; 0: it is no time */
	double duration_ns; /* of all samples */
	double passed_ns;   /* of those before */
	uint64_t events, written;
	int64_t given; /* of an integer value */
};

/* The value as a number. */
double pn_share_number(const struct pn_share *share);
/* The unit of a value type in ns; 0: it is no time. */
double pn_share_unit_ns(const struct pn_profile *p, size_t type);
/* The part of the next sample, which took so long. */
union pn_value pn_share_next(struct pn_share *share, int64_t duration_ns);

#endif
