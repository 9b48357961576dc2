/*
 * Where one is: the commit's profiles, what is pending, what is not pushed,
 * what is going on. Plain data that the program fills and a renderer prints;
 * the order of the list is chosen here. Pure.
 */
#ifndef PN_HISTORY_STATUS_H
#define PN_HISTORY_STATUS_H

#include "analysis/history/log_series.h"
#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A profile that belongs to no commit yet. */
struct pn_status_pending {
	const char *path, *name;
	struct pn_oid origin; /* commit that was measured; zero: unknown */
	int64_t time_ns;
	const struct pn_entry *entry; /* its `line` is NULL: none is known */
};

/* Everything is borrowed. */
struct pn_status {
	const char *branch; /* "": detached */
	bool unborn;
	struct pn_oid commit, tree;
	const struct pn_entry *entries; /* of the commit, newest first */
	size_t entry_count;
	struct pn_log_series *rows; /* what they are, and what failed */
	size_t row_count;
	size_t ignored; /* lines of the note that are none */
	const struct pn_status_pending *pending; /* newest first */
	size_t pending_count;
	const char *const *in_progress; /* git's commands: "rebase", ... */
	size_t in_progress_count;
	size_t queued;	    /* commits that hooks left to be measured */
	bool worker;	    /* one is at work on them */
	bool waits;	    /* it does, for a quiet machine */
	bool in_place;	    /* a run in this work tree has not ended ... */
	long process;	    /* ... and this is still at work on it, unless 0 */
	size_t stale;	    /* worktrees of dead runs */
	const char *doubts; /* why hooks measure nothing: lines; NULL: none */
	/* Sure ones that nobody accepted, since the tag (NULL: none). */
	size_t regressions;
	const char *since_tag;
	const char *unmeasured; /* why a worker did not; NULL: not known */
	const char *remote;	/* "": there is none */
	bool compared;		/* with the remote's notes: unpushed, fetched */
	bool has_notes;		/* any at all */
	size_t unpushed;	/* lines of ours that the remote has not */
	size_t fetched; /* lines of theirs that are not united with ours */
};

/* Whether a run ended before it had put things back. */
bool pn_status_is_interrupted(const struct pn_status *status);

/* What rows are put in order by: the newest record of each and its place when
 * the newest comes first, which is its tag. */
struct pn_entry_row {
	size_t tag;
	const struct pn_entry *entry;
};

/* An order of rows: one row of the table in status.c each. */
struct pn_entry_order {
	const char *name;
	/* of two rows, as qsort(3) wants it */
	int (*compare)(const void *a, const void *b);
};

extern const struct pn_entry_order pn_entry_orders[]; /* ends without name */

/* Append the names, with `between` between two. */
void pn_entry_order_names(struct pn_buf *out, const char *between);
/* By name; NULL when there is none of it. */
const struct pn_entry_order *pn_entry_order_find(const char *name);

/* Put rows, which are newest first, in an order: equal ones stay as they are,
 * and failures behind all others. */
void pn_status_sort(struct pn_log_series *rows, size_t count,
		    const struct pn_entry_order *order);

#endif
