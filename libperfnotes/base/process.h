/*
 * Child processes: the only fork and exec. No shell; argv goes to execvp as
 * it is.
 */
#ifndef PN_BASE_PROCESS_H
#define PN_BASE_PROCESS_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What a child gets. A zeroed struct inherits everything. */
struct pn_process_options {
	const char *dir;	      /* working folder, NULL: ours */
	const char *const *env_set;   /* "NAME=value", NULL-terminated */
	const char *const *env_unset; /* names, NULL-terminated */
	int in, out, err;	      /* fds, -1: /dev/null, 0: inherit ours */
	bool pipe_out;		      /* ignore `out`, give us its read end */
	bool own_group;		      /* a process group of its own */
};

struct pn_process {
	pid_t pid;
	int out; /* read end when pipe_out, else -1 */
};

/* PN_ENOTFOUND "cannot run 'x': command not found", PN_EIO otherwise. An exec
 * that fails is reported here, not by an exit status. */
int pn_process_start(struct pn_process *out, const char *const *argv,
		     const struct pn_process_options *options,
		     struct pn_error *err);
/* Wait; *status is the exit status, 128 + n for signal n. */
int pn_process_wait(int *status, struct pn_process *process,
		    struct pn_error *err);
/*
 * Run to the end and collect at most `limit` bytes of standard output (and,
 * when err_text is not NULL, the first 1 kB of standard error).
 */
int pn_process_capture(struct pn_buf *out, char err_text[1024], int *status,
		       const char *const *argv,
		       const struct pn_process_options *options, size_t limit,
		       struct pn_error *err);

#endif
