/*
 * Child processes: the only fork and exec. No shell; argv goes to execvp as
 * it is.
 */
#ifndef PN_PROCESS_PROCESS_H
#define PN_PROCESS_PROCESS_H

#include "base/buf.h"
#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pn_process_launcher;

/* What a child gets. A zeroed struct inherits everything. */
struct pn_process_options {
	const char *dir;	      /* working folder, NULL: ours */
	const char *const *env_set;   /* "NAME=value", NULL-terminated */
	const char *const *env_unset; /* names, NULL-terminated */
	bool env_whole;		      /* env_set is all that there is */
	int in, out, err;	      /* fds, -1: /dev/null, 0: inherit ours */
	bool pipe_out;		      /* ignore `out`, give us its read end */
	bool own_group;		      /* a process group of its own, and ... */
	bool background; /* ... not even the foreground is shared */
	/* A session of its own, no terminal, no fd above 2, and nobody waits
	 * for it, not even until it has begun: if it cannot, `err` is told.
	 * Its priority is ours: only root could raise it again for what it
	 * measures. */
	bool detached;
	bool ends_with_us; /* SIGTERM when we die, where the system can */
	/* SIGXCPU after so much processor time, or less where our own limit is
	 * lower; of pn_process_start and _capture. 0: none but ours. */
	uint64_t most_cpu_s;
	/* Of pn_process_measure: ends the run when *stop, which a handler of
	 * signals raises, is above stop_after. NULL: never. */
	const volatile sig_atomic_t *stop;
	sig_atomic_t stop_after;
	int64_t timeout_ns; /* of pn_process_measure; 0: none */
	/* Of pn_process_measure: gives way to other programs (nice 10, which
	 * the kernel's order of reads and writes follows, too). */
	bool polite;
	/* Of pn_process_measure: starts it. NULL: one for this run. */
	struct pn_process_launcher *launcher;
};

#define PN_PROCESS_GRACE_S 2 /* from SIGTERM to SIGKILL */

struct pn_process {
	pid_t pid;
	int out;	  /* read end when pipe_out, else -1 */
	int64_t begun_ns; /* for trace2.h; 0: nobody listens */
};

/* PN_ENOTFOUND "cannot run 'x': command not found", PN_EIO otherwise. An exec
 * that fails is reported here, not by an exit status. */
int pn_process_start(struct pn_process *out, const char *const *argv,
		     const struct pn_process_options *options,
		     struct pn_error *err);
#define PN_PROCESS_SIGNALLED 128
/* Wait; *status is the exit status, 128 + n for signal n. Closes process->out
 * first unless that is -1. */
int pn_process_wait(int *status, struct pn_process *process,
		    struct pn_error *err);
/*
 * Run to the end and collect at most `limit` bytes of standard output (and,
 * when err_text is not NULL, the first 1 kB of standard error). More is
 * PN_ELIMIT, and the child is killed.
 */
int pn_process_capture(struct pn_buf *out, char err_text[1024], int *status,
		       const char *const *argv,
		       const struct pn_process_options *options, size_t limit,
		       struct pn_error *err);

/* What a program used, with the children that it waited for. */
struct pn_process_cost {
	int64_t wall_ns; /* CLOCK_MONOTONIC, exec to exit */
	int64_t user_ns, sys_ns;
	uint64_t max_rss_bytes; /* of its largest process */
	uint64_t minor_faults, major_faults;
	uint64_t voluntary_switches, involuntary_switches;
};

/*
 * Run to the end and measure, from just before exec to just after the end;
 * what forking costs is not in it. `pipe_out` is ignored. In the
 * foreground of a terminal, whose keys and input the command shares,
 * `own_group` counts with `background` only. A launcher starts the run: a peak
 * of memory outlives exec (Linux, fs/exec.c), and the launcher has only what
 * we allocated and touched before it was forked, none of the libraries, and
 * the arguments and environment of the largest run. This is the least that
 * max_rss_bytes can show.
 *
 * With `stop`, PN_ESTOPPED says that the run was ended: by SIGTERM to the
 * command (to its whole group when that is its own), and after
 * PN_PROCESS_GRACE_S or a second raise by SIGKILL. The handler must not
 * restart system calls (no SA_RESTART). PN_ETIMEOUT: the same, because
 * timeout_ns was over.
 */
int pn_process_measure(struct pn_process_cost *out, int *status,
		       const char *const *argv,
		       const struct pn_process_options *options,
		       struct pn_error *err);

/*
 * A process that starts measured runs, forked by the first: forking costs more
 * than all else that we do for a run. Its working folder, files and limits
 * are ours of then, the environment and the signals that are blocked ours of
 * each run. While a run of it goes on, another one has a launcher of its own.
 * It ends with us. Where the system can tell that we were killed (Linux), a
 * command that runs then is ended as well, with its group when it has one.
 */
struct pn_process_launcher *pn_process_launcher_new(void);
/* When no run of it goes on: end the process, which the next run forks anew.
 * What it and its runs used is from then on in our RUSAGE_CHILDREN. */
void pn_process_launcher_rest(struct pn_process_launcher *launcher);
/* When no run of it goes on. Takes NULL. */
void pn_process_launcher_free(struct pn_process_launcher *launcher);

/*
 * The same in steps, for who has something to do meanwhile. argv and what the
 * options refer to stay in use until the end; signals are blocked, and `stop`
 * is looked at, in the wait only.
 */
struct pn_process_run;

int pn_process_measure_start(struct pn_process_run **out,
			     const char *const *argv,
			     const struct pn_process_options *options,
			     struct pn_error *err);
/* True when the command has ended, false after `pause_ns` (0: never). */
bool pn_process_measure_wait(struct pn_process_run *run, int64_t pause_ns);
/* End it as `stop` would, whatever that says. */
void pn_process_measure_stop(struct pn_process_run *run);
/* Waits for the end; `run` is gone then, whatever comes back. */
int pn_process_measure_finish(struct pn_process_cost *out, int *status,
			      struct pn_process_run *run, struct pn_error *err);

#endif
