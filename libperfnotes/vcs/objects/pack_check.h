/*
 * Inside of vcs/ only: indexes of packs, looked at before libgit2 is given
 * them. libgit2 1.5.1 reads what it has unmapped where an index has another
 * size than its counts say or counts that shrink, and beyond a pack where an
 * offset leads there: the process dies.
 */
#ifndef PN_OBJECTS_PACK_CHECK_H
#define PN_OBJECTS_PACK_CHECK_H

#include "base/error.h"
#include "base/oid.h"

struct pn_repo;
struct pn_pack_checks;

/* Sizes and counts of all indexes, of a kilobyte each; those of the folders
 * that are borrowed from, too. PN_EINVAL names the first that is damaged and
 * what makes it anew. */
int pn_pack_check_all(const struct pn_repo *repo, struct pn_error *err);

/* Before libgit2 reads an object: the offsets of each index that has it, all
 * of them, once. PN_EINVAL as above. */
int pn_pack_check_object(struct pn_repo *repo, const struct pn_oid *oid,
			 struct pn_error *err);
/* The same of each index that there is: libgit2 finds objects by itself. */
int pn_pack_check_offsets(struct pn_repo *repo, struct pn_error *err);

/* What was looked at. */
void pn_pack_checks_free(struct pn_pack_checks *checks);

#endif
