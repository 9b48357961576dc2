/*
 * Files that `perf record` leaves: what they hold needs the binaries and the
 * kernel they were taken of, which perf finds; its text is read.
 */
#ifndef CMD_PERF_DATA_H
#define CMD_PERF_DATA_H

#include "base/error.h"

#include <stdbool.h>

struct perf_data {
	int file;      /* perf's text, -1: none */
	char path[32]; /* under which it can be opened */
};

bool perf_data_is(const char *path);

/*
 * When *path is such a file, run `perf script` on it and let *path name the
 * text; else nothing happens. PN_ENOTFOUND when perf is not there.
 */
int perf_data_open(struct perf_data *out, const char **path,
		   struct pn_error *err);
void perf_data_close(struct perf_data *data);

#endif
