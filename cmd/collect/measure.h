/* One measurement of `git perf collect`, from the plan to what is printed. */
#ifndef CMD_MEASURE_H
#define CMD_MEASURE_H

#include "command.h"
#include "options.h"

/* The exit code; argv is the command, with NULL at its end. Settings that were
 * not given are filled in while it runs. */
int measure(const struct command *command, const struct options *options,
	    const struct global *global);

#endif
