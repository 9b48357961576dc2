/* What the configuration got so that profiles are shared: plain data that
 * storage fills and a renderer prints. */
#ifndef PN_MODEL_SHARED_H
#define PN_MODEL_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum pn_share_kind {
	PN_SHARE_MERGE,	    /* git notes --ref=perf merge keeps every line */
	PN_SHARE_REMOTE,    /* the remote that is meant from here on */
	PN_SHARE_FETCH,	    /* git fetch brings the profiles of others */
	PN_SHARE_OLD_FETCH, /* taken out: what 0.1.0 had for that */
	PN_SHARE_KINDS
};

/* A value that was set, added or taken out. */
struct pn_share_change {
	enum pn_share_kind kind;
	const char *key, *value;
};

/* A refspec by which a fetch harms profiles that were not pushed. */
struct pn_shared_danger {
	const char *remote, *value;
	const char *key;  /* remote.<name>.fetch */
	const char *from; /* the remote's ref that comes over the notes */
	/* It is not forced, but what is pruned goes as long as the remote has
	 * no profiles. */
	bool prunes;
};

struct pn_shared {
	const char *remote; /* NULL: there is none */
	struct pn_share_change changes[PN_SHARE_KINDS];
	size_t change_count;
	/* They stay: they are the user's. */
	const struct pn_shared_danger *dangers;
	size_t danger_count;
};

/* Whether such a value is for more than notes, as that of `git clone --mirror`:
 * it has to stay. */
static inline bool pn_shared_is_mirror(const char *refspec)
{
	return strchr(refspec, '*') &&
	       strncmp(refspec + (*refspec == '+'), "refs/notes/",
		       strlen("refs/notes/")) != 0;
}

#endif
