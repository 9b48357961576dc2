/* What speaks for a commit before it is run. Pure. */
#ifndef PN_BISECT_PRIOR_H
#define PN_BISECT_PRIOR_H

#include <stdbool.h>
#include <stddef.h>

/* Weights beside 1: of a commit that touches documentation alone, or no file
 * at all (a submodule's program may read its documents: not 0); of one that
 * touches a file of a function whose cost differs between the ends; of one to
 * which another metric's history shows a change. */
#define PN_PRIOR_DOCUMENTS 0.05
#define PN_PRIOR_TOUCHES 4.0
#define PN_PRIOR_CHANGED 4.0

/* By its name: no part of a program, for all one can tell. */
bool pn_prior_is_document(const char *path);

/* Whether a path of the repository is the file of a function: equal, or the
 * end of it behind a slash. */
bool pn_prior_is_file(const char *path, const char *file);

#endif
