/* Series of a commit by records that stand elsewhere. */
#ifndef PN_STORAGE_SERIES_AT_H
#define PN_STORAGE_SERIES_AT_H

#include "storage/store.h"

/* As pn_store_series, by the records of another commit, which need not be here:
 * of equal tree, they are true of this one. */
int pn_store_series_at(const struct pn_series_records **out, size_t *count,
		       struct pn_arena *arena, struct pn_repo *repo,
		       struct pn_notes *notes, const struct pn_oid *commit,
		       const struct pn_oid *records, struct pn_error *err);

#endif
