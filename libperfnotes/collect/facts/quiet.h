/*
 * How quiet the machine is: the kernel's counters before and after, and what
 * they say of the time between. Linux (proc(5)); elsewhere all is unknown.
 */
#ifndef PN_FACTS_QUIET_H
#define PN_FACTS_QUIET_H

#include "model/machine/quiet.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* Counters at one moment. */
struct pn_quiet_count {
	bool known; /* the first three */
	/* Of all processors, in ticks: /proc/stat. */
	uint64_t busy, idle, steal;
	uint64_t ticks_per_s;
	/* Of us and of the children that were waited for. */
	int64_t own_ns;
	uint64_t switches; /* involuntary */
	double load, mhz;  /* NaN: unknown */
	double nice;
};

/* Below so many ticks of the machine their share says nothing. */
#define PN_QUIET_MIN_TICKS 50

/* `root` is put before /proc and /sys ("" for this system). Load and frequency
 * take longer to read, and are wanted at the end only. */
void pn_quiet_count_read(struct pn_quiet_count *out, const char *root,
			 bool at_end);
/* How many others want to run: of the last minute, or now, if they are more.
 * NaN: unknown. */
double pn_quiet_load(const char *root);
/* What lies between two moments. Pure. */
void pn_quiet_between(struct pn_quiet *out, const struct pn_quiet_count *begin,
		      const struct pn_quiet_count *end);
/*
 * Waiting for a quiet machine. Begin with a zeroed one.
 */
struct pn_quiet_wait {
	int64_t begin_ns; /* 0: it did not begin */
	struct pn_quiet_count before;
};

#define PN_QUIET_LOOK_NS 500000000 /* between two counts */

/* Whether one may go on: the machine is quiet and no other collection runs,
 * or the patience is at its end. What is not known is quiet. Pure. */
bool pn_quiet_wait_ends(const struct pn_quiet_wait *wait,
			const struct pn_quiet_count *now, int64_t now_ns,
			bool others_collect, int64_t patience_ns);
/* The same of this machine, after a look's time; a signal ends that early. */
bool pn_quiet_wait_step(struct pn_quiet_wait *wait, int64_t patience_ns);

/* In the private folder of who collects, as long as it does. */
#define PN_QUIET_MARK "collecting"

/* Into a profile's environment. */
void pn_quiet_apply(struct pn_profile *profile, const struct pn_quiet *quiet);

#endif
