/*
 * The signed-rank test with capped ranks: of n differences each counts with
 * its sign and its rank by size, but none with more than PN_CAPPED_RANK_SHARE
 * of n. Between Wilcoxon's test (no cap) and the sign test (a cap of 1): few
 * wild values cannot outvote the others, and little is lost where there are
 * none. Exact: the null distribution is that of these very ranks, ties and
 * all, with fair signs (Wilcoxon, Biometrics Bull. 1 (1945); Hodges & Lehmann,
 * Ann. Math. Stat. 34 (1963) for the estimate and the interval).
 */
#ifndef PN_DUEL_CAPPED_RANK_H
#define PN_DUEL_CAPPED_RANK_H

#include <stddef.h>
#include <stdint.h>

#define PN_CAPPED_RANK_SHARE 0.35

/* What the test works on. A zeroed struct is empty and may be set again. */
struct pn_capped_rank {
	double *values; /* ascending */
	size_t count, cap;
	double *walsh; /* means of all pairs, ascending, no two the same */
	size_t walsh_count, walsh_cap;
	/* Sizes of differences in ascending order, with signs; the scores that
	 * they have. */
	double *differences;
	uint32_t *scores;
	size_t scored, scored_cap;
	/* The scores of which `null` is the distribution: null[k] is the chance
	 * of a sum of k times `null_unit`. */
	uint32_t *null_scores;
	size_t null_scored;
	double *null;
	size_t null_count, null_cap;
	uint32_t null_unit;
};

/* Copy n finite values, at least one. O(n^2 log n) in time and memory. */
void pn_capped_rank_set(struct pn_capped_rank *rank, const double *values,
			size_t n);
void pn_capped_rank_release(struct pn_capped_rank *rank);

/*
 * The two-sided p of "the values lie symmetrically about `shift`"; *side is 1
 * where they lie above, -1 below, 0 where neither. Values that are equal to
 * the shift do not count. O(n^2) with what was computed last for the same
 * ranks, else O(n^3).
 */
double pn_capped_rank_p(int *side, struct pn_capped_rank *rank, double shift);

/* The p of "the shift is within -margin ... margin", and on which side it is
 * not. */
double pn_capped_rank_margin_p(int *side, struct pn_capped_rank *rank,
			       double margin);

/* The shift for which both sides weigh the same. */
double pn_capped_rank_estimate(struct pn_capped_rank *rank);

/* All shifts whose p is above `level`; infinite where there are too few
 * values for that level. */
void pn_capped_rank_interval(double *low, double *high,
			     struct pn_capped_rank *rank, double level);

#endif
