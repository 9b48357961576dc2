/* What a collection found: one row for each job. Pure. */
#ifndef PN_MEASURED_MEASURED_H
#define PN_MEASURED_MEASURED_H

#include "model/doubt.h"
#include "model/profile.h"
#include "model/summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_MEASURED_TOP                                                        \
	5 /* functions shown at once: `show` has all of them                   \
	   */

/* One job. Everything is borrowed. */
struct pn_measured {
	const char *title;  /* the command as it was run */
	const char *id;	    /* of what was listed, or NULL and ... */
	const char *path;   /* ... of the pending file */
	const char *origin; /* commit that was measured, or "" */
	struct pn_profile *profile;
	const struct pn_doubt *doubts;
	size_t doubt_count;
};

/* Whether the collector `time` measured it: then it can be compared. */
bool pn_measured_is_time(const struct pn_measured *measured);

/* The summary of a metric; false when the profile has none of that name. */
bool pn_measured_summary(struct pn_summary *out, const struct pn_profile *p,
			 const char *name);
/* The values of a metric, ascending; the caller frees. NULL: there are none. */
double *pn_measured_sorted(size_t *count, const struct pn_profile *p,
			   const char *name);
/* Where the median of its values is in 95 of 100 cases; false when there are
 * too few of them. */
bool pn_measured_interval(struct pn_interval *out, const struct pn_profile *p,
			  const char *name);

/* Where a collection is. */
struct pn_runs_progress {
	uint64_t done, expected; /* runs */
	int64_t left_ns;	 /* estimate; 0: unknown */
	double median_ns;	 /* so far; NaN: unknown */
	bool warming_up;
	const char *title; /* of the job */
};

/* What tracing a call costs by one clock. */
struct pn_calibration {
	const char *clock;
	double inside_ns, outside_ns;
};

#endif
