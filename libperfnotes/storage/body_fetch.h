/*
 * Bodies that a partial clone lacks, fetched together: read one by one each of
 * them would be a connection of its own.
 */
#ifndef PN_STORAGE_BODY_FETCH_H
#define PN_STORAGE_BODY_FETCH_H

#include "base/error.h"
#include "model/entry.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stddef.h>

/*
 * Get the bodies of these entries (NULL: none) and all that they build on, in
 * one connection where the lines of the notes tell their chains; what a body
 * builds on without a line that says so costs one for each step. Does nothing
 * where the clone is not partial or all is here. What could not be had stays
 * absent: who reads it then tries once more and says why.
 */
void pn_bodies_fetch(struct pn_repo *repo,
		     const struct pn_entry *const *entries, size_t count);
/* The same of a body that another one builds on. */
void pn_bodies_fetch_chain(struct pn_repo *repo, const struct pn_oid *body);

/*
 * The same of what is met on the way through a history, before it is gone
 * through once more: ids alone are kept. NULL where the clone is not partial,
 * which the others take; `end` fetches and frees.
 */
struct pn_bodies_wanted *pn_bodies_wanted_new(struct pn_repo *repo);
void pn_bodies_wanted_add(struct pn_bodies_wanted *wanted,
			  const struct pn_entry *const *entries, size_t count);
void pn_bodies_wanted_end(struct pn_bodies_wanted *wanted);

/* The same of objects by their 20-byte ids, and nothing that they build on. */
void pn_bodies_fetch_ids(struct pn_repo *repo, const struct pn_buf *ids);

/* The same of all entries of the notes, and an error where one stays absent:
 * PN_ENOTFOUND with how many do. Or the notes cannot be read. */
int pn_bodies_fetch_all(struct pn_repo *repo, struct pn_notes *notes,
			struct pn_error *err);
/* The same of those alone that have the figures of their line, when the first
 * of them is absent: once for all that these notes are asked. */
void pn_bodies_fetch_figures(struct pn_repo *repo, struct pn_notes *notes,
			     const struct pn_entry *entry);
/* The same of the newest state of the notes. */
int pn_bodies_complete(struct pn_repo *repo, struct pn_error *err);

#endif
