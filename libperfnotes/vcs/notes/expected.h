/*
 * Notes that will be read soon, where nobody has read them before: a thread
 * begins with them (vcs/objects/packed_ahead.h), and their blobs are looked up
 * once.
 */
#ifndef PN_NOTES_EXPECTED_H
#define PN_NOTES_EXPECTED_H

#include "vcs/notes/notes.h"

#define PN_NOTES_EXPECT_MIN 128	 /* fewer are not worth a thread */
#define PN_NOTES_EXPECT_MAX 1024 /* at a time */

/* Those of these commits, about in this order, in place of those before.
 * Nothing where the cache (vcs/notes/cached.h) is not in use, or not empty. */
void pn_notes_expect(struct pn_notes *notes, const struct pn_oid *commits,
		     size_t count);

#endif
