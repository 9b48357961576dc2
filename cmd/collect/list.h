/* The collectors that there are. */
#ifndef CMD_LIST_H
#define CMD_LIST_H

#include "command.h"

/* The table of collectors, or the row `wanted` of it, for people and for
 * completion: a collector begins its line, its options follow with blanks
 * before them. To the file `path`, or standard output; the exit code. */
int list_collectors(const struct global *global, const char *path,
		    const char *wanted, bool json);

#endif
