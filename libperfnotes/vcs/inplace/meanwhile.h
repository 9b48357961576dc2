/* Inside of vcs/ only: what the user's git does in another terminal while a
 * run has index and HEAD. It is kept, and told in a line each. */
#ifndef PN_INPLACE_MEANWHILE_H
#define PN_INPLACE_MEANWHILE_H

#include "vcs/inplace/state.h"

/* What only the index has, before the run replaces it: with index.lock held.
 * Fails when it cannot be kept. */
int pn_meanwhile_index(struct pn_inplace *run, struct pn_error *err);
/* The commit that HEAD names, if it is not the run's own and no ref leads to
 * it: with HEAD.lock held. */
void pn_meanwhile_head(struct pn_inplace *run);

/* When the run begins: what pn_meanwhile_tell compares with. */
int pn_meanwhile_remember(const struct pn_inplace *run, struct pn_error *err);
/* When all is back: how the branch moved, and a merge that waits. */
void pn_meanwhile_tell(struct pn_inplace *run);
/* What was told by a process that is dead. */
int pn_meanwhile_load(struct pn_inplace *run, struct pn_error *err);

#endif
