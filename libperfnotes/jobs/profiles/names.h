/*
 * Names that a shell may complete. Only such as need no quotes: those of notes
 * and job files are somebody else's, and shells expand what they are given.
 */
#ifndef PN_PROFILES_NAMES_H
#define PN_PROFILES_NAMES_H

#include "base/buf.h"
#include "storage/lookup.h"

#include <stdbool.h>

/*
 * Append "<name> TAB <what> LF" for each profile and series: of the revision
 * that `typed` begins with ("v1.0:..."), else of lookup->commit and what is
 * pending; `add` takes nothing else. PN_ENOTFOUND of an unknown revision.
 */
int pn_names_list(struct pn_buf *out, const struct pn_lookup *lookup,
		  const char *typed, bool add, struct pn_error *err);
/* The same of the jobs in the job file, whether it is trusted or not, and of
 * those that lookup->commit has records of. */
int pn_names_jobs(struct pn_buf *out, const struct pn_lookup *lookup,
		  struct pn_error *err);

#endif
