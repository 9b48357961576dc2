/*
 * Perun's checks of one profile against another, by name: a file could be each,
 * but they differ in one call. What each says of which function. Pure.
 */
#ifndef PN_CHECKS_DETECTOR_H
#define PN_CHECKS_DETECTOR_H

#include "analysis/checks/checks.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"

/* What is said of one function; of a check that looks at all of them. */
struct pn_detected_row {
	const char *uid; /* not escaped */
	struct pn_check_result check;
};

struct pn_detected {
	struct pn_detected_row *rows; /* in the order of their names */
	size_t count, cap;
	struct pn_arena arena; /* of the names */
};

struct pn_detector {
	const char *name, *summary;
	/* `out` is zeroed; profiles may change (pn_report_init). PN_ENOTFOUND,
	 * PN_ERANGE, PN_EINVAL: one has nothing that the check is about, as
	 * sizes. */
	int (*run)(struct pn_detected *out, struct pn_profile *before,
		   struct pn_profile *after, struct pn_error *err);
};

extern const struct pn_detector *const pn_detectors[]; /* NULL ends */

/* NULL: there is none of this name. */
const struct pn_detector *pn_detector_find(const char *name);
/* Append the names, with `between` between two. */
void pn_detector_names(struct pn_buf *out, const char *between);
void pn_detected_release(struct pn_detected *detected);

/* What one says of the series of two commits. */
struct pn_detected_series {
	const char *name; /* as one types it */
	const struct pn_detector *detector;
	struct pn_detected found;
	/* Why nothing is said; code 0: something is. */
	struct pn_error why;
};

/* Zeroed before, released in any case. */
struct pn_detection {
	struct pn_detected_series *items;
	size_t count;
	bool by_rules; /* each has its own detector */
	struct pn_arena arena;
};

/* PN_VERDICT_... of a bit of `fail_on` is there: 1; nothing is known: -1. */
int pn_detection_result(const struct pn_detection *detection,
			unsigned int fail_on);

#endif
