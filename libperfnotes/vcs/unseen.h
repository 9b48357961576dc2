/* Where libgit2 finds no repository: it takes what cannot be looked at for
 * absent. */
#ifndef PN_VCS_UNSEEN_H
#define PN_VCS_UNSEEN_H

#include "base/error.h"

/*
 * Look again, from `dir` up. 0: there is none. 1: there is one, it can be
 * opened now. PN_EIO: the system failed to say, of the file that is named.
 * What may not be looked at counts as absent, as it does for git.
 */
int pn_unseen(const char *dir, struct pn_error *err);

/*
 * Which file of the configuration cannot be read, of a repository that `dir` is
 * or lies in, where libgit2 has just said that one cannot and not which.
 * PN_EIO; 0: none, now.
 */
int pn_unread(const char *dir, struct pn_error *err);

#endif
