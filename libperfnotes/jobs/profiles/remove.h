/* Taking profiles out that were found by their names. */
#ifndef PN_PROFILES_REMOVE_H
#define PN_PROFILES_REMOVE_H

#include "storage/lookup/lookup.h"

/*
 * Take stored ones out of their commit's list, in one step, and then delete
 * pending ones; what was found twice counts once. *stored and *pending are how
 * many went, also on failure. PN_EREFUSED, before anything is done, for files
 * of the user's, several commits, or a series of several records.
 */
int pn_remove_found(size_t *stored, size_t *pending, struct pn_repo *repo,
		    const struct pn_found_list *found, struct pn_error *err);

#endif
