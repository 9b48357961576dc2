/* All commits that a repository leads to: by refs, but for the notes' own, by
 * HEADs and by reflogs; or the past of HEAD alone. Asks git; replacements do
 * not count. */
#ifndef PN_VCS_WALK_ALL_H
#define PN_VCS_WALK_ALL_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdint.h>

struct pn_walked {
	struct pn_oid id, tree;
	int64_t time_s; /* committer's */
};

struct pn_walk_all;

/* `more`: ids (20 bytes) of further commits or tags to begin with, borrowed
 * for the call; NULL: the past of HEAD, which there is. */
int pn_walk_all_open(struct pn_walk_all **out, struct pn_repo *repo,
		     const struct pn_buf *more, struct pn_error *err);
/* 1 with *out filled, 0 at the end, or a negative code. */
int pn_walk_all_next(struct pn_walked *out, struct pn_walk_all *walk,
		     struct pn_error *err);
void pn_walk_all_free(struct pn_walk_all *walk);

/* Append the ids of the commits that tags name. */
int pn_walk_tags(struct pn_buf *out, struct pn_repo *repo,
		 struct pn_error *err);

#endif
