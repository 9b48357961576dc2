/*
 * Inside of vcs/walk only: `git log` of all that one commit leads to, without
 * git, which takes a third of the time of a log over notes. For as long as all
 * is plain: no paths, no ranges, no mailmap, nothing that is shallow, grafted
 * or replaced, and all objects there and as they ought to be. Whatever else is
 * met is git's to tell, which then passes over what was given.
 */
#ifndef PN_WALK_DIRECT_H
#define PN_WALK_DIRECT_H

#include "vcs/walk/history.h"

struct pn_direct;

#define PN_DIRECT_ARGS 6

/* NULL: git has to be asked from the beginning. */
struct pn_direct *pn_direct_open(struct pn_repo *repo, const char *const *args);
/* 1 with *out filled, 0 at the end; -1: the rest is git's to tell. */
int pn_direct_next(struct pn_commit *out, struct pn_direct *direct);
/* pn_history_coming: some hundred at most. */
size_t pn_direct_coming(struct pn_oid *out, size_t max,
			const struct pn_direct *direct);
/* What git log is to be called with for the rest. */
void pn_direct_args(const char *out[PN_DIRECT_ARGS], struct pn_direct *direct);
/* Takes NULL. */
void pn_direct_free(struct pn_direct *direct);

#endif
