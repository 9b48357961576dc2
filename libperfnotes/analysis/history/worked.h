/* What the queue's worker does next: plain data that jobs fill and a renderer
 * puts into words. */
#ifndef PN_HISTORY_WORKED_H
#define PN_HISTORY_WORKED_H

#include "base/oid.h"

#include <stddef.h>
#include <stdint.h>

enum pn_worker_kind {
	PN_WORKER_DONE,	   /* nothing is left, or what is left has to wait */
	PN_WORKER_WAIT,	   /* for wait_ms; `text`: what for */
	PN_WORKER_CARRY,   /* `count` entries went along */
	PN_WORKER_LEAVE,   /* `commit` is not measured; `text`: why */
	PN_WORKER_MEASURE, /* `commit`, queued in `worktree` */
};

struct pn_worker_step {
	enum pn_worker_kind kind;
	int64_t wait_ms;
	size_t count; /* CARRY; DONE: commits that stay queued */
	struct pn_oid commit;
	const char *worktree; /* "": the main one; lives until free */
	int64_t patience_ms;  /* MEASURE: for the machine to be quiet */
	char text[256];
};

#endif
