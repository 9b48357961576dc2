/* Inside of vcs/cache only: where the files of caches are. */
#ifndef PN_CACHE_FOLDER_H
#define PN_CACHE_FOLDER_H

#include "vcs/repo.h"

#include <stdbool.h>

/* The path of a cache's file, or with "" of the folder. */
char *pn_cache_path(const struct pn_repo *repo, const char *name);
/* Whether there is such a folder now; a new one is for whom the repository is.
 */
bool pn_cache_make_folder(struct pn_repo *repo);

#endif
