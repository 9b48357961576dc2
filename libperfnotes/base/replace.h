/*
 * A file that is written through a stream and appears under its name when all
 * of it is there. A device, a pipe or a socket is written to as it is; what a
 * symbolic link points to is replaced, not the link. Nothing is synced: for
 * what has to outlive a power cut see pn_file_write.
 */
#ifndef PN_BASE_REPLACE_H
#define PN_BASE_REPLACE_H

#include "base/error.h"

#include <stdio.h>

/* Zeroed: none. */
struct pn_replace {
	FILE *file;
	char *temporary; /* beside it; NULL: written to as it is */
};

/* A file that exists keeps its mode, a new one gets the umask's. */
int pn_replace_open(struct pn_replace *out, const char *path,
		    struct pn_error *err);
/* Close and rename. -1 and errno, also for an error of the stream before: then
 * it is still to be discarded. */
int pn_replace_finish(struct pn_replace *replace);
/* Nothing appears. Does nothing behind a finish that succeeded. */
void pn_replace_discard(struct pn_replace *replace);

#endif
