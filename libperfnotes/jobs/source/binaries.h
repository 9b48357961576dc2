/* The binaries of a profile, by their build ids. */
#ifndef PN_SOURCE_BINARIES_H
#define PN_SOURCE_BINARIES_H

#include "base/buf.h"
#include "collect/names/code.h"

/*
 * Open what was mapped as `file` with the build id `id` (hex, "": it has
 * none), and append its path to `path`. `where` (or NULL) is looked at first:
 * the file itself, or a folder that has it under its path, its last name,
 * <id>/<last name> or .build-id/<xx>/<rest>. A file that is named is taken
 * when the profile knows no build id. NULL: `why` says what is missing.
 */
struct pn_code_file *pn_binary_find(struct pn_buf *path, struct pn_buf *why,
				    const char *file, const char *id,
				    const char *where);

#endif
