/* Inside of vcs/ only: the files of commits as one sorted list. */
#ifndef PN_INPLACE_LISTING_H
#define PN_INPLACE_LISTING_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/objects/objects.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_LISTING_MAX (1u << 30) /* bytes of one commit's list */

#define PN_MODE_FILE 0100644u
#define PN_MODE_PROGRAM 0100755u
#define PN_MODE_SYMLINK 0120000u
#define PN_MODE_GITLINK 0160000u

struct pn_listed {
	unsigned int mode; /* as git keeps it */
	struct pn_oid oid;
	const char *path; /* from the top, bytes as they are */
};

/* By path, as bytes; a zeroed struct is an empty list. */
struct pn_listing {
	struct pn_listed *items;
	size_t count, cap;
	struct pn_arena arena;
};

void pn_listing_release(struct pn_listing *list);
/* Add what a commit (or a tree) has; a path of several commits is there
 * several times. Asks `git ls-tree`. */
int pn_listing_add(struct pn_listing *list, struct pn_repo *repo,
		   const struct pn_oid *commit, struct pn_error *err);
/* Add one; pn_listing_sort before the list is asked anything. */
void pn_listing_put(struct pn_listing *list, unsigned int mode,
		    const struct pn_oid *oid, const char *path);
void pn_listing_sort(struct pn_listing *list);

/* The first of that path, NULL when there is none. */
const struct pn_listed *pn_listing_find(const struct pn_listing *list,
					const char *path);
/* Where the items are whose paths begin with `prefix`, among those from *from
 * to *to; both are moved. */
void pn_listing_below(size_t *from, size_t *to, const struct pn_listing *list,
		      const char *prefix);

/* The tree that has these files, each path once; it and those below it go to
 * `objects`. */
void pn_listing_tree(struct pn_oid *out, const struct pn_listing *list,
		     struct pn_objects *objects);

#endif
