/* Inside of vcs/ only: who may read and write what is made in a repository. */
#ifndef PN_VCS_SHARED_H
#define PN_VCS_SHARED_H

#include "base/error.h"
#include "vcs/repo.h"

/*
 * core.sharedRepository as git keeps it: 0 (umask), 0660, 0664, or the
 * negative of an exact mode.
 */
int pn_shared_mode(int *out, struct pn_repo *repo, struct pn_error *err);
/* Give a new file or folder the mode that `shared` asks for. */
int pn_shared_apply(const char *path, int shared, struct pn_error *err);

#endif
