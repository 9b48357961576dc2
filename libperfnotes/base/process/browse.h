/* Showing a page. */
#ifndef PN_PROCESS_BROWSE_H
#define PN_PROCESS_BROWSE_H

#include "base/error.h"

/* Open a file in the browser that git would take: git-web--browse(1). */
int pn_browse(const char *path, struct pn_error *err);

#endif
