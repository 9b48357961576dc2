/* How many profiles went from one store to another: plain data that is filled
 * where they are moved and printed by a renderer. */
#ifndef PN_MODEL_MOVED_H
#define PN_MODEL_MOVED_H

#include <stdbool.h>
#include <stddef.h>

/* What was taken out of a store of Perun and put into notes. */
struct pn_takeover_counts {
	size_t stored, commits, pending; /* profiles, their commits, ... */
	size_t already;			 /* were here before */
	size_t broken, skipped; /* listings and files, not objects; skipped:
				 * of commits that are not here */
	size_t changes, changed_commits; /* verdicts of Perun: not kept */
};

/* What was taken out of notes and put into a store of Perun. */
struct pn_handover_counts {
	size_t written, commits, pending;
	size_t left_out; /* profiles that have no place there */
	size_t reasons;	 /* of those that are told together */
};

/* What a fetch has brought, or would, and a pull would take in. */
struct pn_waiting {
	bool uncounted; /* it has notes of which nobody has seen the lines */
	bool none;	/* the remote has no notes */
	size_t records; /* of its notes */
	size_t inboxes; /* beside them */
};

/* What became of a push. */
enum pn_pushed_state {
	PN_PUSHED,
	PN_PUSHED_INBOX,   /* into an inbox of the remote */
	PN_PUSHED_NOTHING, /* the remote has all that is here */
	PN_PUSHED_EMPTY	   /* there is nothing here */
};

#endif
