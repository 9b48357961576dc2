/* Commands times parameters: what a command line asks to measure, as jobs of a
 * collection. */
#ifndef PN_COLLECT_COMBINE_H
#define PN_COLLECT_COMBINE_H

#include "base/arena.h"
#include "base/error.h"
#include "collect/collector.h"

/* Values of an option that may be repeated. */
struct pn_collect_values {
	const char *const *items;
	size_t count;
};

/* As it was asked for; {NAME} is not replaced yet. Everything is borrowed. */
struct pn_collect_request {
	const char *const *words; /* a command, word by word, NULL-terminated */
	size_t word_count;
	struct pn_collect_values lines; /* further commands, a line each */
	const char *reference;		/* one more, before them, or NULL */
	struct pn_collect_values scans, lists; /* parameters */
	bool shell; /* commands are lines for a shell */
	const char *workload;
	const char *setup, *prepare, *conclude, *cleanup;
};

struct pn_collect_jobs {
	struct pn_arena arena;
	struct pn_collect_job *items;
	size_t count, cap;
};

/* The reference as it is, then one job for each command and each combination of
 * parameters. PN_EINVAL for a parameter that is not used or given twice;
 * PN_ELIMIT above PN_COLLECT_MAX_JOBS. */
int pn_collect_jobs_of(struct pn_collect_jobs *out,
		       const struct pn_collect_request *request,
		       struct pn_error *err);
void pn_collect_jobs_release(struct pn_collect_jobs *jobs);

/* The command of a job as one line, shell-quoted; the caller frees. */
char *pn_collect_job_title(const struct pn_collect_job *job);

/* Options of a collector: "key=value", or "key" of one that takes no value.
 * The caller frees with the second. */
struct pn_collect_pair *
pn_collect_pairs_of(const struct pn_collect_values *texts);
void pn_collect_pairs_free(struct pn_collect_pair *pairs, size_t count);

#endif
