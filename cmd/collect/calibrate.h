/* `git perf collect --calibrate`. */
#ifndef CMD_CALIBRATE_H
#define CMD_CALIBRATE_H

#include "command.h"

#include <stdbool.h>
#include <stdint.h>

#define CALIBRATE_ROUNDS "10000"

/* Find what a traced call costs, by clock, with so many calls in a batch, and
 * print it to the file, NULL: standard output. The exit code. */
int calibrate(const struct global *global, const char *path, int64_t rounds,
	      bool json);

#endif
