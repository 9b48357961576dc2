/* Starting the worker so that nobody waits for it. */
#ifndef PN_JOBS_BACKGROUND_H
#define PN_JOBS_BACKGROUND_H

#include "base/buf.h"
#include "base/error.h"

#include <stdint.h>

/*
 * Start `git-perf worker` for the repository whose common folder this is: in a
 * session of its own, without a terminal, at our priority, with
 * <common dir>/perf/worker.log for its words. What git told a hook by
 * variables is not handed down, nor anything that could ask for a password.
 * Returns when it is forked: who commits waits for nothing else.
 */
int pn_background_start(const char *common_dir, struct pn_error *err);

/* Between two measurements: when our standard error is that log, and it has
 * grown long, it goes on in a new one. */
void pn_background_tidy(const char *common_dir);

/* How long the file behind a descriptor is; -1 where it is none, as a terminal
 * is. */
int64_t pn_background_said(int fd);
/* The last "fatal: " or "error: " that was written to it since, without that
 * word; nothing where there is none. */
void pn_background_fault(struct pn_buf *out, int fd, int64_t since);

/* The program that runs, by its path; the caller frees. */
char *pn_background_program(void);

#endif
