/*
 * A walk over commits with git log's own revision arguments. `git log` is run
 * and its records are streamed, so that ranges, paths, dates, mailmap and order
 * are git's; what needs none of that (walk/direct.h) is read without it.
 */
#ifndef PN_WALK_HISTORY_H
#define PN_WALK_HISTORY_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stdint.h>

/* One commit. The texts live until the next call; UTF-8 as git gives it. */
struct pn_commit {
	struct pn_oid id, tree;
	struct pn_oid *parents;
	size_t parent_count;
	int64_t author_time_s;
	const char *author; /* name */
	const char *email;
	const char *subject; /* first line */
	/* Of a walk that is drawn, else NULL: lines that git draws above the
	 * commit, and what it draws to the left of its first lines, each on a
	 * line of its own. `parents` are then those that it draws a line to. */
	const char *above, *beside;
};

struct pn_history;

/*
 * `args` are revision arguments, options and paths for git log (NULL
 * terminated); options that would change the output format are refused by
 * name (PN_EINVAL). An unborn HEAD without arguments is an empty walk.
 */
int pn_history_open(struct pn_history **out, struct pn_repo *repo,
		    const char *const *args, struct pn_error *err);
/* The same, drawn as by git log --graph. */
int pn_history_open_drawn(struct pn_history **out, struct pn_repo *repo,
			  const char *const *args, struct pn_error *err);
/* 1 with *out filled, 0 at the end, or a negative code: PN_ENOTFOUND of what
 * git does not know, else with git's own message. */
int pn_history_next(struct pn_commit *out, struct pn_history *history,
		    struct pn_error *err);
/* The commits that come next, as far as they are known: at most `max`.
 * Returns how many those are; none of a walk that is drawn. */
size_t pn_history_coming(struct pn_oid *out, size_t max,
			 const struct pn_history *history);
void pn_history_free(struct pn_history *history);

#endif
