/* Inside of vcs/ only: what was set aside goes back to its place. */
#ifndef PN_INPLACE_BACK_H
#define PN_INPLACE_BACK_H

#include "vcs/inplace/room.h"

/* Each of these does all that it can; what cannot be done is noted, and the
 * first error is returned. */

/* Undo set_aside while no checkout has happened. */
int pn_back_take(struct pn_room *room, struct pn_error *err);
/* After the first commit's files are there: everything to its place. */
int pn_back_put(struct pn_room *room, struct pn_error *err);
/* Only what is still aside; nothing else is looked at. */
int pn_back_put_rest(struct pn_room *room, struct pn_error *err);

/* PN_ECONFLICT while something is still aside. */
int pn_back_check(const struct pn_inplace *run, struct pn_error *err);

#endif
