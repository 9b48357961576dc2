/* The table of a profile's functions as a profile. */
#ifndef PN_ANALYSIS_TOP_PROFILE_H
#define PN_ANALYSIS_TOP_PROFILE_H

#include "analysis/merge/reshape.h"
#include "analysis/report.h"
#include "base/error.h"
#include "model/profile.h"

/* What is asked of the table; the others count where it is asked for. */
struct pn_top_ask {
	bool top, trim;
	struct pn_report_options report;
};

/* OPT_TABLE(struct pn_top_ask, <member>, pn_top_opts). */
extern const struct pn_opt pn_top_opts[];

void pn_top_ask_init(struct pn_top_ask *out);
/* PN_EINVAL: an option of the table without it, or a share that is none. */
int pn_top_ask_check(const struct pn_top_ask *ask, struct pn_error *err);

/*
 * Put the table in place of the profile: a sample for each row of 0.5 % or
 * more or as `ask` says, heaviest first, with the value types "cum" and "flat",
 * whole numbers of the unit in which the view top shows them, of one run
 * (pprof's topproto). What counts as one, which value is meant and by what it
 * is divided is `reshape`'s. What is said of the whole stays: time, duration,
 * period. PN_EINVAL: no such value type.
 */
int pn_top_profile(struct pn_profile *profile, const struct pn_top_ask *ask,
		   const struct pn_reshape *reshape, struct pn_error *err);

#endif
