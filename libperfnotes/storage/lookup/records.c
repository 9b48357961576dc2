/* Where the records of a commit are. */
#include "storage/lookup/records.h"

#include "storage/series_at.h"

struct pn_oid pn_lookup_records(const struct pn_lookup *lookup,
				const struct pn_oid *commit)
{
	struct pn_oid at = *commit;

	if (lookup->find_records)
		lookup->find_records(&at, lookup->data);
	return at;
}

int pn_lookup_read_series(const struct pn_series_records **out, size_t *count,
			  struct pn_arena *arena,
			  const struct pn_lookup *lookup,
			  const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_oid at = pn_lookup_records(lookup, commit);

	return pn_store_series_at(out, count, arena, lookup->repo,
				  lookup->notes, commit, &at, err);
}
