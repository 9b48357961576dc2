/* How many profiles went from one store to another, in words. */
#ifndef PN_LOG_MOVED_H
#define PN_LOG_MOVED_H

#include "base/buf.h"
#include "model/moved.h"

#include <stdbool.h>

/* What was added to lists. */
struct pn_added {
	size_t count, dirty_count; /* of these, those of a dirty tree */
	const char *id;		   /* of the only one */
	const char *commit;	   /* its id; NULL: there may be several */
};

/* "added 1234abcd to 0123456789", "added 3 profiles to 0123456789 (the tree was
 * dirty for 2 of them)". */
void pn_added_text(struct pn_buf *out, const struct pn_added *added);
/* What was taken out, or deleted while pending. */
struct pn_removed {
	size_t stored, pending;
	const char *id, *commit; /* of the only stored one; of all of them */
	const char *path;	 /* of the only pending one */
};

void pn_removed_text(struct pn_buf *out, const struct pn_removed *removed);
/* Lines for standard error; of a dry run what would have been. */
void pn_takeover_text(struct pn_buf *out, const struct pn_takeover_counts *c,
		      bool dry_run);
/* `readers` of that layout are versions of Perun. */
void pn_handover_text(struct pn_buf *out, const struct pn_handover_counts *c,
		      const char *layout, const char *readers);

/* What was taken in of a remote or a file, a line; nothing of nothing. */
void pn_united_text(struct pn_buf *out, size_t commits, size_t bodies,
		    const char *from);
/* The same, and where that is all that there is to say; `none`: the remote has
 * nothing at all. */
void pn_pulled_text(struct pn_buf *out, size_t commits, size_t bodies,
		    bool none, const char *from);
/* What is fetched and not taken in, a line. */
void pn_fetched_text(struct pn_buf *out, const struct pn_waiting *waiting,
		     const char *remote);
/* What became of a push, and how many inboxes went. */
void pn_pushed_text(struct pn_buf *out, enum pn_pushed_state state,
		    size_t inboxes, const char *remote, bool dry_run);
/* Where profiles are when a clone has none. */
void pn_elsewhere_text(struct pn_buf *out, const char *remote, size_t incoming);

#endif
