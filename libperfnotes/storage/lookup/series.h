/* Inside of storage/ only: names behind "<rev>:" to series of that commit. */
#ifndef PN_LOOKUP_SERIES_H
#define PN_LOOKUP_SERIES_H

#include "storage/lookup/lookup.h"

struct pn_series_query {
	const struct pn_oid *commit;
	const char *text; /* all that was typed */
	size_t rev_len;	  /* of it, without the colon */
	const char *name; /* behind the colon; "": the commit's only one */
};

/*
 * Append the series that fits best: 1; 0 when none does. PN_EAMBIGUOUS lists
 * several with what to type, unless they may be: lookup->several.
 */
int pn_lookup_series(struct pn_found_list *out, const struct pn_lookup *lookup,
		     const struct pn_series_query *query, struct pn_error *err);
/* PN_ENOTFOUND: what is missing or wrong in the name, and what there is. */
int pn_lookup_refuse(const struct pn_lookup *lookup,
		     const struct pn_series_query *query, struct pn_error *err);

#endif
