/*
 * What the hooks leave for the worker: lines at the end of a file, <common
 * dir>/perf/queue. Needs no libgit2 and no other lock than flock(2) for the
 * moment of a write. A line that makes no sense is passed over.
 *
 *	1 <time> commit <id> <branch|-> <worktree|->
 *	1 <time> rewrite <old id> <new id>
 *	1 <time> try <id>
 *
 * <time> in ns since 1970, <branch> a full ref name, <worktree> the name of
 * the linked worktree, both percent-encoded.
 */
#ifndef PN_QUEUE_QUEUE_H
#define PN_QUEUE_QUEUE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pn_queue_kind {
	PN_QUEUE_COMMIT,  /* it is to be measured */
	PN_QUEUE_REWRITE, /* `old` became `commit` */
	PN_QUEUE_TRY	  /* a worker began to measure it */
};

struct pn_queue_item {
	enum pn_queue_kind kind;
	int64_t time_ns;
	struct pn_oid commit, old;
	const char *branch;   /* "refs/heads/main"; "" when detached */
	const char *worktree; /* "" for the main one */
};

/* In the order in which they were written. */
struct pn_queue {
	struct pn_arena arena;
	struct pn_queue_item *items;
	size_t count;
	size_t ignored; /* lines */
	uint64_t end;	/* bytes of the file that these are */
};

/* open(2) of <common dir>/perf/<name>; what is missing is created, for all who
 * may write to the repository. -1 and errno. */
int pn_queue_open(const char *common_dir, const char *name, int flags);

/* Add items at the end; the folder is created. Waits for no other process
 * longer than some milliseconds. */
int pn_queue_append(const char *common_dir, const struct pn_queue_item *items,
		    size_t count, struct pn_error *err);

/* All items; no file is an empty queue. Of a file larger than PN_QUEUE_MAX
 * its beginning. */
#define PN_QUEUE_MAX (8u << 20)
int pn_queue_read(struct pn_queue *out, const char *common_dir,
		  struct pn_error *err);
/* The line of an item, with its LF. A name that makes it too long is left
 * out. */
void pn_queue_line(struct pn_buf *out, const struct pn_queue_item *item);
/* The items of a text, which is changed; `queue` is zeroed before. */
void pn_queue_parse(struct pn_queue *queue, char *text, size_t len);
void pn_queue_release(struct pn_queue *queue);

/* Take these items out of the file; those that came later stay. */
int pn_queue_drop(const char *common_dir, const struct pn_queue *queue,
		  struct pn_error *err);

/* Whether there is anything in it. */
bool pn_queue_is_waiting(const char *common_dir);
/* How many commits wait: each once. */
size_t pn_queue_commits(const struct pn_queue *queue);

/*
 * There is one worker for a repository: it has <common dir>/perf/worker.lock,
 * which the kernel frees when it dies, with its process id. PN_ELOCKED (without
 * a message) when another process has it. The caller closes *fd.
 */
int pn_queue_lock_worker(int *fd, const char *common_dir, struct pn_error *err);
/* Whether a worker runs. Not for the worker itself: it would lose its lock. */
bool pn_queue_has_worker(const char *common_dir);

/* The same way its run has <common dir>/perf/quiet.lock while it waits for a
 * quiet machine. -1: not to be had; the caller closes the rest. */
int pn_queue_lock_quiet(const char *common_dir);
/* Whether the worker that runs waits for that. */
bool pn_queue_waits(const char *common_dir);

#endif
