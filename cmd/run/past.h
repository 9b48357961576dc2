/* git perf run with commits: the loop over the history. */
#ifndef CMD_RUN_PAST_H
#define CMD_RUN_PAST_H

#include "command.h"
#include "jobs/past.h"

struct past_call {
	struct pn_repo *repo;
	const struct pn_matrix *matrix; /* expanded */
	struct pn_past_options options;
	const char *path; /* -o */
	bool json;
};

/* Returns an exit code. */
int run_past(const struct global *global, const struct past_call *call);

#endif
