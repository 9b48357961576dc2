/*
 * Which functions of a program got slower or faster, from what each cost in
 * several runs of two versions. Pure.
 *
 * - A run that is slower throughout says nothing of a function: the factor of
 *   each run, the middle of all functions', is taken out, and so is what all
 *   functions changed by together, which is the environment's or the whole
 *   run's affair.
 * - Few runs say little of a function's own noise: its variance is moderated
 *   by that of functions of like size (Smyth, Stat. Appl. Genet. Mol. Biol. 3
 *   (2004), the trend of Law et al., Genome Biol. 15 (2014)).
 * - One value that is far off decides nothing: it is moved to where values of
 *   such a function may be.
 * - Of thousands of functions some are unlucky: the share of false ones among
 *   those that are named is held at `q` (Benjamini & Hochberg).
 *
 * Costs are to be those of the function itself: with what it calls, every
 * caller of a slower function would be named, too.
 */
#ifndef PN_FUNCTIONS_FUNCTIONS_H
#define PN_FUNCTIONS_FUNCTIONS_H

#include "base/error.h"
#include "detect/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_FUNCTIONS_Q 0.02
#define PN_FUNCTIONS_MIN_EFFECT 0.03
#define PN_FUNCTIONS_MIN_EXACT 0.001   /* of counts that do not vary */
#define PN_FUNCTIONS_SEVERE 0.25       /* of the function */
#define PN_FUNCTIONS_SEVERE_TOTAL 0.05 /* of the whole baseline */
/* With fewer functions there is no middle of all, and no trend of variances. */
#define PN_FUNCTIONS_MIN_LEVELLED 5
#define PN_FUNCTIONS_MIN_SHARED 10
/* What is gone and what is new may be one function: by equal normal names or
 * by so much of their neighbours (Jaccard), and costs that differ by so much.
 */
#define PN_FUNCTIONS_RENAME_LIKENESS 0.6
#define PN_FUNCTIONS_RENAME_NEIGHBOURS 3 /* in common; fewer are no sign */
#define PN_FUNCTIONS_RENAME_COST 0.3
/* So many a side are compared by their neighbours, the most expensive ones. */
#define PN_FUNCTIONS_RENAME_MAX 100
/* Of what a change is made, as shares of its logarithm. */
#define PN_FUNCTIONS_MOSTLY (2.0 / 3)
#define PN_FUNCTIONS_EXPLAINED 0.9

/* What one function cost, a value for each run. All is borrowed. */
struct pn_function_costs {
	/* NaN: not known of this run. NULL: the function is not there. */
	const double *baseline, *target;
	/* How often it was called; NULL, NaN: not known. */
	const double *baseline_calls, *target_calls;
	/* Its name without what compilers append, to find it under another
	 * one; NULL: not to be found so. */
	const char *name;
	/* Who calls it and whom it calls, ascending, no number twice. */
	const uint32_t *neighbours;
	size_t neighbour_count;
};

struct pn_functions_rule {
	double q; /* false ones among those that are named */
	/* Relative: a smaller effect is no change. What is tested is that
	 * there is more than half of it. */
	double min_effect;
	double min_exact; /* the same of counts that do not vary */
	/* Shares of the baseline's total: smaller functions are no change,
	 * nor is what is new or gone. */
	double min_share, min_new_share;
	/* The costs are counts that do not vary: what differs by
	 * min_exact has changed. So it is taken where most
	 * functions cost the same in all runs of a side. */
	bool exact;
};

enum pn_function_cause {
	PN_FUNCTION_CAUSE_UNKNOWN,
	PN_FUNCTION_CALLS, /* called more, or less, often */
	PN_FUNCTION_COST,  /* each call costs more, or less */
	PN_FUNCTION_CALLS_AND_COST
};

/* By the part of a change that is of the number of calls: what makes
 * PN_FUNCTIONS_MOSTLY of it, or both, also where one takes back so much of what
 * the other does that it cannot be left out. */
enum pn_function_cause pn_function_cause_of(double of_calls);

/* Of one function. NaN: not known. */
struct pn_function_verdict {
	enum pn_verdict verdict;
	/* Of one that is gone: under which index it goes on; of that one: this
	 * one's. Both hold the verdict of the pair. Else SIZE_MAX. */
	size_t partner;
	bool is_old_name;	 /* the partner is its new one */
	bool exact;		 /* compared as it is: no interval */
	double ratio, low, high; /* target to baseline; 95 % */
	double p, q;
	double delta; /* mean cost in the target less that in the baseline */
	double share; /* of all costs: the larger one of both sides */
	double least_effect; /* found in 4 of 5 cases, relative */
	enum pn_function_cause cause;
	double calls_ratio, each_ratio; /* their product is that of costs */
};

struct pn_functions {
	struct pn_function_verdict *items; /* one for each function given */
	size_t count;
	double baseline, target; /* sums of mean costs */
	/* What all functions changed by together: taken out of their ratios. 1
	 * where it was left in. */
	double common;
	double prior_df; /* what the variance of others counts as */
	bool exact;
};

void pn_functions_rule_init(struct pn_functions_rule *rule);

/*
 * `runs` are those of the baseline and of the target. PN_ERANGE: a number of
 * the rule is none of a share. Time O(F R log(F R)) for F functions and R
 * runs.
 */
int pn_functions_compare(struct pn_functions *out,
			 const struct pn_function_costs *functions,
			 size_t count, const size_t runs[2],
			 const struct pn_functions_rule *rule,
			 struct pn_error *err);
void pn_functions_release(struct pn_functions *functions);

/*
 * Which functions the difference of the totals is made of: indices by how much
 * they changed, the largest first, until those that go the way of the total
 * make PN_FUNCTIONS_EXPLAINED of it. `order` has room for `count`; returns how
 * many there are.
 */
size_t pn_functions_explain(size_t *order, const struct pn_functions *all);

#endif
