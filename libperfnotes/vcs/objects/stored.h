/* Inside of vcs/ only: an object of the database, read. */
#ifndef PN_OBJECTS_STORED_H
#define PN_OBJECTS_STORED_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <git2.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of an object; those of an empty one may be NULL. */
struct pn_stored {
	const unsigned char *bytes;
	size_t len;
	struct pn_buf own;
	git_odb_object *found; /* NULL: they are in `own` */
};

/* libgit2's objects, opened when they are first asked for; NULL and libgit2's
 * last error when they cannot be. */
git_odb *pn_stored_odb(struct pn_repo *repo);
/* There are new packs. */
void pn_stored_refresh(struct pn_repo *repo);

/*
 * The size and type of an object, and 0 or one of libgit2's codes. Objects lie
 * in other files after a git-repack(1), or after a write that takes small packs
 * in (pack_join.h): one that is not found is looked for again, as by git, and
 * that as long as there are other packs than before.
 */
int pn_stored_header(size_t *size, git_object_t *type, struct pn_repo *repo,
		     const struct pn_oid *oid);

/* Whether there is an object of this type; its bytes, at most `limit`, may be
 * read for that. */
bool pn_stored_is(struct pn_repo *repo, const struct pn_oid *oid,
		  git_object_t type, uint64_t limit);

/*
 * Read an object of one type, at most `limit` bytes. In a partial clone an
 * absent blob or tree is fetched through git. PN_ENOTFOUND when it is nowhere,
 * PN_EINVAL when it is of another type, PN_ELIMIT.
 */
int pn_stored_read(struct pn_stored *out, struct pn_repo *repo,
		   const struct pn_oid *oid, git_object_t type, uint64_t limit,
		   struct pn_error *err);
void pn_stored_release(struct pn_stored *object);

#endif
