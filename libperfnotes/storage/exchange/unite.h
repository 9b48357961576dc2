/*
 * Taking in what others have: the lines of both sides, and the bodies that
 * they need. Nothing that a plain git took out of their tree is lost by it:
 * only tombstones take records out.
 */
#ifndef PN_EXCHANGE_UNITE_H
#define PN_EXCHANGE_UNITE_H

#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_united {
	size_t commits;	     /* whose notes have lines that were not here */
	size_t bodies;	     /* that were not here */
	bool none;	     /* of a remote: it has nothing at all */
	bool moved;	     /* PN_NOTES_REF has another tip than before */
	struct pn_oid tip;   /* that it has */
	size_t passed;	     /* refs that were passed over */
	size_t first;	     /* index of one of these */
	struct pn_error why; /* of that one; 0: nothing to tell */
};

/*
 * Unite PN_NOTES_REF with other refs as one commit, whose first parent is
 * refs[0] ("" or absent: there is none) and which has a parent for each of the
 * others, too; a note or two more where texts are very long or bodies go. Where
 * refs[0] has all that is here, and grew from it, the ref becomes that one.
 * What a plain `git notes merge` took out of the tree, on any side, is back
 * then. Without refs only that is done.
 *
 * Notes of another epoch bring their lines, not their history (across.h). Where
 * that of refs[0] is later, what is here is written on top of it; no other may
 * begin an epoch here.
 *
 * Any other ref than refs[0] that cannot be taken is passed over and told.
 *
 * PN_EREFUSED: a later format, here or of refs[0]. PN_ELIMIT: a note
 * or a body of it is larger than may be, nothing is taken then but what came
 * before it.
 */
int pn_unite(struct pn_united *out, struct pn_repo *repo,
	     const char *const *refs, size_t count, struct pn_error *err);

/* The same with one commit; `ref` is what messages call it. All that it has is
 * part of out->tip then. */
int pn_unite_commit(struct pn_united *out, struct pn_repo *repo,
		    const char *ref, const struct pn_oid *commit,
		    struct pn_error *err);

/* Whether the commit `at` of another epoch has anything that `tip` of ours has
 * not, of one of the same epoch true: it has to be a parent. `ref` is what
 * messages call it. Both are told by who asks: refs move. */
int pn_unite_left(bool *out, struct pn_repo *repo, const struct pn_oid *tip,
		  const char *ref, const struct pn_oid *at,
		  struct pn_error *err);

#endif
