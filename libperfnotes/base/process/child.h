/*
 * What base/process/process.c and base/process/launcher.c share: how a child
 * becomes the command, and how it says why it could not.
 */
#ifndef PN_PROCESS_CHILD_H
#define PN_PROCESS_CHILD_H

#include "base/error.h"
#include "base/process/process.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define PN_CHILD_FDS_MAX 256 /* nobody hands a higher one down */

/* What a child reports when it cannot become the command. */
enum pn_child_stage { PN_CHILD_FDS, PN_CHILD_DIR, PN_CHILD_EXEC };

struct pn_child_failure {
	int stage;
	int error;
};

/* Everything that the child needs, made before the fork. */
struct pn_child_plan {
	const char *const *argv;
	const char *dir;
	char **env; /* NULL: ours */
	int fds[3]; /* as in the options: -1, 0 or an fd */
	bool own_group, detached, ends_with_us, polite;
	uint64_t most_cpu_s; /* 0: no limit of its own */
	pid_t parent;
	int report;    /* write end, closed by a good exec; -1: nobody reads */
	sigset_t mask; /* ours before the fork */
};

/* Ours without what is set or unset, then what is set; borrowed strings, the
 * array is the caller's. NULL when that is just ours. */
char **pn_child_environment(const struct pn_process_options *options);

/* In the child: each of 0, 1, 2 as in pn_process_options. -1 and errno. */
int pn_child_place_fds(const int want[3]);

/* In the child: our handlers must not run there; what we ignore it ignores
 * too, but for SIGPIPE, which a program ignores for its own writes only. Then
 * `mask` blocks. */
void pn_child_reset_signals(const sigset_t *mask);

/* Whether a whole message came; none does when an exec closed the end. */
bool pn_child_read(int fd, void *out, size_t size);

/* waitpid, whatever interrupts it; -1 and errno. */
int pn_child_wait(int *raw, pid_t pid);

/* End a command, child or orphan, with its group if it has one: SIGTERM, so
 * that git takes its lock files away, and after PN_PROCESS_GRACE_S SIGKILL.
 * Returns when nothing of it is left. */
void pn_child_end(pid_t pid, bool own_group);

/* The exit status of what waitpid gave, 128 + n for signal n. */
int pn_child_status(int raw);

/* Where PATH has a file of that name which access(2) allows `mode` of; `name`
 * itself when it is nowhere, or a path. `room` holds the result. */
const char *pn_child_find(const char *name, int mode, char *room, size_t size);

/* `failure` as an error. */
int pn_child_explain(const struct pn_child_failure *failure,
		     const struct pn_child_plan *plan, struct pn_error *err);

#endif
