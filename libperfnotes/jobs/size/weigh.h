/* What notes and bodies take, by what they are of. */
#ifndef PN_SIZE_WEIGH_H
#define PN_SIZE_WEIGH_H

#include "analysis/history/size.h"
#include "base/arena.h"
#include "base/error.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* Zeroed before, released in any case. */
struct pn_weighed {
	struct pn_size size;
	struct pn_arena arena; /* of the names */
	size_t cap;
};

/*
 * Rows by "kind", "series" or "commit", or a "tree" of jobs, their collectors
 * and workloads, and kinds; PN_EINVAL for another word. A body that
 * several records share counts for the one that is met first: in order of the
 * commits' ids, then from the newest record on. So rows add up to the totals.
 * Lines that are no live record have the row "(removed)", bodies that none
 * names "(of no record)". No body is fetched.
 */
int pn_weigh(struct pn_weighed *out, struct pn_repo *repo,
	     struct pn_notes *notes, const char *by, struct pn_error *err);
void pn_weighed_release(struct pn_weighed *weighed);
/* PN_ENOTFOUND when nothing can be by this; says what can. */
int pn_weigh_check(const char *by, struct pn_error *err);
/* What rows can be by, for -h, completion and messages. */
void pn_weigh_names(struct pn_buf *out, const char *between);

#endif
