/* Commits of the history that have figures. */
#ifndef PN_STORAGE_MEASURED_H
#define PN_STORAGE_MEASURED_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* Whether a commit has a series, or (`name`) one of that name: 1, 0, or
 * negative on error. */
int pn_store_is_measured(struct pn_notes *notes, const struct pn_oid *commit,
			 const char *name, struct pn_error *err);
/*
 * The nearest commit with a series, along first parents: 1 with *out, 0 when
 * there is none, negative on error. The walk begins with `from`, or behind it.
 * `name` (NULL: any) is one that the series has to fit. What a shallow clone
 * lacks ends the walk. Time O(commits walked).
 */
int pn_store_nearest(struct pn_oid *out, struct pn_repo *repo,
		     struct pn_notes *notes, const struct pn_oid *from,
		     bool behind, const char *name, struct pn_error *err);

#endif
