/*
 * What a run of git-perf does and how long it takes, told as git tells it:
 * GIT_TRACE2 (for people), GIT_TRACE2_PERF (columns) and GIT_TRACE2_EVENT (a
 * JSON object a line), each 0, 1 or true (standard error), 2 to 9 (that
 * descriptor), or an absolute path: a file that is appended to, or a folder
 * that gets a file a process. See "Trace2" in git's Documentation/technical.
 *
 * There is no state but the environment: pn_trace2_start leaves our session id
 * in GIT_TRACE2_PARENT_SID, as git does, which also says when we began, and
 * children go on from it. Nothing here fails or changes errno; where none of
 * the three variables is set, a call looks for them and returns.
 */
#ifndef PN_BASE_TRACE2_H
#define PN_BASE_TRACE2_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Where in the source; __FILE__ is cut to begin at cmd/ or a layer. */
struct pn_trace2_place {
	const char *file;
	int line;
};

#define PN_TRACE2_HERE ((struct pn_trace2_place){__FILE__, __LINE__})

/* Once, before anything else: version, and start with argv. */
void pn_trace2_start(struct pn_trace2_place place, const char *version,
		     const char *const *argv);
/* The command that runs. */
void pn_trace2_command(struct pn_trace2_place place, const char *name);
void pn_trace2_error(struct pn_trace2_place place, const char *message);
/* Last of all. */
void pn_trace2_exit(struct pn_trace2_place place, int code);

/* A stretch of work; both texts are borrowed until it is left. */
struct pn_trace2_region {
	const char *category, *label;
	int64_t begun_ns; /* 0: nobody listens */
};

struct pn_trace2_region pn_trace2_enter(struct pn_trace2_place place,
					const char *category,
					const char *label);
void pn_trace2_leave(struct pn_trace2_place place,
		     const struct pn_trace2_region *region);

/* A child that was started, and its end; `begun_ns` is what the call at its
 * start returned. */
int64_t pn_trace2_child_start(struct pn_trace2_place place,
			      const char *const *argv, pid_t pid);
void pn_trace2_child_exit(struct pn_trace2_place place, pid_t pid, int status,
			  int64_t begun_ns);

#endif
