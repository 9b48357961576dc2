/*
 * What `git perf detect` answers: a filter over numbers each, one file and one
 * row of the table in answer.c.
 */
#ifndef PN_ANSWERS_ANSWER_H
#define PN_ANSWERS_ANSWER_H

#include "base/buf.h"
#include "base/error.h"
#include "base/opts/opts.h"
#include "base/reader/lines.h"

#include <stdbool.h>
#include <stdint.h>

/* As the options of the command say it. */
struct pn_answer_ask {
	bool json;
	bool series; /* a question on each line or two */
	bool counts; /* numbers are counts that should not vary */
	/* Of a duel; shares as they were given, and read: below 0 when not. */
	const char *tolerance_text, *margin_text;
	double tolerance, margin;
	int64_t max_pairs; /* 0: not given */
};

/* OPT_TABLE(struct pn_answer_ask, <member>, pn_answer_opts). */
extern const struct pn_opt pn_answer_opts[];

/*
 * `run` reads one question and appends the answer, one line or more. *have is
 * false when there was no further one; it is called once, but with
 * --stdin-series until then.
 */
struct pn_answer {
	const char *name;
	bool has_series, has_counts, is_duel;
	int (*run)(struct pn_buf *out, bool *have, struct pn_lines *in,
		   const struct pn_answer_ask *ask, struct pn_error *err);
};

/* PN_EINVAL: there is none of this name (NULL: none was said), or an option is
 * not for it, or is no share; shares are read. */
int pn_answer_find(const struct pn_answer **out, const char *name,
		   struct pn_answer_ask *ask, struct pn_error *err);
/* To all questions that there are. */
int pn_answer_all(struct pn_buf *out, const struct pn_answer *answer,
		  struct pn_reader *in, const struct pn_answer_ask *ask,
		  struct pn_error *err);

#endif
