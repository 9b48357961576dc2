/*
 * What snapshots of a run that goes on saw, as a curve: how much was seen of
 * the default value type until then. model/timeline/curves.h.
 */
#ifndef PN_SAMPLE_LIVE_H
#define PN_SAMPLE_LIVE_H

#include "model/profile.h"

/* Of more, every second one goes, again and again. */
#define PN_LIVE_POINTS 1000

struct pn_live {
	double ms[PN_LIVE_POINTS], values[PN_LIVE_POINTS];
	size_t count;
	uint32_t step, passed; /* of so many snapshots one is kept */
};

/* A snapshot that was taken so long after the run's begin. */
void pn_live_add(struct pn_live *live, const struct pn_profile *snapshot,
		 int64_t elapsed_ns);

/* Give the profile of the same run the curve; nothing without snapshots. */
void pn_live_put(struct pn_profile *profile, const struct pn_live *live);

#endif
