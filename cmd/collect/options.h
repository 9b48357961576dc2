/* The options of `git perf collect`. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "opts.h"

struct options {
	const char *collector, *workload, *name, *machine, *path;
	const char *setup, *prepare, *conclude, *cleanup;
	const char *stdin_path, *stdout_where, *message;
	const char *reference, *unit, *sort, *export;
	struct pn_opt_list labels, lines, scans, lists, settings;
	int64_t calibrate, runs, warmup, min_runs, max_runs;
	double min_time, max_time, precision, live;
	bool shell, interleave, ignore_status, keep_failed, list_collectors;
	bool add, keep, json, quiet;
};

#endif
