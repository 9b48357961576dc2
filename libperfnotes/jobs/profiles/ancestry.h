/*
 * What commits and their ancestors were measured at, for whoever goes through
 * a history: each note is read once as long as the walk stays near.
 */
#ifndef PN_PROFILES_ANCESTRY_H
#define PN_PROFILES_ANCESTRY_H

#include "analysis/history/log_series.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#define PN_ANCESTRY_COMMITS 200 /* looked at behind a commit, ... */
#define PN_ANCESTRY_MEASURED 50 /* ... of them measured ones */
#define PN_ANCESTRY_CACHE 64	/* commits with a note that are kept */

struct pn_ancestry;

/* Borrows both. */
struct pn_ancestry *pn_ancestry_new(struct pn_repo *repo,
				    struct pn_notes *notes);
/* Takes NULL. */
void pn_ancestry_free(struct pn_ancestry *ancestry);

/* The lines of one commit and the figures of its own tree. */
struct pn_ancestry_commit {
	struct pn_oid id, tree, first_parent; /* zero: of a root */
	struct pn_noted noted;
};

/*
 * Look a commit up that is known but for what it has in its note. What *out
 * points to lives until PN_ANCESTRY_CACHE other measured commits were looked
 * at. PN_ELIMIT for a note that is too large: `out` is without lines then, as
 * of every other failure.
 */
int pn_ancestry_look(struct pn_ancestry_commit *out,
		     struct pn_ancestry *ancestry, const struct pn_oid *commit,
		     const struct pn_commit_facts *facts, struct pn_error *err);

/*
 * Give the rows of a commit the figures of the last ancestor, along first
 * parents, that was measured likewise. What cannot be read is passed over, and
 * so is what lies behind the limits above. Where no other commit has a note no
 * ancestor is read.
 */
void pn_ancestry_compare(struct pn_log_series *rows, size_t count,
			 struct pn_ancestry *ancestry,
			 const struct pn_oid *commit,
			 const struct pn_oid *first_parent);

#endif
