/* The worker's loop: of the command, and of a hook that waits for it. */
#ifndef CMD_WORKER_RUN_H
#define CMD_WORKER_RUN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_repo;

/*
 * Do what is queued until nothing is; with `once` what can be done at once.
 * Says what it does on standard error, a line with the time each. *left is
 * the number of commits that stay queued. PN_ELOCKED, without a message, when
 * another worker runs.
 */
int work(size_t *left, struct pn_repo *repo, bool once, struct pn_error *err);

/* As `work` with once, for the hook of a repository by its common folder; a
 * failure is said. Whether something is left for a worker in the background:
 * what waits, but not what the user has interrupted. */
bool work_once(const char *common_dir);

#endif
