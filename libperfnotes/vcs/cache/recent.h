/*
 * Inside of vcs/ only: the texts of notes that this clone wrote, by the ids of
 * their blobs, in perf/cache/recent, which may be deleted at any time: the
 * first who goes through a history need not take them out of packs. Only notes
 * of good lines are in it (good.h). Each has a checksum; one that does not hold
 * is as if it was not there, and so is a file of another version, which the
 * next text takes away.
 */
#ifndef PN_CACHE_RECENT_H
#define PN_CACHE_RECENT_H

#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_RECENT_MAX ((size_t)16 << 20) /* bytes; then it begins anew */
#define PN_RECENT_TEXT_MAX 4096 /* of a note: longer ones are not kept */
#define PN_RECENT_ADD_MAX ((size_t)1 << 20) /* at a time: of more none is */

struct pn_recent;

/* A note's text and the id of its blob. */
struct pn_recent_text {
	struct pn_oid blob;
	const char *text;
	size_t len;
};

/* Never fails. The repository is borrowed. */
struct pn_recent *pn_recent_open(struct pn_repo *repo);
/* Takes NULL. */
void pn_recent_close(struct pn_recent *recent);
/* False: nothing will be found. */
bool pn_recent_has_any(const struct pn_recent *recent);
/* The text of a blob, borrowed until close; NULL: it is not there. A long file
 * is read when so much is asked for that it pays. */
const char *pn_recent_find(size_t *len, struct pn_recent *recent,
			   const struct pn_oid *blob);
/* Add to the file; where it cannot be written there is none. */
void pn_recent_add(struct pn_repo *repo, const struct pn_recent_text *texts,
		   size_t count);

#endif
