/*
 * Collectors: programs in, profiles out. One file per collector exports one
 * const struct pn_collector; collector.c is the table.
 *
 * A collection goes in steps, so that the loop, the progress on the terminal
 * and what happens on Ctrl-C belong to the caller:
 *
 *	open; while (step == 1) show progress; result of each job; free
 */
#ifndef PN_COLLECT_COLLECTOR_H
#define PN_COLLECT_COLLECTOR_H

#include "base/error.h"
#include "model/doubt.h"
#include "model/option.h"
#include "model/profile.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_buf;
struct pn_process_launcher; /* base/process/process.h */
struct pn_said;		    /* collect/said.h */

struct pn_collect_pair {
	const char *key, *value;
};

/* One thing to measure. Everything is borrowed; NULL is "none". */
struct pn_collect_job {
	const char *const *argv; /* NULL-terminated, for execvp */
	const char *line;	 /* with a shell: the command line instead */
	const char *cmd, *args;	 /* what a profile calls it; NULL: the above */
	const char *workload;
	const char *setup, *cleanup;	/* shell lines, once a job */
	const char *prepare, *conclude; /* shell lines, around every run */
	const struct pn_collect_pair *labels;
	size_t label_count;
};

enum pn_collect_output {
	PN_COLLECT_DISCARD, /* standard output and error go nowhere */
	PN_COLLECT_INHERIT, /* both are ours */
	PN_COLLECT_FILE	    /* standard output to a file, cut before each run */
};

/* How to measure; pn_collect_plan_init has the defaults. */
struct pn_collect_plan {
	const struct pn_collect_job *jobs;
	size_t job_count;
	const char *shell; /* program that takes -c; NULL: no shell */
	uint64_t warmup;   /* runs that do not count */
	uint64_t runs;	   /* exactly so many; 0: until it is narrow */
	/* The same for what counts alike in every run, where further ones tell
	 * nothing: they have to be asked for. 0: one. */
	uint64_t counting_runs;
	uint64_t min_runs;   /* at least so many, ... */
	uint64_t max_runs;   /* ... never more, ... */
	int64_t min_time_ns; /* ... at least so long (with prepare), ... */
	int64_t max_time_ns; /* ... not longer, once there are min_runs */
	double precision;    /* half width of the interval, share of median */
	bool in_turn;	     /* one job after the other, not interleaved */
	bool allow_failure;  /* a status other than 0 does not end it */
	enum pn_collect_output output;
	const char *output_path; /* PN_COLLECT_FILE */
	const char *input_path;	 /* NULL: /dev/null */
	const char *machine;	 /* name of this machine, or NULL */
	/* Top of the work tree that the sources are in, NULL: unknown; see
	 * jobs/profiles/source_root.h. */
	const char *source_top;
	/* Raised by a handler of signals: what runs is ended, and the step
	 * fails with PN_ESTOPPED. NULL: never. */
	const volatile sig_atomic_t *stop;
	/* The environment is not varied but the same each time (steady.h), for
	 * a command of these words (NULL: a shell's children); iteration.h */
	bool fixed_stack;
	const char *const *stack_argv;
	bool background;    /* never share the foreground of a terminal */
	int64_t timeout_ns; /* of one run and of each line around it; 0: none */
	/* A step comes back at least so often while its run goes on, where
	 * there are snapshots; 0: when it has ended. */
	int64_t report_ns;
	/* Where all of them run, NULL: here; "NAME=value" and names, both
	 * NULL-terminated or NULL, that their environment has and has not. */
	const char *dir;
	const char *const *env_set;
	const char *const *env_unset;
	/* The same for the command alone: what a collector gives to it. */
	const char *const *command_env;
	/* Private, for files that runs leave; whoever made it removes it with
	 * all that is in it: jobs/measure.h. NULL: there is none. */
	const char *folder;
	/* Takes standard error where that is discarded; NULL: /dev/null. */
	struct pn_said *said;
	/* Starts what is run; NULL: each run makes its own. */
	struct pn_process_launcher *launcher;
	/* What only this collector knows: see pn_collector.options. */
	const struct pn_collect_pair *options;
	size_t option_count;
};

