/*
 * Notes that will be read soon, where nobody has read them before: a thread
 * begins with them (vcs/objects/packed_ahead.h), and their blobs are looked up
 * once.
 */
#ifndef PN_NOTES_EXPECTED_H
#define PN_NOTES_EXPECTED_H

#include "vcs/notes/notes.h"

#include <stdbool.h>

#define PN_NOTES_EXPECT_MIN 128	 /* fewer are not worth a thread */
#define PN_NOTES_EXPECT_MAX 1024 /* at a time */

/* Whether the cache (vcs/notes/cached.h) is in use, and empty. */
bool pn_notes_may_expect(const struct pn_notes *notes);
/* Those of these commits, about in this order, in place of those before.
 * Nothing where none may be, nor in a partial clone, whose folders would be
 * fetched before the first commit is shown. */
void pn_notes_expect(struct pn_notes *notes, const struct pn_oid *commits,
		     size_t count);

#endif
