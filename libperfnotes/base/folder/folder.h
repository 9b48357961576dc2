/* Folders of our own: private ones for what is on its way, and their end. */
#ifndef PN_FOLDER_FOLDER_H
#define PN_FOLDER_FOLDER_H

#include "base/error.h"

#include <stdbool.h>

/*
 * A new folder below $TMPDIR, else /tmp, that nobody else may enter (0700).
 * The path is absolute; the caller frees it, and closes *owner after the
 * folder is removed: as long as it is open, the sweep leaves the folder alone.
 * -1 where files cannot be locked; such a folder is never swept.
 */
int pn_folder_make_private(char **out, int *owner, struct pn_error *err);

/*
 * Remove private folders that processes left which were killed: ours, made a
 * minute ago or earlier, with no owner that is alive. Looks at 64 at most;
 * what cannot be removed stays.
 */
void pn_folder_sweep(void);

/*
 * Whether such a folder has a file of this name and an owner that is alive, us
 * included. Looks at 64 at most.
 */
bool pn_folder_is_marked(const char *name);

/*
 * Remove a folder with everything below it, however deep, or a file. Symbolic
 * links are removed, never followed; folders without rights are given them
 * first. PN_EREFUSED, and nothing is removed, when something is mounted there:
 * what it holds is not ours. What is absent is no error.
 */
int pn_folder_remove(const char *path, struct pn_error *err);

#endif
