/* Whether a commit has figures. */
#ifndef PN_STORAGE_MEASURED_H
#define PN_STORAGE_MEASURED_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/notes/notes.h"

/* Whether the records of a commit have a series of this tree, or (`name`) one
 * of that name: 1, 0, or negative on error. */
int pn_store_has_series(struct pn_notes *notes, const struct pn_oid *commit,
			const struct pn_oid *tree, const char *name,
			struct pn_error *err);
/* The same of any series of the commit's own tree. */
int pn_store_is_measured(struct pn_notes *notes, const struct pn_oid *commit,
			 struct pn_error *err);

#endif
