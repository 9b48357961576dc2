/* The folder of a path, opened part by part: a symbolic link that somebody
 * puts in the way leads nowhere else. */
#ifndef PN_FOLDER_BENEATH_H
#define PN_FOLDER_BENEATH_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Open the folder that holds `path`, which begins at the folder `base`; for
 * openat(2) and its like, with the last part of the path. `base` itself may be
 * a link. With `make` folders that are missing are made.
 *
 * PN_ENOTFOUND: one is missing. PN_EREFUSED: one is no folder, but a link or a
 * file.
 */
int pn_beneath_open(int *fd, const char *base, const char *path, bool make,
		    struct pn_error *err);

#endif
