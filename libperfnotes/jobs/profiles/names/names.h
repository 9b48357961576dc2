/*
 * Names that a shell may complete. Only such as need no quotes: those of notes
 * and job files are somebody else's, and shells expand what they are given.
 */
#ifndef PN_NAMES_NAMES_H
#define PN_NAMES_NAMES_H

#include "base/buf.h"
#include "storage/lookup/lookup.h"

#include <stdbool.h>

/*
 * Append "<name> TAB <what> LF" for each profile and series: of the revision
 * that `typed` begins with ("v1.0:..."), else of lookup->commit and what is
 * pending; `add` takes nothing else. PN_ENOTFOUND of an unknown revision.
 */
int pn_names_list(struct pn_buf *out, const struct pn_lookup *lookup,
		  const char *typed, bool add, struct pn_error *err);
enum pn_names_part {
	PN_NAMES_NONE,
	PN_NAMES_JOB,
	PN_NAMES_COLLECTOR,
	PN_NAMES_MACHINE
};

/* By the option that takes it, dashes or not. */
enum pn_names_part pn_names_part_of(const char *option);
/* The same of a part of series: those that lookup->commit has, or its nearest
 * measured ancestor; and the jobs of the job file, be it trusted or not. */
int pn_names_parts(struct pn_buf *out, const struct pn_lookup *lookup,
		   enum pn_names_part part, struct pn_error *err);

/* The keys of -O: of the collector (`posts`: the postprocessor) that the words
 * typed so far choose, else of all. */
void pn_names_keys(struct pn_buf *out, bool posts, const char *const *words,
		   int count);

#endif
