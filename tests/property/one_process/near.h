/*
 * What git does for git-perf in a random history, done in this process: the
 * same effects on the same files by libgit2, without the three to ten
 * processes of git's own. Whatever is not plain sailing (a ref that is refused
 * by the configuration, an object that is absent, an option that is not known)
 * is left to the real git, whose words and states the program is tested with.
 */
#ifndef TESTS_NEAR_H
#define TESTS_NEAR_H

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define LEFT_TO_GIT (-1)

struct move {
	const char *ref;
	git_oid to;  /* zero: out of it */
	git_oid was; /* with `leased`; zero: there is none */
	bool leased;
};

/* The exit status, or LEFT_TO_GIT before anything was changed. argv[0] is
 * "git". */
int near_git(struct pn_buf *out, git_repository *repo, const char *const *argv);
int near_fetch(git_repository *repo, const char *const *argv);
int near_push(struct pn_buf *out, git_repository *repo,
	      const char *const *argv);

/* Whether all up to "--" are among the known ones, of which those that end in
 * '=' have a value. */
bool near_knows(const char *const *argv, const char *const *known);
/* The repository behind the URL of origin. */
int near_origin(git_repository **out, git_repository *repo);
/* All or none, where each is still what it was; 0 or not. Lines of a reflog
 * get `message`. */
int near_move(git_repository *repo, const struct move *moves, size_t count,
	      const char *message);
/* Objects behind `wants` that the refs of `to` do not reach: into a pack that
 * a gc leaves alone until *keep is removed, or, without keep, as files. */
int near_copy(char **keep, git_repository *to, git_repository *from,
	      const git_oid *wants, size_t count);

#endif
