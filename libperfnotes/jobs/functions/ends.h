/* Both ends of a range that was asked for. */
#ifndef PN_FUNCTIONS_ENDS_H
#define PN_FUNCTIONS_ENDS_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

/* <a>..<b>, <a>...<b> (since they parted), or one commit, whose own change is
 * meant; NULL: *base is HEAD, and *target is left as it is. */
int pn_range_ends(struct pn_oid *base, struct pn_oid *target,
		  struct pn_repo *repo, const char *asked,
		  struct pn_error *err);

#endif
