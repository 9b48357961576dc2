/* Files as a commit has them: from the object database, not from a disk. */
#ifndef PN_FILES_FILES_H
#define PN_FILES_FILES_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>

#define PN_FILES_PATH_MAX 4096 /* bytes of a path that is looked for */

struct pn_files; /* the tree of a commit */

int pn_files_open(struct pn_files **out, struct pn_repo *repo,
		  const struct pn_oid *commit, struct pn_error *err);
void pn_files_close(struct pn_files *files);

/* Whether `path`, from the top, is a regular file there: no folder, no
 * symbolic link, no submodule. */
bool pn_files_has(const struct pn_files *files, const char *path);

/* Append its bytes: PN_ENOTFOUND, PN_ELIMIT (see pn_repo_read_blob). */
int pn_files_read(struct pn_buf *out, const struct pn_files *files,
		  const char *path, uint64_t limit, struct pn_error *err);

/*
 * Append the name that the file `path` of commit `to` had at commit `from`, by
 * git's own search for renames; nothing where it had none. Asks git.
 */
int pn_files_earlier_name(struct pn_buf *out, struct pn_repo *repo,
			  const struct pn_oid *from, const struct pn_oid *to,
			  const char *path, struct pn_error *err);

#endif
