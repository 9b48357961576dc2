/* Files by a part of their name. */
#ifndef PN_FOLDER_FIND_H
#define PN_FOLDER_FIND_H

#include "base/arena.h"

#include <stddef.h>

#define PN_FIND_MAX_DEPTH 32	 /* of folders below the first one */
#define PN_FIND_MAX_FILES 100000 /* looked at in about a second */

/*
 * The paths of regular files below `folder` whose names hold `text`, in the
 * order of their names, folder by folder; in the arena. What begins with a dot
 * is passed over, links are not followed (they lead out and around), and what
 * lies beyond the two limits is not seen.
 */
char **pn_find_files(size_t *count, struct pn_arena *arena, const char *folder,
		     const char *text);

#endif
