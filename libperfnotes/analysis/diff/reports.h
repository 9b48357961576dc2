/* The two reports of a difference, made at the same time. Pure. */
#ifndef PN_DIFF_REPORTS_H
#define PN_DIFF_REPORTS_H

#include "analysis/report.h"

#define PN_DIFF_NEITHER (-1)

/* The old side is 0, the new one 1. Zeroed before. */
struct pn_diff_reports {
	struct pn_report of[2];
	/* On failure: the side that could not be reported on (the new one when
	 * both could not), and whether it lacks the type that was asked for. */
	int failed;
	bool lacks_type;
};

/*
 * Report on all nodes of both profiles, which may change, see pn_report_init;
 * the difference decides what is small. The value is the one that `options`
 * names, else the new profile's default one. To be released in any case.
 */
int pn_diff_reports_init(struct pn_diff_reports *out, struct pn_profile *before,
			 struct pn_profile *after,
			 const struct pn_report_options *options,
			 struct pn_error *err);
void pn_diff_reports_release(struct pn_diff_reports *reports);

#endif
