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
	bool counts; /* numbers are counts that should not vary */
	/* Of a duel; shares as they were given, and read: below 0 when not. */
	const char *tolerance_text, *margin_text;
	double tolerance, margin;
	int64_t max_pairs; /* 0: not given */
};

/*
 * A filter over standard input: `run` reads one question and appends the
 * answer, one line or more. *have is false when there was no further one; it
 * is called once, but with --stdin-series until then.
 */
struct detector {
	const char *name;
	bool has_series, has_counts, is_duel;
	int (*run)(struct pn_buf *out, bool *have, struct pn_lines *in,
		   const struct detect_options *options, struct pn_error *err);
};

#endif
