/* What a command line asks to be bisected. */
#ifndef PN_BISECT_ASK_H
#define PN_BISECT_ASK_H

#include "base/opts/opts.h"
#include "jobs/bisect/session.h"
#include "jobs/matrix/matrix.h"
#include "jobs/run.h"

/* As the options of `git perf bisect` say it; borrowed. Commits are NULL: what
 * was begun goes on. `job` may be NULL. */
struct pn_bisect_ask {
	const char *good, *bad, *job;
	const char *metric, *config, *machine;
	int64_t max_runs;
	bool nice;
};

/* OPT_TABLE(struct pn_bisect_ask, <member>, pn_bisect_opts). */
extern const struct pn_opt pn_bisect_opts[];

/* What it became. `repo` is the caller's, lock -1; all else zeroed before. */
struct pn_bisect_asked {
	struct pn_repo *repo;
	struct pn_matrix matrix;
	struct pn_run_options run;
	char *machine; /* from the configuration */
	struct pn_bisect_session session;
	int lock; /* of the session; -1: not ours */
};

/* The session, locked, and the jobs of its file, which is trusted; *had: the
 * same was begun before. `stop` as of pn_run_options. */
int pn_bisect_ask_read(struct pn_bisect_asked *out, bool *had,
		       const struct pn_bisect_ask *ask,
		       const volatile sig_atomic_t *stop, struct pn_error *err);
void pn_bisect_asked_release(struct pn_bisect_asked *asked);

#endif
