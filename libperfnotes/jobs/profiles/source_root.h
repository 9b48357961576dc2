/* Source files by where they lie in the repository. */
#ifndef PN_PROFILES_SOURCE_ROOT_H
#define PN_PROFILES_SOURCE_ROOT_H

#include "model/profile.h"

/* header.source_root of files that are relative to the top of the repository,
 * wherever that is: in the next clone it is elsewhere. */
#define PN_SOURCE_ROOT_REPOSITORY "."

/*
 * Sources and binaries below the folder `top` (the top of a work tree,
 * absolute; NULL: there is none) become relative to it, and header.source_root
 * says so. So profiles of one commit name their functions alike in every clone
 * and worktree, and the files can be found in the commit's tree. Other paths
 * stay: those of the system, and relative ones, whose folder nobody knows.
 */
void pn_source_root_take(struct pn_profile *profile, const char *top);

#endif
