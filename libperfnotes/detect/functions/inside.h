/* Between the files of the comparison of functions. */
#ifndef PN_FUNCTIONS_INSIDE_H
#define PN_FUNCTIONS_INSIDE_H

#include "detect/functions/functions.h"

enum { BASELINE, TARGET, SIDES };

/* A function that is on both sides: the logarithms of what it cost. */
struct pn_function_test {
	size_t function;     /* index of the one it is of */
	double *logs[SIDES]; /* a value a run, NaN: none */
	size_t n[SIDES];     /* values that are known */
	size_t clipped;	     /* values that were moved */
	double mean[SIDES];
	double variance; /* of one value, pooled */
	double df;	 /* of which it is estimated */
	double prior;	 /* variance as functions of its size have it */
	double least;	 /* variance that rounding makes */
	bool constant;	 /* each side is */
};

struct pn_function_tests {
	struct pn_function_test *items;
	size_t count;
	size_t runs[SIDES];
	double prior_df;
};

/* Take the factor of each run out of the logarithms. */
void pn_function_runs_level(struct pn_function_tests *tests);

/* Move values that are far from those of their function and side, by the
 * priors, to the limit of what is near. */
void pn_function_clip(struct pn_function_tests *tests);

/* Set means and variances from the logarithms; a value that was moved says
 * nothing of the variance. */
void pn_function_spread(struct pn_function_tests *tests);

/* The variance of one value: its own, moderated by the prior. */
double pn_function_variance(const struct pn_function_test *test,
			    double prior_df);

/* The variance of one value of all functions together; 0 where none varies. */
double pn_function_pooled(const struct pn_function_tests *tests);

/* Set the priors of the variances and prior_df; 0 where there are too few
 * functions to tell. */
void pn_function_moderate(struct pn_function_tests *tests);

/* What all costs are multiples of, where they are of some power of ten: whole
 * numbers, ticks of a clock; else 0. */
double pn_function_step(const struct pn_function_costs *functions, size_t count,
			const size_t runs[SIDES]);

/* Find functions under other names: sets `partner` of both. `costs` are the
 * mean costs a side. */
void pn_function_match_renamed(struct pn_function_verdict *verdicts,
			       const struct pn_function_costs *functions,
			       size_t count, const double (*costs)[SIDES]);

#endif
