/* Which file of a tree each source file of a profile is. */
#ifndef PN_SOURCE_PATHS_H
#define PN_SOURCE_PATHS_H

#include "analysis/nodes.h"
#include "jobs/source/tree.h"

#define PN_SOURCE_FILES_MAX                                                    \
	20000 /* looked for; Chromium's profiles have 9,000                    \
	       */

/* Paths by the id of a file, as in pn_nodes.files; NULL where it is none
 * there. */
struct pn_source_paths {
	char **of;
	size_t count;
};

/*
 * A profile may have been measured elsewhere: in another clone, a container, a
 * folder of the build. A name that the tree has, or has below where it is
 * checked out, is that file. Of others the longest end that is a file of the
 * tree may be it; that counts where no name is sure, for those that begin with
 * one folder, for which most speaks: else /usr/lib/go/src/runtime/main.go would
 * be a project's own main.go.
 *
 * `root` is header.source_root: where names of the profile begin, "." the top
 * of the repository.
 */
void pn_source_paths_init(struct pn_source_paths *out,
			  const struct pn_strtab *files, const char *root,
			  struct pn_source_tree *tree);
void pn_source_paths_release(struct pn_source_paths *paths);

/* A byte for each file: whether it is `path`. The caller frees it. */
unsigned char *pn_source_paths_of(const struct pn_source_paths *paths,
				  const char *path);

#endif
