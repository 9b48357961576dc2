/*
 * Inside of vcs/ only: blobs of notes that this clone wrote of lines that it
 * made, or found good: their ids, 20 bytes each, one behind the other in
 * perf/cache/good, which may be deleted at any time. What is damaged in it, or
 * cut, is the name of no blob, and whoever asks looks at the lines then.
 */
#ifndef PN_CACHE_GOOD_H
#define PN_CACHE_GOOD_H

#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_GOOD_MAX                                                            \
	((16u << 20) / PN_OID_BYTES) /* blobs; then it begins anew */

struct pn_good;

/* Never fails. The repository is borrowed. */
struct pn_good *pn_good_open(struct pn_repo *repo);
void pn_good_close(struct pn_good *good);
/* The first questions are answered by the newest of a long list alone: it is
 * read whole when that pays. */
bool pn_good_has(struct pn_good *good, const struct pn_oid *blob);
/* Add to the list; where it cannot be written there is none. */
void pn_good_add(struct pn_repo *repo, const struct pn_oid *blobs,
		 size_t count);

#endif
