/*
 * A history with its figures: one row a commit, as soon as the next commit is
 * known, which is most often the one that it is compared with.
 */
#ifndef PN_PROFILES_LOG_WALK_H
#define PN_PROFILES_LOG_WALK_H

#include "analysis/history/log_row.h"
#include "base/error.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stdint.h>

struct pn_log_walk;

/* What to walk over. Borrowed until free. */
struct pn_log_walk_options {
	int64_t max_commits; /* negative: all */
	/* Revision arguments, options and paths of git log; --all means the
	 * project's history: that of the notes themselves is left out of it. */
	char *const *args;
	size_t arg_count;
	struct pn_log_filter filter;
	bool graph; /* drawn, as by git log --graph */
};

/* A commit with its figures, and those it is compared with. */
struct pn_log_walk_row {
	struct pn_log_row row;
	struct pn_arena *arena; /* that the row is in */
	/* Why its note was passed over, which has no lines then: one hostile
	 * note must not hide all other commits. NULL: it was not. */
	const char *fault;
};

/* Free it in any case; see pn_history_open for what can fail. */
int pn_log_walk_open(struct pn_log_walk **out, struct pn_repo *repo,
		     struct pn_notes *notes,
		     const struct pn_log_walk_options *options,
		     struct pn_error *err);
/* 1 with *out, which lives until the next call; 0 at the end. */
int pn_log_walk_next(struct pn_log_walk_row **out, struct pn_log_walk *walk,
		     struct pn_error *err);
/* Takes NULL. */
void pn_log_walk_free(struct pn_log_walk *walk);

#endif
