/* Where source files are read: a commit's tree, or what lies below a folder. */
#ifndef PN_SOURCE_TREE_H
#define PN_SOURCE_TREE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/strtab.h"
#include "vcs/files/files.h"
#include "vcs/repo.h"

#include <stdbool.h>

#define PN_SOURCE_MAX_BYTES                                                    \
	(16u << 20) /* of one file: the largest we saw is                      \
		     * SQLite's amalgamation with 9 MB */

/* Names come from profiles: nothing outside of it is ever read, through no
 * symbolic link, and nothing but regular files. */
struct pn_source_tree {
	struct pn_files *files;	      /* of a commit; NULL: `folder` */
	const char *folder;	      /* borrowed */
	struct pn_strtab there, gone; /* of `folder`, as looked up so far */
	char *work_dir;		      /* where it is checked out, or the folder;
				       * absolute, or NULL */
	char name[64];		      /* "commit 0123456789", "the folder" */
};

int pn_source_tree_of_commit(struct pn_source_tree *out, struct pn_repo *repo,
			     const struct pn_oid *commit, struct pn_error *err);
void pn_source_tree_of_folder(struct pn_source_tree *out, const char *folder);
void pn_source_tree_release(struct pn_source_tree *tree);

bool pn_source_tree_has(struct pn_source_tree *tree, const char *path);
int pn_source_tree_read(struct pn_buf *out, const struct pn_source_tree *tree,
			const char *path, struct pn_error *err);

#endif
