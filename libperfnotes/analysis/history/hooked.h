/* The state of a repository's hooks: plain data that the program fills and a
 * renderer prints. */
#ifndef PN_HISTORY_HOOKED_H
#define PN_HISTORY_HOOKED_H

#include <stdbool.h>
#include <stddef.h>

struct pn_hooked_row {
	const char *name, *path, *state;
};

/* Everything is borrowed. */
struct pn_hooked {
	const char *folder, *mode;
	const struct pn_hooked_row *rows;
	size_t count;
	size_t queued;	    /* commits to be measured */
	bool worker;	    /* one is at work on them */
	bool waits;	    /* it does, for a quiet machine */
	const char *doubts; /* why nothing is measured: lines; "": none */
};

enum pn_hook_change {
	PN_HOOK_KEPT,
	PN_HOOK_CREATED,
	PN_HOOK_ADDED,	 /* the block, to somebody's hook */
	PN_HOOK_RENEWED, /* a block of another version */
	PN_HOOK_REMOVED,
	PN_HOOK_TAKEN_OUT
};

/* What became of a hook. */
struct pn_hook_changed {
	const char *name, *path;
	enum pn_hook_change change;
	bool refused;	  /* it has no place for a block */
	const char *line; /* to put there by hand, of files that are not ours */
};

/* Everything is borrowed. */
struct pn_hooks_changed {
	const char *folder;
	const struct pn_hook_changed *rows;
	size_t count;
	bool foreign; /* the files are not ours to change */
	bool failed;
};

#endif
