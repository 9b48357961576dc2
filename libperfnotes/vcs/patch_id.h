/* What a commit changes, whatever it stands on: git-patch-id(1). */
#ifndef PN_VCS_PATCH_ID_H
#define PN_VCS_PATCH_ID_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

struct pn_patch_id {
	struct pn_oid patch, commit;
};

/* Append one (struct pn_patch_id) for each of the commits, their 20-byte ids,
 * that changes something against its only parent. Asks git. */
int pn_patch_ids(struct pn_buf *out, struct pn_repo *repo,
		 const struct pn_buf *commits, struct pn_error *err);

#endif
