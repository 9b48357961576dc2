/* What `git perf collect` is told to measure, as jobs of a collection. */
#ifndef CMD_COLLECT_JOBS_H
#define CMD_COLLECT_JOBS_H

#include "base/arena.h"
#include "base/error.h"
#include "collect/collector.h"
#include "opts.h"

/* As the command line has it; {NAME} is not replaced yet. */
struct job_texts {
	char **words; /* the command, word by word */
	size_t word_count;
	const struct opt_list *lines; /* further commands, a line each */
	const char *reference;	      /* one more, before them, or NULL */
	const struct opt_list *scans, *lists; /* parameters */
	bool shell; /* commands are lines for a shell */
	const char *workload;
	const char *setup, *prepare, *conclude, *cleanup;
};

struct job_set {
	struct pn_arena arena;
	struct pn_collect_job *jobs;
	size_t count, cap;
};

/* The reference as it is, then one job for each command and each combination of
 * parameters. */
int make_jobs(struct job_set *out, const struct job_texts *texts,
	      struct pn_error *err);
void release_jobs(struct job_set *set);

/* Options of a collector: "key=value", or "key" of one that takes no value. */
struct pn_collect_pair *parse_settings(const struct opt_list *list);
void free_settings(struct pn_collect_pair *settings, size_t count);

#endif
