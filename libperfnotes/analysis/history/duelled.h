/* What became of duels of a project's jobs, two commits built and run in
 * turns: plain data that the program fills and a renderer prints. */
#ifndef PN_HISTORY_DUELLED_H
#define PN_HISTORY_DUELLED_H

#include "analysis/history/planned.h"
#include "detect/duel/duel.h"
#include "detect/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_DUELLED_METRICS 2 /* what judges, and what stands beside it */
#define PN_DUELLED_CPU                                                         \
	"cpu" /* user and sys together: no metric of a record                  \
	       */

enum pn_duelled_state {
	PN_DUELLED_WAITING,
	PN_DUELLED_RUNNING,
	PN_DUELLED_DONE,
	PN_DUELLED_LEFT_OUT, /* its collector does not tell runs apart */
	PN_DUELLED_NOT_BUILT,
	PN_DUELLED_FAILED /* it did not run, or too often not to a good end */
};

/* Values of a run each, a and b of each pair in the order measured. */
struct pn_duelled_metric {
	const char *name, *unit;
	bool more_is_better;
	const struct pn_duel *duel;
};

/* Everything is borrowed. */
struct pn_duelled {
	struct pn_planned job;
	enum pn_duelled_state state;
	size_t side;	 /* NOT_BUILT, FAILED: 0 base, 1 head */
	const char *why; /* LEFT_OUT, NOT_BUILT, FAILED */
	/* The last lines that a build or a run which failed wrote; NULL: none.
	 */
	const char *said;
	/* The first one judges. */
	struct pn_duelled_metric metrics[PN_DUELLED_METRICS];
	size_t metric_count;
	bool waits;	  /* it waits more than it computes: wall judges */
	size_t failed[2]; /* runs of each side; their pairs do not count */
	uint64_t seed;	  /* of the order: detect/duel/order.h */
	bool counts;	  /* two equal pairs decide */
	size_t layouts; /* a pair is a quad of each of them; 0: of one build */
	bool same_layout; /* two of them have the same program */
	int64_t spent_ns; /* runs of both sides, without builds */
	int64_t left_ns;  /* forecast; 0: unknown */
};

/* Runs of both sides that so many pairs are. */
double pn_duelled_runs(const struct pn_duelled *row, double pairs);

/* All duels of two commits. Borrowed. */
struct pn_duelled_report {
	const char *commits[2]; /* ids, base and head */
	const char *revs[2];	/* as somebody typed them; NULL: not */
	const struct pn_duelled *const *rows;
	size_t count;
};

/* What a decision means: larger is worse, unless more is better. Unknown where
 * there is none. */
enum pn_verdict pn_duelled_verdict(const struct pn_duelled_metric *metric);
/* The same of what judges a job; Unknown without runs. */
enum pn_verdict pn_duelled_row_verdict(const struct pn_duelled *row);
/* Of all jobs: the worst that was found; Unknown where there is none that is
 * worse, but one that is not known; left out ones do not count. */
enum pn_verdict pn_duelled_result(const struct pn_duelled_report *report);
/* "pass", "fail" or "no verdict", as of a check by history. */
const char *pn_duelled_result_name(const struct pn_duelled_report *report);

/* Where duels are that are fought. */
struct pn_duels_progress {
	bool waiting;	      /* for another run of this repository to end */
	const char *building; /* shell line, or NULL */
	size_t side;	      /* of it */
	const struct pn_duelled *row; /* of what runs, or NULL */
	size_t over, count;	      /* jobs */
	int64_t spent_ns, limit_ns;   /* of all */
};

#endif
