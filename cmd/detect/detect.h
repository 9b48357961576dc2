/* The detectors of `git perf detect`: one file and one row each. */
#ifndef CMD_DETECT_DETECT_H
#define CMD_DETECT_DETECT_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/lines.h"

#include <stdbool.h>
#include <stdint.h>

struct detect_options {
	const char *output;
	bool json;
	bool series; /* a question on each line or two */
};

/*
 * A filter over standard input: `run` reads one question and appends the
 * answer, one line or more. *have is false when there was no further one; it
 * is called once, but with --stdin-series until then.
 */
struct detector {
	const char *name;
	bool has_series;
	int (*run)(struct pn_buf *out, bool *have, struct pn_lines *in,
		   const struct detect_options *options, struct pn_error *err);
};

#endif
