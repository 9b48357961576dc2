/* The source of what costs most in a profile. */
#ifndef PN_REPORTED_SOURCED_H
#define PN_REPORTED_SOURCED_H

#include "analysis/source/routines.h"
#include "analysis/source/text.h"

/* Functions of which a report lists the source: their own share, and how many
 * of them at most. */
#define PN_SOURCED_SHARE 0.01
#define PN_SOURCED_FUNCTIONS 20

/* Zeroed before, released in any case. */
struct pn_sourced {
	struct pn_profile copy;
	struct pn_report by_line;
	struct pn_routines routines;
	struct pn_source_texts texts;
};

/*
 * Of the dearest functions of a report, as the commit `hex` or the folder has
 * their files, see pn_source_texts_load; *lines refers to it, unless there is
 * nothing to list. The profile changes (analysis/report.h): all else has to be
 * made of it before.
 */
void pn_sourced_init(struct pn_routine_texts *lines, struct pn_sourced *out,
		     struct pn_profile *profile, const struct pn_report *report,
		     const char *hex, const char *folder);
/* The same of the report's own profile, which stays as it is. */
void pn_sourced_copy(struct pn_routine_texts *lines, struct pn_sourced *out,
		     const struct pn_report *report, const char *hex,
		     const char *folder);
void pn_sourced_release(struct pn_sourced *sourced);

#endif
