/* What is mounted below a folder: whoever removes files must not reach through
 * to another file system, or to another folder of the same one. */
#ifndef PN_FOLDER_MOUNTS_H
#define PN_FOLDER_MOUNTS_H

#include "base/buf.h"
#include "base/error.h"

/*
 * PN_EREFUSED names something that is mounted at `path` or below it, links
 * resolved; 0: nothing is, or there is no such folder. Knows bind mounts, too,
 * which look like ordinary folders. Where the system does not list its mounts
 * in /proc/self/mountinfo (proc(5), Linux) nothing is known, and 0 returned.
 */
int pn_mounts_refuse(const char *path, struct pn_error *err);
/* Append what is mounted there: paths from `path` on, "" for itself, a NUL
 * behind each. */
int pn_mounts_below(struct pn_buf *out, const char *path, struct pn_error *err);

#endif
