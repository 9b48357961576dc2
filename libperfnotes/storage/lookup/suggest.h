/* What a name may have meant that named nothing. */
#ifndef PN_LOOKUP_SUGGEST_H
#define PN_LOOKUP_SUGGEST_H

#include "storage/lookup/lookup.h"

/* A job's name without a revision, which may be that of the program, too: what
 * names the series is put to the message in `err` where the default commit has
 * such a series. */
void pn_lookup_suggest(struct pn_error *err, const struct pn_lookup *lookup,
		       const char *name);

#endif
