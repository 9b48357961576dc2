/* Folders of our own: private ones for what is on its way, and their end. */
#ifndef PN_BASE_FOLDER_H
#define PN_BASE_FOLDER_H

#include "base/error.h"

/* A new folder below $TMPDIR, else /tmp, that nobody else may enter (0700).
 * The path is absolute; the caller frees it. */
int pn_folder_make_private(char **out, struct pn_error *err);

/*
 * Remove a folder with everything below it. Symbolic links are removed, never
 * followed; folders without rights are given them first. What is absent is
 * no error.
 */
int pn_folder_remove(const char *path, struct pn_error *err);

#endif
