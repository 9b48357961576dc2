/* Inside of vcs/ only: the end of a run in place. */
#ifndef PN_INPLACE_RESTORE_H
#define PN_INPLACE_RESTORE_H

#include "vcs/inplace/state.h"

/* From whatever phase the state is in until nothing is missing: then it is
 * state.done. */
int pn_restore_tree(struct pn_inplace *run, struct pn_error *err);
/* And what the run made for itself goes. */
int pn_restore_all(struct pn_inplace *run, struct pn_error *err);

#endif
