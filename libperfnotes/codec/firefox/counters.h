/*
 * Counters of Firefox's profiles, of a process each: what happened between two
 * samples (of memory: by how much it grew). Both what Firefox writes, in rows,
 * and what profiler.firefox.com does, in columns.
 * github.com/firefox-devtools/profiler: src/types/profile.ts, RawCounter;
 * src/types/gecko-profile.ts, GeckoCounter.
 */
#ifndef PN_FIREFOX_COUNTERS_H
#define PN_FIREFOX_COUNTERS_H

#include "codec/counters.h"
#include "codec/json/walk.h"

struct pn_firefox_counters {
	struct pn_counters counters; /* with the profile */
	double shift_ms;	     /* of the process that is read */
	uint32_t pid;		     /* its id, where counters have none */
	size_t before;		     /* processes, where nobody has one */
};

/* The list of counters, into a struct pn_firefox_counters. One that is not as
 * it should be is left out. */
int pn_firefox_take_counters(void *to, struct pn_json *json,
			     enum pn_json_event first, struct pn_error *err);

#endif
