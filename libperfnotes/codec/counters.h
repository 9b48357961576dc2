/*
 * Counters of traces: values that are told from time to time, of several
 * processes in any order. Each becomes a curve of the profile. A zeroed struct
 * but for `p` is empty. Counters beyond PN_COUNTERS_MAX are left out.
 */
#ifndef PN_CODEC_COUNTERS_H
#define PN_CODEC_COUNTERS_H

#include "model/profile.h"

#include <stdbool.h>

#define PN_COUNTERS_MAX 1024u
#define PN_COUNTERS_NONE UINT32_MAX

/* What a counter is of: strings of the profile, 0 where there is none. */
struct pn_counter {
	uint32_t process, name, unit;
	uint32_t series; /* which of those that are told by this name */
	bool plain;	 /* not worth saying when it is the only one */
};

struct pn_counters {
	struct pn_profile *p;
	struct pn_strtab keys; /* what each is of, as bytes; ids from 1 on */
	struct pn_counter *items;
	size_t count, cap;
	struct pn_told *told; /* values of all of them */
	size_t told_count, told_cap;
};

void pn_counters_release(struct pn_counters *c);
/* No more counters are taken. */
bool pn_counters_full(const struct pn_counters *c);
/* The number of a counter, added when new, or PN_COUNTERS_NONE. */
uint32_t pn_counters_at(struct pn_counters *c, const struct pn_counter *of);
/* What is beyond 1e300, not finite or of no counter is left out. */
void pn_counters_add(struct pn_counters *c, uint32_t counter, double ms,
		     double value);
/* The curves, in order of time, each by a name of its own: where processes have
 * counters of one name it says the process. */
void pn_counters_finish(struct pn_counters *c);

#endif
