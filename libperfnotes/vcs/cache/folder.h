/* Inside of vcs/cache only: where the files of caches are. */
#ifndef PN_CACHE_FOLDER_H
#define PN_CACHE_FOLDER_H

#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

/* The path of a cache's file, or with "" of the folder. */
char *pn_cache_path(const struct pn_repo *repo, const char *name);
/* Map a file of at most `max` bytes; NULL, and 0, where there is none, or
 * none of ours. To be unmapped. */
void *pn_cache_map(size_t *len, const char *path, size_t max);
/* A descriptor to add at the end of a file, which is made where it is not
 * there; below 0: that cannot be. */
int pn_cache_open_end(const char *path);
/* Whether there is such a folder now; a new one is for whom the repository is.
 */
bool pn_cache_make_folder(struct pn_repo *repo);

#endif
