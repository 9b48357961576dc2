/* Refs of ours below one place. */
#ifndef PN_REF_LIST_H
#define PN_REF_LIST_H

#include "base/buf.h"
#include "base/error.h"
#include "vcs/repo.h"

#include <stddef.h>

/* Append the full names of the refs that begin with `prefix`, which ends in a
 * slash, each with a NUL, in order; the first `max` of them. */
int pn_refs_list(struct pn_buf *out, struct pn_repo *repo, const char *prefix,
		 size_t max, struct pn_error *err);

#endif
