/*
 * What was read of a history, for the processes that come after: below
 * perf/cache of the common git folder, files that may be deleted at any
 * time. Keys are ids of objects, or hashes of all that a value was made of, so
 * a value is never wrong, at most useless. A file that is damaged, too large or
 * not ours is as if it was not there; where none can be written there is none.
 *
 * Who writes it replaces it whole: of two at once the last one's stays.
 */
#ifndef PN_CACHE_CACHE_H
#define PN_CACHE_CACHE_H

#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

enum pn_cache_kind {
	PN_CACHE_COMMIT = 1, /* struct pn_commit_facts */
	PN_CACHE_NOTE,	     /* drawn in vcs/notes/cached.c */
	PN_CACHE_MARKS	     /* drawn in jobs/judge/past_marks.c */
};

#define PN_CACHE_VALUE_MAX (5u << 18) /* bytes; longer ones are not kept */

struct pn_cache;

/* The file of a name: what is small and often asked for has one of its own.
 * Never fails. The repository is borrowed. */
#define PN_CACHE_HISTORY "history"
#define PN_CACHE_JUDGED "judged"
struct pn_cache *pn_cache_open(struct pn_repo *repo, const char *name);
/* Writes the file when there is something new. Takes NULL. */
void pn_cache_close(struct pn_cache *cache);

/* Whether there was nothing when it was opened. */
bool pn_cache_is_empty(const struct pn_cache *cache);
/* The value of a key, borrowed until the cache is closed and aligned to 8
 * bytes; NULL when there is none. */
const void *pn_cache_find(size_t *len, struct pn_cache *cache,
			  enum pn_cache_kind kind, const struct pn_oid *oid);
/* Keep a value, while the file does not become too large: its bytes are copied,
 * or the caller writes them to where it will be (NULL: it is not kept). */
void *pn_cache_place(struct pn_cache *cache, enum pn_cache_kind kind,
		     const struct pn_oid *oid, size_t len);
void pn_cache_put(struct pn_cache *cache, enum pn_cache_kind kind,
		  const struct pn_oid *oid, const void *value, size_t len);

#endif
