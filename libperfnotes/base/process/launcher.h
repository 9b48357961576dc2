/*
 * What base/process/measure.c asks of a launcher: a small process of ours that
 * starts commands, one after the other, and takes their times. It was forked
 * when we were small, stays so, and nothing of ours runs beside the command.
 */
#ifndef PN_PROCESS_LAUNCHER_H
#define PN_PROCESS_LAUNCHER_H

#include "base/process/child.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

struct pn_launcher_mark {
	int64_t time_ns; /* CLOCK_MONOTONIC */
	struct rusage used;
};

/* How a run went. */
struct pn_launcher_answer {
	struct pn_child_failure failure; /* error 0: none */
	int status;			 /* 128 + n for signal n */
	struct pn_launcher_mark begin, end;
	pid_t left; /* when the launcher was killed: the command, or 0 */
};

/* Whether a command of it runs now. */
bool pn_launcher_is_busy(const struct pn_process_launcher *launcher);

/* Start a command, with own_group in a group that has its process id; of the
 * plan, `parent` and `report` do not count. */
int pn_launcher_start(struct pn_process_launcher *launcher,
		      const struct pn_child_plan *plan, struct pn_error *err);

/* Readable when the command has ended, or the launcher has. */
int pn_launcher_fd(const struct pn_process_launcher *launcher);

/* The command's process id once it has one; 0: it never will. The number is
 * not given to another before the next start or the end of the launcher. */
pid_t pn_launcher_pid(struct pn_process_launcher *launcher);

/* Wait for the end. False: the launcher was killed. */
bool pn_launcher_finish(struct pn_launcher_answer *out,
			struct pn_process_launcher *launcher);

#endif
