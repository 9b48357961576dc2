/*
 * The duel of one job: its runs at both sides in quads (detect/duel/order.h),
 * one run a step, until it is decided or told to end. What judges is what
 * the job's collector measures first; of `time` it is processor time, which
 * other programs disturb least, with wall beside it; or wall, where the
 * program waits more than it computes.
 */
#ifndef PN_DUEL_BOUT_H
#define PN_DUEL_BOUT_H

#include "analysis/history/duelled.h"
#include "base/arena.h"
#include "detect/duel/futility.h"
#include "jobs/duel/sides.h"
#include "jobs/measure.h"

/* Runs of one side that failed before the side is said to fail: so many, and
 * this share of all, unless none went well. */
#define PN_BOUT_FAILED 3
#define PN_BOUT_FAILED_SHARE 0.1

struct pn_bout_side {
	const struct pn_job_place *place; /* borrowed */
	struct pn_job_plan plan;
	struct pn_measure *measure;
	size_t warmed, runs; /* those that count */
	size_t *dropped;     /* of those: their pair is not whole */
	size_t dropped_count, dropped_cap;
	size_t good;			   /* runs that count, of all layouts */
	double values[PN_DUELLED_METRICS]; /* of the present pair */
	bool went_well;			   /* its run in that */
	/* The same of the other pair, where a quad is one. */
	double held[PN_DUELLED_METRICS];
	bool held_well;
};

/* Zeroed before it is opened; stays where it is. */
struct pn_bout {
	const struct pn_matrix_job *job;
	const char *metric; /* that judges; NULL: as above */
	struct pn_duel_rule rule;
	struct pn_bout_side sides[PN_DUEL_SIDES];
	struct pn_collect_pair *options;
	/* Of both sides: a run begins with the peak of memory of what starts
	 * it, and two of them would differ. */
	struct pn_process_launcher *launcher;
	struct pn_arena arena;
	bool has_metrics;
	struct pn_duel duels[PN_DUELLED_METRICS];
	uint64_t order; /* runs so far that do not warm up */
	bool whole;	/* no look decides: all pairs are made */
	/* Ends it when the head is not likely to be slower; NULL: nothing. */
	const struct pn_duel_futility *suspected;
	/* What a pair is, is a quad: each has a layout of its own, and `rests`
	 * when it is done. */
	bool relinks, rests;
	uint32_t program; /* checksum of the head's of the first layout */
	size_t among;	  /* jobs that are judged together */
	double load;	  /* the most others that wanted to run; NaN: unknown */
	size_t pairs;	  /* that count */
	double *costs;	  /* of each of them, ns */
	double pair_ns;	  /* of the present one */
	double guess_ns;  /* what both sides' warm-up took */
	struct pn_error why;
	struct pn_buf said;	/* FAILED: the end of its standard error */
	struct pn_duelled told; /* what is to be seen of it */
};

/* Fills what is told in and starts nothing. LEFT_OUT where the collector has
 * no figures of single runs. The rule is copied. */
void pn_bout_init(struct pn_bout *bout, const struct pn_matrix_job *job,
		  const struct pn_duel_rule *rule, const char *metric);
/* Ready to run at both places, which are borrowed; a failure is the job's own:
 * it FAILED. */
void pn_bout_open(struct pn_bout *bout,
		  const struct pn_job_place *const places[PN_DUEL_SIDES]);
/* With a layout of its own for each quad: its places go away, other ones have
 * come. Where one fails now, the job did. */
void pn_bout_leave(struct pn_bout *bout);
void pn_bout_enter(struct pn_bout *bout,
		   const struct pn_job_place *const places[PN_DUEL_SIDES]);
/* The commit's side did not build. */
void pn_bout_set_unbuilt(struct pn_bout *bout, size_t side,
			 const struct pn_error *why);

/* One run. 1: a pair is whole, and *looked says whether there was a look;
 * 0: it is not, or the job has failed; PN_ESTOPPED. */
int pn_bout_step(bool *looked, struct pn_bout *bout, struct pn_error *err);
/* Whether it stands between two pairs, where it may end. */
bool pn_bout_is_even(const struct pn_bout *bout);
/* No further pairs. */
void pn_bout_finish(struct pn_bout *bout);
/* Pairs that count; their mean cost, ns, or a guess before the first. */
size_t pn_bout_pairs(const struct pn_bout *bout);
double pn_bout_pair_cost(const struct pn_bout *bout);

/* What one side measured as a record, with the duel's labels; `with` is the
 * other side's commit. After the last run. */
int pn_bout_record(struct pn_record *out, struct pn_bout *bout, size_t side,
		   const char *with, struct pn_error *err);
/* Ends what runs, and runs cleanups that are due. */
void pn_bout_release(struct pn_bout *bout);

/* Inside of jobs/duel/: values of one run. Those that judge are chosen by the
 * first run. PN_ENOTFOUND names what there is. */
int pn_bout_values(struct pn_bout *bout, size_t side, struct pn_error *err);
/* After the first look, of `time` only: whether it waits more than it computes,
 * and so is judged by what it stands beside now. */
void pn_bout_choose(struct pn_bout *bout);
/* After the last one: the same where processor time found no change, but the
 * time on the clock one that nothing else on the machine explains. */
void pn_bout_choose_again(struct pn_bout *bout);

#endif
