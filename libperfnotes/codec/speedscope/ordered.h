/* Samples of one value type, each for itself, in the order of their times. */
#ifndef PN_SPEEDSCOPE_ORDERED_H
#define PN_SPEEDSCOPE_ORDERED_H

#include "model/profile.h"

struct pn_ordered_sample {
	uint32_t stack, thread; /* thread: of events, or PN_NONE */
	int64_t time_ns;	/* INT64_MAX: not known */
	size_t at;		/* among equals */
	union pn_value value;
};

struct pn_ordered {
	struct pn_ordered_sample *items; /* by thread, then time */
	size_t count;
};

/* Values add up to those of the profile's samples. False: no time of this
 * value type is known, and `out` is empty. Time O(n log n). */
bool pn_ordered_of(struct pn_ordered *out, const struct pn_profile *p,
		   size_t type);
void pn_ordered_release(struct pn_ordered *ordered);

#endif
