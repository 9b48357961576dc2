/*
 * Files that `perf record` leaves: what they hold needs the binaries and the
 * kernel they were taken of, which perf finds; its text is read.
 */
#ifndef PN_COLLECT_PERF_FILE_H
#define PN_COLLECT_PERF_FILE_H

#include "base/error.h"

#include <stdbool.h>

struct pn_perf_file {
	int file;      /* perf's text, -1: none */
	char path[32]; /* under which it can be opened */
};

bool pn_perf_file_is(const char *path);

/*
 * When *path is such a file, run `perf script` on it and let *path name the
 * text; else nothing happens. PN_ENOTFOUND when perf is not there.
 */
int pn_perf_file_open(struct pn_perf_file *out, const char **path,
		      struct pn_error *err);
void pn_perf_file_close(struct pn_perf_file *data);

#endif
