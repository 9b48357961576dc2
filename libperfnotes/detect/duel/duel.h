/*
 * The sequential comparison of two programs, A (base) and B (head), run in
 * turns on one machine: after each pair of runs it may say that B is slower or
 * faster by so much, that they do not differ by more than a tolerance, or that
 * more pairs are needed. It looks at fixed numbers of pairs only, and its
 * levels are set for all looks together: a duel of equal programs ends with
 * "slower" or "faster" in at most 1 of 100 cases, however often one looks.
 *
 * Until PN_DUEL_RANK_PAIRS the differences of logarithms of a pair have to
 * agree in sign and pass a t test; from there on the capped signed-rank test
 * judges (capped_rank.h), which no outlier, burst or drift misleads, as the
 * order of each quad is drawn by a coin (order.h).
 */
#ifndef PN_DUEL_DUEL_H
#define PN_DUEL_DUEL_H

#include "base/error.h"
#include "detect/duel/capped_rank.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_DUEL_MIN_PAIRS 6	  /* fewer decide nothing */
#define PN_DUEL_RANK_PAIRS 12	  /* from here on ranks judge */
#define PN_DUEL_DEFAULT_PAIRS 100 /* what is paid for at most */
#define PN_DUEL_MAX_PAIRS 200	  /* for which the levels are set */
#define PN_DUEL_TOLERANCE 0.02	  /* of times */
#define PN_DUEL_COUNTER_TOLERANCE 0.002
#define PN_DUEL_COUNTER_EFFECT 0.001 /* of counters that do not vary */
#define PN_DUEL_ALPHA 0.01	     /* false "slower" and "faster" */
/* The p of a duel is this times the least of its looks; it holds at any look.
 * All factors and levels are from 120,000 simulated duels. */
#define PN_DUEL_ANY 11
#define PN_DUEL_EARLY 1.8 /* the p of a look of the t test, times its own */
/* Levels of one look's interval, for 95 % of all looks together. */
#define PN_DUEL_EARLY_LEVEL 0.003
#define PN_DUEL_RANK_LEVEL 0.006
/* "changed" needs this much more than the width of an interval's half. */
#define PN_DUEL_FORECAST 1.22
/* With `give_up`: from so many pairs on, when so many times the most would be
 * needed. */
#define PN_DUEL_GIVE_UP_PAIRS 20
#define PN_DUEL_GIVE_UP 3

struct pn_duel_rule {
	double tolerance; /* "no change larger than": a share, above 0 */
	/* "slower" means by more than this share, below the tolerance; 0: by
	 * anything at all. */
	double margin;
	size_t max_pairs; /* PN_DUEL_MIN_PAIRS ... PN_DUEL_MAX_PAIRS */
	/* A counter: two equal pairs decide, at PN_DUEL_COUNTER_EFFECT. */
	bool counter;
	bool give_up;	  /* end when it cannot be decided in max_pairs */
	bool no_equality; /* do not end with "no change" */
	/* "slower" and "faster" are said by pn_duel_decide_jointly only. */
	bool jointly;
};

enum pn_duel_decision {
	PN_DUEL_UNDECIDED, /* more pairs are needed */
	PN_DUEL_SLOWER,	   /* B's values are larger */
	PN_DUEL_FASTER,
	PN_DUEL_NO_CHANGE,   /* none larger than the tolerance */
	PN_DUEL_CANNOT_TELL, /* and no more pairs may be made */
	PN_DUEL_NO_SLOWDOWN, /* none as large as was suspected */
	PN_DUEL_DECISIONS
};

enum pn_duel_method { PN_DUEL_EXACT, PN_DUEL_T, PN_DUEL_RANKS };

/*
 * The state after a number of pairs. Shifts are natural logarithms of B/A;
 * where a value is 0 or less, differences as shares of the median of all
 * values instead (see pn_duel_ratio).
 */
struct pn_duel_look {
	size_t pairs;
	enum pn_duel_method method;
	enum pn_duel_decision decision;
	double effect, low, high; /* 95 % at whatever look one stops */
	double p;		  /* of this look alone; NaN: exact */
	double p_any; /* of all looks until now: what may be reported */
	double need;  /* forecast: pairs in all until a decision; NaN: none */
	double bound; /* no change is larger, a share; NaN: not known */
	bool of_differences; /* not of logarithms */
};

/* A zeroed struct may be released. */
struct pn_duel {
	struct pn_duel_rule rule;
	double *a, *b; /* of each pair */
	size_t count;
	bool of_differences;
	double p_least;
	/* What pn_duel_decide_jointly goes by: as p_least, but of ratios that
	 * are all equal by their number; and where B was at the last look. */
	double least_evidence;
	int side;
	struct pn_duel_look last; /* the newest look; pairs 0: none yet */
	double suspected;	  /* NO_SLOWDOWN: of this share */
	double *differences;	  /* of each pair at the newest look */
	struct pn_capped_rank rank;
};

/* The defaults for times. */
void pn_duel_rule_init(struct pn_duel_rule *rule);

/* PN_ERANGE when a number of the rule is outside of what is said above. */
int pn_duel_init(struct pn_duel *out, const struct pn_duel_rule *rule,
		 struct pn_error *err);
void pn_duel_release(struct pn_duel *duel);

/* Whether a verdict may fall after so many pairs. */
bool pn_duel_is_look(size_t pairs);

/*
 * The next pair, in the order measured: finite values, larger is slower. True
 * when there was a look: duel->last. A duel that is decided takes no more, nor
 * does one that has max_pairs.
 */
bool pn_duel_add(struct pn_duel *duel, double a, double b);

/* No more pairs will be made: a last look, at any number. False when the last
 * one stands, or there is no pair. */
bool pn_duel_finish(struct pn_duel *duel);

/* No more pairs will be made: B is not slower by this logarithm, as was
 * suspected (futility.h). After a pair. */
void pn_duel_stop(struct pn_duel *duel, double suspected);

bool pn_duel_is_over(const struct pn_duel *duel);

/* A shift of this look as ratio B/A. */
double pn_duel_ratio(const struct pn_duel_look *look, double shift);

/* "undecided", "slower", ...: what the decision is called. A duel that cannot
 * tell is undecided. */
extern const char *const pn_duel_decision_names[PN_DUEL_DECISIONS];

/*
 * How many more pairs fit: `spent` of `limit` is used up, the newest `n` pairs
 * took `pair_costs` each, of which the last PN_DUEL_COSTS count. Any unit of
 * time.
 */
#define PN_DUEL_COSTS 5
size_t pn_duel_pairs_that_fit(double limit, double spent,
			      const double *pair_costs, size_t n);

#endif
