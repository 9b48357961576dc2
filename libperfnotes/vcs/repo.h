/*
 * A git repository: opening it, names to commits, objects, configuration,
 * identity. The only folder that knows libgit2; transport, revision walks and
 * whatever depends on git's environment run the git executable.
 */
#ifndef PN_VCS_REPO_H
#define PN_VCS_REPO_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"

#include <stdbool.h>
#include <stdint.h>

struct pn_repo;

/*
 * Open the repository that `dir` (NULL: the current folder) is in, as git
 * itself would find it: GIT_DIR, GIT_COMMON_DIR, GIT_WORK_TREE and the like
 * are honoured by asking `git rev-parse`. Bare repositories, linked worktrees
 * and submodules are fine.
 *
 * PN_ENOTFOUND: not a repository. PN_EREFUSED: SHA-256 objects, reftable
 * storage, an unknown extension, or foreign ownership, with git's own advice.
 */
int pn_repo_open(struct pn_repo **out, const char *dir, struct pn_error *err);
void pn_repo_free(struct pn_repo *repo);

/* Absolute, without a trailing slash; work_dir is NULL when bare. */
const char *pn_repo_git_dir(const struct pn_repo *repo);
const char *pn_repo_common_dir(const struct pn_repo *repo);
const char *pn_repo_work_dir(const struct pn_repo *repo);
/* Also where that cannot be told. */
bool pn_repo_is_shallow(const struct pn_repo *repo);
bool pn_repo_is_partial(const struct pn_repo *repo);
/* The remotes that have what a partial clone lacks, a NUL behind each; nothing
 * where the clone is not partial. */
void pn_repo_promisors(struct pn_buf *out, const struct pn_repo *repo);
/* All remotes that have a URL in the files of the configuration, likewise. */
void pn_repo_remotes(struct pn_buf *out, const struct pn_repo *repo);

/* Where HEAD is. */
struct pn_head {
	char branch[256]; /* short name; "" when detached */
	bool unborn;	  /* no commit yet: `commit` is zero */
	struct pn_oid commit;
};
int pn_repo_head(struct pn_head *out, struct pn_repo *repo,
		 struct pn_error *err);

/* The commit that `rev` names (any git revision, tags peeled).
 * PN_ENOTFOUND "no such commit 'x'", PN_EAMBIGUOUS, PN_EINVAL. */
int pn_repo_resolve(struct pn_oid *out, struct pn_repo *repo, const char *rev,
		    struct pn_error *err);

/* Facts of a commit that an index line and a walk need; of the one that `git
 * replace` has stand for it, if there is one. */
struct pn_commit_facts {
	struct pn_oid tree;
	struct pn_oid first_parent;
	size_t parent_count;
	int64_t time_s;	  /* committer's */
	int64_t author_s; /* author's: a rebase keeps it */
};
int pn_repo_commit_facts(struct pn_commit_facts *out, struct pn_repo *repo,
			 const struct pn_oid *commit, struct pn_error *err);

/*
 * Append a blob's bytes to `out`. The size is checked against `limit` before
 * anything is allocated (PN_ELIMIT). In a partial clone an absent blob is
 * fetched through git. PN_ENOTFOUND when it is nowhere.
 */
int pn_repo_read_blob(struct pn_buf *out, struct pn_repo *repo,
		      const struct pn_oid *oid, uint64_t limit,
		      struct pn_error *err);
bool pn_repo_has_object(struct pn_repo *repo, const struct pn_oid *oid);
/* Whether a shallow clone ends after this commit. A commit that is absent from
 * a whole clone is no end: whoever reads it is told. */
bool pn_repo_ends_before(struct pn_repo *repo, const struct pn_oid *commit);
/* As pn_repo_has_object, for many that are absent: packs are not looked for
 * once more. */
bool pn_repo_had_object(struct pn_repo *repo, const struct pn_oid *oid);

/*
 * A configuration value as git sees it (GIT_CONFIG_*, `git -c` and all).
 * Absent: *out is NULL and 0 is returned. The caller frees.
 */
int pn_repo_config(char **out, struct pn_repo *repo, const char *key,
		   struct pn_error *err);

/*
 * A text in the syntax of git-config(1) as `git config -lz` prints it: "key LF
 * value NUL", or "key NUL" for one without a value. Files that it includes are
 * not read. PN_EINVAL is git's own word on what is wrong.
 */
int pn_repo_parse_config(struct pn_buf *out, const struct pn_repo *repo,
			 const void *bytes, size_t len, struct pn_error *err);

/* Whether the index or a tracked file differs from HEAD (asks git; untracked
 * files do not count, as in `git describe --dirty`). */
int pn_repo_is_dirty(bool *out, struct pn_repo *repo, struct pn_error *err);

/*
 * Start `git maintenance run --auto` in the background, which packs loose
 * objects when there are many and respects gc.auto. It outlives this process;
 * every add leaves some ten loose objects, so now and then this is due.
 */
int pn_repo_maintain(struct pn_repo *repo, struct pn_error *err);

/* Give a new folder or file of ours below the common folder the mode that
 * core.sharedRepository asks for, where that is ours to do. */
void pn_repo_share(struct pn_repo *repo, const char *path);

/* The oid of a ref: a full name such as "refs/notes/perf". Absent: zero. */
int pn_repo_ref(struct pn_oid *out, struct pn_repo *repo, const char *name,
		struct pn_error *err);

#endif
