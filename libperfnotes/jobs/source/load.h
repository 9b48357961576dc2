/* The source files that a listing shows. */
#ifndef PN_SOURCE_LOAD_H
#define PN_SOURCE_LOAD_H

#include "analysis/report.h"
#include "analysis/source/text.h"

#define PN_SOURCE_ALL_MAX (64u << 20) /* bytes of all files of a listing */

/*
 * The files of the functions that match `pattern`, as the commit `hex` has
 * them; NULL: as HEAD of the repository that the current folder is in, or,
 * where there is no commit, what lies below it. `folder` (not NULL) is looked
 * in instead. What cannot be had says why in `missing`. Released in any case.
 */
int pn_source_texts_load(struct pn_source_texts *out,
			 const struct pn_report *report, const char *pattern,
			 const char *hex, const char *folder,
			 struct pn_error *err);
/* Whether any of these files is there; `root` is the profile's source_root. */
bool pn_source_texts_are_there(const struct pn_strtab *files, const char *root,
			       const char *hex, const char *folder);

#endif
