/*
 * What detect/functions says of the rows of a diff, by their own costs: those
 * of each run where the profile tells its runs apart, else their mean. Pure.
 */
#ifndef PN_WHY_COMPARED_H
#define PN_WHY_COMPARED_H

#include "analysis/diff/diff.h"
#include "detect/functions/functions.h"

/* A zeroed struct is empty. */
struct pn_compared {
	struct pn_functions found; /* one for each row of the diff */
	size_t runs[2];
	bool tested; /* rows are told from noise: of several runs, or exact */
	/* What `found` was made of: internal. */
	double *values[2], *calls[2];
	struct pn_function_costs *costs;
};

/* By this rule; counts of one run each are compared as they are, whatever it
 * says. To be released on failure, too. */
int pn_compared_init(struct pn_compared *out, const struct pn_diff *diff,
		     const struct pn_functions_rule *rule,
		     struct pn_error *err);
void pn_compared_release(struct pn_compared *compared);

/* How often it is called in a run of the old side (0), of the new one (1); NaN:
 * not known. */
double pn_compared_calls(const struct pn_diff *diff,
			 const struct pn_diff_row *row, int side);
/* Where it is in the source; "": not known. */
const char *pn_compared_file(const struct pn_diff *diff,
			     const struct pn_diff_row *row);

#endif
