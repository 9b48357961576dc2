/* Where the records of a commit are. */
#ifndef PN_LOOKUP_RECORDS_H
#define PN_LOOKUP_RECORDS_H

#include "storage/lookup/lookup.h"

/* Where the records of a commit are, see find_records. */
struct pn_oid pn_lookup_records(const struct pn_lookup *lookup,
				const struct pn_oid *commit);
/* The series of a commit by these records. */
int pn_lookup_read_series(const struct pn_series_records **out, size_t *count,
			  struct pn_arena *arena,
			  const struct pn_lookup *lookup,
			  const struct pn_oid *commit, struct pn_error *err);

#endif
