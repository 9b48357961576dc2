/*
 * Counters of traces: values that are told from time to time, of several
 * processes in any order. Each becomes a curve of the profile. A zeroed struct
 * but for `p` is empty.
 */
#ifndef PN_CODEC_COUNTERS_H
#define PN_CODEC_COUNTERS_H

#include "model/profile.h"

struct pn_counter;

struct pn_counters {
	struct pn_profile *p;
	struct pn_strtab keys; /* what each is of, as bytes; ids from 1 on */
	struct pn_counter *items;
	size_t count, cap;
};

void pn_counters_release(struct pn_counters *c);
/* The number of a counter, added when new; all are strings of the profile. */
size_t pn_counters_at(struct pn_counters *c, uint32_t process, uint32_t name,
		      uint32_t unit);
/* What is not finite is left out. */
void pn_counters_add(struct pn_counters *c, size_t counter, double ms,
		     double value);
/* The curves, in order of time; where processes have counters of one name the
 * name of each says its process. */
void pn_counters_finish(struct pn_counters *c);

#endif
