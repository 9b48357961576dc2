/* Jobs of a project's job file, and what became of them: plain data that the
 * program fills and a renderer prints. */
#ifndef PN_HISTORY_PLANNED_H
#define PN_HISTORY_PLANNED_H

#include "model/entry.h"

#include <stdbool.h>
#include <stddef.h>

/* One job. Everything is borrowed. */
struct pn_planned {
	const char *section, *id;
	const char *cmd, *args, *workload; /* NULL: none */
	const char *collector;
	size_t post_count;
	const char *const *post_names; /* postprocessors, ... */
	const char *const *post_texts; /* ... and as the file has them */
};

/* What became of it: an index line, or the reason why there is none. */
struct pn_ran {
	struct pn_planned job;
	const struct pn_entry *entry; /* NULL: it failed, ... */
	const char *why;	      /* ... and why */
};
/* What went wrong with a job, or is missing of it. Everything is borrowed. */
struct pn_ran_fault {
	const char *section;
	bool unmodelled; /* it is measured, but was not postprocessed */
	const char *cmd; /* of the job; NULL: all of the section failed */
	const char *args, *workload;
	const char *why;   /* a build that fails is told once */
	const char *said;  /* its last lines, or "" */
	const char *doubt; /* what may be wrong with the section, or "" */
};

/* Where a run of jobs is. */
struct pn_jobs_progress {
	size_t done, count;		   /* jobs */
	int64_t left_ns;		   /* estimate; 0: unknown */
	uint64_t runs_done, runs_expected; /* of this job; 0: not measuring */
	bool waiting, noisy;  /* for another run to end, for a quiet machine */
	bool hooked;	      /* and the hooks' worker runs */
	const char *building; /* shell line; NULL: none is built */
	const struct pn_planned *job; /* NULL: none is measured */
};

/* What became of a run over commits. */
struct pn_run_totals {
	size_t commits, done, bad; /* done, bad: jobs */
	size_t skipped;		   /* of the bad ones, by the next run, too */
	size_t done_before, bad_before; /* and left out now */
};

#endif
