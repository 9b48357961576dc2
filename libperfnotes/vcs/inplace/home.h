/* Inside of vcs/ only: the first commit's files come back. */
#ifndef PN_INPLACE_HOME_H
#define PN_INPLACE_HOME_H

#include "vcs/inplace/room.h"

/* Write what differs from the first commit, except where something lies aside
 * or nothing was; what only other commits have goes. What could not be
 * written is kept in the state as missing, and noted. */
int pn_home_bring(struct pn_room *room, struct pn_error *err);
/* What was written and renamed so far is on the disk before the next file of
 * the state; where one journal has both, that file itself does it. */
int pn_home_sync(const struct pn_inplace *run, struct pn_error *err);
/* Write what was missing; the first error when some of it still is. */
int pn_home_bring_missing(struct pn_room *room, struct pn_error *err);

#endif
