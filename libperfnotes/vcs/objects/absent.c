/* What no index of a pack names and no file is. */
#include "vcs/objects/absent.h"

#include "vcs/git.h"
#include "vcs/objects/packed.h"

bool pn_absent_is(struct pn_repo *repo, const struct pn_oid *id)
{
	return !pn_packed_has(repo, id) && !pn_loose_has(repo, id);
}
