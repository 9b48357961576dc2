/*
 * Inside of vcs/ only: the repository as libgit2 and the git executable see
 * it, and the errors of both in our words.
 */
#ifndef PN_VCS_GIT_H
#define PN_VCS_GIT_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "base/process/process.h"
#include "vcs/lock.h"
#include "vcs/repo.h"

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>

#define PN_GIT_ENV_MAX 8 /* entries of git_env with its NULL */
/* For children that write refs, behind "-c": git's own default leaves their
 * data to the kernel, and a power cut leaves empty files. Before 2.36 git does
 * not know it. */
#define PN_GIT_FSYNC "core.fsync=all"
#define PN_GIT_TEXT_MAX (64u << 20) /* of a child's output kept in memory */

/* Which second bytes the ids of the files in one of objects/00 to ff have, a
 * bit each. */
struct pn_loose_folder {
	bool asked, listed; /* listed when it is asked for again */
	unsigned char seconds[32];
};

struct pn_repo {
	git_repository *git;
	git_odb *odb;
	git_config *config; /* a snapshot; NULL until asked for */
	char *git_dir, *common_dir, *work_dir;
	/* What a child needs to act on this repository, whatever the folder
	 * and the environment say. */
	char *env[PN_GIT_ENV_MAX];
	char *dir;	   /* where children run; NULL: our own folder */
	bool asked_config; /* it is known which of the two below counts */
	bool ask_config;   /* libgit2 does not see all of the configuration */
	struct pn_buf configured; /* `git config -lz`, when asked */
	bool head_by_git; /* GIT_COMMON_DIR: libgit2 knows another HEAD */
	struct pn_patience patience; /* with which locks are waited for */
	int lock_fd; /* of the writers' lock while it is held, else -1 */
	struct pn_loose_folder loose[256];
};

/* Fill `err` from libgit2's last error behind the given text; returns code. */
int pn_git_fail(struct pn_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The code of ours that a libgit2 return value stands for. */
int pn_git_code(int result);

/* Options for a child of this repository: LC_ALL=C, no terminal input. */
struct pn_process_options pn_git_options(const struct pn_repo *repo);

/*
 * Run git to its end. *status is the exit status; a failure to run is an
 * error, an exit status is not.
 */
int pn_git_run(struct pn_buf *out, char err_text[1024], int *status,
	       const struct pn_repo *repo, const char *const *argv,
	       struct pn_error *err);

/* The first line of what git said on standard error, without "fatal: ". */
const char *pn_git_said(char err_text[1024]);

static inline void pn_git_to(git_oid *out, const struct pn_oid *oid)
{
	git_oid_fromraw(out, oid->bytes);
}

static inline void pn_git_from(struct pn_oid *out, const git_oid *oid)
{
	size_t i;

	for (i = 0; i < PN_OID_BYTES; i++)
		out->bytes[i] = oid->id[i];
}

/* The bytes of an object; those of an empty one may be NULL. */
struct pn_git_object {
	const unsigned char *bytes;
	size_t len;
	struct pn_buf own;
	git_odb_object *found; /* NULL: they are in `own` */
};

/*
 * Read an object of one type, at most `limit` bytes. In a partial clone an
 * absent blob or tree is fetched through git. PN_ENOTFOUND when it is nowhere,
 * PN_EINVAL when it is of another type, PN_ELIMIT.
 */
int pn_git_read(struct pn_git_object *out, struct pn_repo *repo,
		const struct pn_oid *oid, git_object_t type, uint64_t limit,
		struct pn_error *err);
void pn_git_object_release(struct pn_git_object *object);

/*
 * The same from a loose file, which costs half of what libgit2 takes: that
 * opens and inflates each file twice. 1: read. 0: there is no such file.
 * PN_EINVAL: there is one, and it is not such an object.
 */
int pn_loose_read(struct pn_git_object *out, struct pn_repo *repo,
		  const struct pn_oid *oid, const char *type, uint64_t limit);

/* pn_repo_commit_facts, and whether the commit is of ours by its subject
 * (`ours` may be NULL). */
int pn_git_commit_facts(struct pn_commit_facts *out, bool *ours,
			struct pn_repo *repo, const struct pn_oid *commit,
			struct pn_error *err);
/* The latter, of a commit's bytes. */
bool pn_git_is_ours(const char *at, const char *end);

/* As pn_repo_config, of the files that libgit2 sees: enough for what only a
 * repository's own file can say, and never runs git. */
int pn_git_own_config(char **out, struct pn_repo *repo, const char *key,
		      struct pn_error *err);

/*
 * "Name <mail> seconds zone" of the author or committer, as git would put it
 * into a commit; "git-perf <git-perf@localhost>" where git would refuse, so
 * that a CI job without an identity can add profiles.
 */
int pn_git_ident(struct pn_buf *out, struct pn_repo *repo, bool committer,
		 struct pn_error *err);

/*
 * core.sharedRepository as git keeps it: 0 (umask), 0660, 0664, or the
 * negative of an exact mode.
 */
int pn_git_shared(int *out, struct pn_repo *repo, struct pn_error *err);
/* Give a new file or folder the mode that `shared` asks for. */
int pn_git_share(const char *path, int shared, struct pn_error *err);

/* "cannot <what> '<path>'" and errno's text: PN_EIO, but PN_ENOTFOUND when the
 * file or its folder is gone, as behind `git prune --expire=now`. */
int pn_git_system(struct pn_error *err, const char *what, const char *path);
/* A new file "<prefix><random>" for writing, mode 0444 as the umask has it.
 * The path is the caller's. */
int pn_git_temporary(int *out, char **path, const char *prefix,
		     struct pn_error *err);
/* Names made or changed in a folder reach the disk. */
int pn_git_sync_dir(const char *path, struct pn_error *err);
/* Remove a file or folder of ours with all that is in it; absent is fine. */
int pn_git_remove_tree(const char *path, struct pn_error *err);

#endif
