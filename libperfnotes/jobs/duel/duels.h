/*
 * The jobs of a matrix at two commits, as duels: both commits are checked out
 * into worktrees of their own and built, then each job is run at both in turns
 * until its duel is decided or the budget ends. Goes in steps, as run.h does:
 *
 *	open; while (step == 1) show progress; store; close
 *
 * No history is needed. One run of a repository at a time measures
 * (measure_lock.h). What a killed process leaves, the next one removes.
 */
#ifndef PN_DUEL_DUELS_H
#define PN_DUEL_DUELS_H

#include "analysis/history/studied.h"
#include "detect/duel/futility.h"
#include "jobs/duel/sides.h"

#define PN_DUELS_TIME_NS 60000000000 /* of one job, by default */
#define PN_DUELS_PATIENCE 5 /* times the limit: then even few pairs end */

/* What the past of the head lets suspect of a job. Borrowed. */
struct pn_duel_suspicion {
	const char *job, *collector, *workload;
	struct pn_duel_futility futility;
	double margin; /* what counts for nothing, a share */
};
#define PN_DUELS_SUSPECTED_PAIRS 64 /* that are made for one, at most */

struct pn_duels_options {
	struct pn_duel_sides_options sides;
	/* As pn_run_options has them. */
	const char *const *names;
	size_t name_count;
	const char *collector; /* only jobs of this one; NULL: of all */
	const char *metric;    /* that judges; NULL: see bout.h */
	/* Shares; below 0: 2 % of times, .2 % of counts; half of that. */
	double tolerance, margin;
	size_t max_pairs; /* 0: as many as is usual */
	/* Of these jobs only whether they are slower is asked, until it is not
	 * likely any more. */
	const struct pn_duel_suspicion *suspicions;
	size_t suspicion_count;
	/* So many layouts, built one after the other: a quad of runs of each,
	 * which counts as one pair. Nothing is stored then. 0: one build. */
	size_t layouts;
	int64_t time_ns; /* for all jobs, without builds; 0: by their number */
	bool give_up;	 /* end what cannot be decided in max_pairs */
	bool whole; /* nothing is decided: all pairs are made; a noise study */
};

struct pn_duels;

/* `matrix` is expanded; all is borrowed. PN_ENOTFOUND names one of the names
 * that no job has, or says that no job is for this machine; PN_ERANGE. */
int pn_duels_open(struct pn_duels **out, struct pn_repo *repo,
		  const struct pn_matrix *matrix,
		  const struct pn_duels_options *options, struct pn_error *err);
/* 1: go on; 0: all is done; negative: PN_ESTOPPED, or what makes going on
 * senseless. What only one job suffers from is no error. */
int pn_duels_step(struct pn_duels *duels, struct pn_duels_progress *progress,
		  struct pn_error *err);

/* What became of each job, in the matrix's order; lives until close. */
size_t pn_duels_count(const struct pn_duels *duels);
const struct pn_duelled *pn_duels_row(const struct pn_duels *duels,
				      size_t index);
/* The same of all, in `rows`, with the ids of the commits in `hex`. */
void pn_duels_report(struct pn_duelled_report *out,
		     const struct pn_duelled **rows,
		     char hex[PN_DUEL_SIDES][PN_OID_HEX + 1],
		     const struct pn_duels *duels);

/* What a noise study found (options->whole), a row a job, and how the machine
 * was while it was made. */
void pn_duels_study(struct pn_studied *rows, struct pn_disturb *machine,
		    const struct pn_duels *duels);

/* Store what was measured, as records of the two commits in one commit of the
 * notes; nothing of programs that were linked otherwise than those of the
 * commits are. */
int pn_duels_store(struct pn_duels *duels, struct pn_error *err);
/* Removes the worktrees. Takes NULL. */
int pn_duels_close(struct pn_duels *duels, struct pn_error *err);

#endif
