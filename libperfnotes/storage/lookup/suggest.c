/* Names that somebody meant. */
#include "storage/lookup/suggest.h"

#include "storage/store.h"

void pn_lookup_suggest(struct pn_error *err, const struct pn_lookup *lookup,
		       const char *name)
{
	const struct pn_series_records *records = NULL;
	struct pn_error why = *err, ignored;
	struct pn_arena arena = {0};
	size_t i, count = 0;
	bool fits = false;

	if (lookup->repo && !pn_oid_is_zero(&lookup->commit))
		pn_store_series(&records, &count, &arena, lookup->repo,
				lookup->notes, &lookup->commit, &ignored);
	for (i = 0; i < count; i++)
		fits |= pn_series_fits(&records[i].series, name) !=
			PN_SERIES_OTHER;
	if (fits)
		pn_error_set(err, why.code,
			     "%s; 'HEAD:%s' names what was measured",
			     why.message, name);
	pn_arena_release(&arena);
}
