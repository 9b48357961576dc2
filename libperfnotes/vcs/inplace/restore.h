/* Inside of vcs/ only: the end of a run in place. */
#ifndef PN_INPLACE_RESTORE_H
#define PN_INPLACE_RESTORE_H

#include "vcs/inplace/state.h"

/* From whatever phase the state is in until nothing is missing: then it is
 * state.done. */
int pn_restore_tree(struct pn_inplace *run, struct pn_error *err);
/* What the run made for itself goes, the state as the last. */
int pn_restore_clean(struct pn_inplace *run, struct pn_error *err);
/* One and the other. */
int pn_restore_all(struct pn_inplace *run, struct pn_error *err);

#endif
