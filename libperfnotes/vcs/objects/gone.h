/* What a partial clone was promised and its remote has no more, as behind a
 * compaction there. */
#ifndef PN_OBJECTS_GONE_H
#define PN_OBJECTS_GONE_H

#include "base/error.h"

#include <stdbool.h>

#define PN_GONE "is missing, and its remote has it no more"

/* Whether a message says so: all that git said of it, or one with PN_GONE. */
bool pn_gone_is(const char *said);

/* Where `err` (may be NULL) says so of notes or bodies: and what to do. */
void pn_gone_advise(struct pn_error *err);

#endif
