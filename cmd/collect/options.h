/* The options of `git perf collect`. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "jobs/collection/ask.h"
#include "opts.h"
#include "render/measured/results.h"

struct options {
	struct pn_collect_ask ask;
	struct pn_results_options shown;
	const char *path, *message;
	int64_t calibrate;
	bool list_collectors, json, quiet;
};

#endif
