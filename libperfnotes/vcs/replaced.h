/* Inside of vcs/ only: commits that `git replace` has others stand for. */
#ifndef PN_VCS_REPLACED_H
#define PN_VCS_REPLACED_H

#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* Whether git reads another object in place of this one, as git-replace(1)
 * says, and which. The refs are read once for each open repository; what
 * cannot be read of them is passed over, as git does. */
bool pn_replaced(struct pn_oid *with, struct pn_repo *repo,
		 const struct pn_oid *object);

/* Whether any is. */
bool pn_replaced_any(struct pn_repo *repo);

#endif