#define PN_COLLECT_MIN_RUNS 10
#define PN_COLLECT_MAX_RUNS 1000 /* more only takes space in the history */
#define PN_COLLECT_MIN_TIME_NS 3000000000
#define PN_COLLECT_MAX_TIME_NS 10000000000
#define PN_COLLECT_PRECISION 0.01
#define PN_COLLECT_MAX_JOBS 1000
#define PN_COLLECT_MAX_ENV 16 /* in env_set */

void pn_collect_plan_init(struct pn_collect_plan *plan);

/* Where a collection is, after a step. */
struct pn_collect_progress {
	size_t job; /* that the step ran */
	bool warming_up;
	uint64_t done, expected; /* steps of all jobs; expected may change */
	double median_ns;	 /* of the job so far; NaN: no run yet */
	int64_t left_ns;	 /* estimate of what is still to come */
	bool running;		 /* the run goes on */
	bool asked;		 /* for a snapshot, from outside */
};

struct pn_collection; /* each collector's own */

/* What a run left behind in a format that codec/ reads. Borrowed. */
struct pn_collect_file {
	const char *path;
	const char *format; /* name of a codec, or NULL: look at the bytes */
};

struct pn_collector {
	const char *name;    /* as --collector takes it */
	const char *summary; /* a few words */
	/* Ends with a zeroed one; NULL: none. */
	const struct pn_option *options;
	/* The command gets only variables that say how programs run, so that
	 * it counts the same everywhere: see steady.h. */
	bool chooses_environment;
	/* `result` is of all runs together and gives them away: it is asked
	 * once, and no run has figures of its own. */
	bool result_takes;

	/* `plan` and what it refers to stay in use until free. */
	int (*open)(struct pn_collection **out,
		    const struct pn_collect_plan *plan, struct pn_error *err);
	/* One run. 1: go on; 0: all are done; negative: failed (PN_EREFUSED
	 * when a command's status was not 0). */
	int (*step)(struct pn_collection *collection,
		    struct pn_collect_progress *progress, struct pn_error *err);
	/* The profile of one job, after the last step. `out` is initialised
	 * by the caller. At most PN_DOUBT_KINDS doubts. */
	int (*result)(struct pn_profile *out, struct pn_collection *collection,
		      size_t job, struct pn_error *err);
	/*
	 * NULL where `result` is whole. Else the weights of the job are in
	 * files, one of each run, from 0 on, and `result` gives header and
	 * metrics only: jobs/measure.h puts them together. A path of NULL:
	 * there is no further one. They live until free.
	 */
	int (*left)(struct pn_collect_file *out,
		    struct pn_collection *collection, size_t job, size_t run,
		    struct pn_error *err);
	/*
	 * NULL where it cannot be done. Else a step may return while its run
	 * goes on, and this is the profile of the run so far.
	 */
	int (*snapshot)(struct pn_profile *out,
			struct pn_collection *collection, size_t job,
			struct pn_error *err);
	size_t (*warnings)(struct pn_doubt out[PN_DOUBT_KINDS],
			   struct pn_collection *collection, size_t job);
	/* Takes NULL. Runs a cleanup that is due. */
	void (*free)(struct pn_collection *collection);
};

/* NULL-terminated; the first one is the default. */
extern const struct pn_collector *const pn_collectors[];
/* Them, or one of them, with their options, to be listed; the caller frees. */
struct pn_with_options *pn_collector_rows(size_t *count,
					  const struct pn_collector *only);

/* The value of an option of the plan, the last one given; NULL: none. */
const char *pn_collect_option(const struct pn_collect_plan *plan,
			      const char *key);
/* Whether the collector has all of these options, and values where they need
 * one. PN_EINVAL names the key and those that there are. */
int pn_collector_check(const struct pn_collector *collector,
		       const struct pn_collect_pair *options, size_t count,
		       struct pn_error *err);

/* Append the names, with `between` between two. */
void pn_collector_names(struct pn_buf *out, const char *between);
/* The same of the keys of all collectors' options, each with its "=". */
void pn_collector_keys(struct pn_buf *out, const char *between);
/* By name; NULL when there is none (PN_ENOTFOUND lists the names), which can be
 * asked for before. */
int pn_collector_check_name(const char *name, struct pn_error *err);
const struct pn_collector *pn_collector_find(const char *name,
					     struct pn_error *err);

/* The default one, which others name; the rest stand beside the table. */
extern const struct pn_collector pn_collector_time;

#endif
