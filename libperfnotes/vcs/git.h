/* Inside of vcs/ only: the repository as libgit2 and we hold it. */
#ifndef PN_VCS_GIT_H
#define PN_VCS_GIT_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/lock.h"
#include "vcs/objects/loose.h"
#include "vcs/objects/packed.h"
#include "vcs/repo.h"

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>

#define PN_GIT_ENV_MAX 8 /* entries of git_env with its NULL */

struct pn_repo {
	git_repository *git;
	git_odb *odb;	    /* by pn_stored_odb; most reading does without */
	git_config *config; /* a snapshot; NULL until asked for */
	char *git_dir, *common_dir, *work_dir;
	/* What a child needs to act on this repository, whatever the folder
	 * and the environment say. */
	char *env[PN_GIT_ENV_MAX];
	char *dir;	   /* where children run; NULL: our own folder */
	bool asked_config; /* it is known which of the two below counts */
	bool ask_config;   /* libgit2 does not see all of the configuration */
	struct pn_buf configured; /* `git config -lz`, when asked */
	bool asked_replaced;
	struct pn_buf replaced; /* by replaced.c */
	bool head_by_git;	/* GIT_COMMON_DIR: libgit2 knows another HEAD */
	struct pn_patience patience; /* with which locks are waited for */
	int lock_fd; /* of the writers' lock while it is held, else -1 */
	struct pn_loose_folder loose[256];
	size_t loose_asked; /* how many of those */
	struct pn_packed packed;
	struct pn_pack_checks *checks; /* NULL: libgit2 has read nothing */
};

/* The same repository, until it is freed, for a thread of its own that reads
 * objects: their files are looked for and opened once more, so that neither
 * thread waits for the other one. */
struct pn_repo *pn_repo_beside(const struct pn_repo *repo);
/* Takes NULL. */
void pn_repo_beside_free(struct pn_repo *beside);

/* Fill `err` from libgit2's last error behind the given text; returns code. */
int pn_git_fail(struct pn_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

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

#endif
