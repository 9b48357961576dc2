/* The options of `git perf collect`. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "jobs/collection/ask.h"
#include "opts.h"

struct options {
	struct pn_collect_ask ask;
	const char *path, *message, *unit, *sort, *export;
	int64_t calibrate;
	bool list_collectors, json, quiet;
};

#endif
