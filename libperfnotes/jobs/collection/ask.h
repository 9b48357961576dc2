/* What a command line asks to be collected. */
#ifndef PN_COLLECTION_ASK_H
#define PN_COLLECTION_ASK_H

#include "base/opts/opts.h"
#include "jobs/collection/call.h"

/* As the options of `git perf collect` say it. Everything is borrowed. */
struct pn_collect_ask {
	const char *const *words; /* the command; NULL-terminated */
	size_t word_count;
	const char *collector, *workload, *name, *machine;
	const char *setup, *prepare, *conclude, *cleanup;
	const char *stdin_path, *stdout_where, *reference;
	struct pn_opt_list labels, lines, scans, lists, settings;
	int64_t runs, warmup, min_runs, max_runs;
	double min_time, max_time, precision, live; /* in seconds */
	bool shell, interleave, ignore_status, keep_failed, add, keep;
};

/* OPT_TABLE(struct pn_collect_ask, <member>, pn_collect_opts). */
extern const struct pn_opt pn_collect_opts[];

/* What holds where nothing else is said. */
void pn_collect_ask_init(struct pn_collect_ask *out);
/* What is wrong with it, NULL when nothing is. A bound of runs that was given
 * moves the other one, which was not. */
const char *pn_collect_ask_fault(struct pn_collect_ask *ask);

/* What it became, from the configuration and by reading it. */
struct pn_collect_asked {
	char *machine, *collector;
	struct pn_text_pair *labels;
	struct pn_collect_pair *settings;
	size_t setting_count;
	bool misused; /* what failed is what the options say */
};

/*
 * A call with jobs, plan and what is to be kept. Its `keep.repo` is the
 * caller's, NULL where there is none: then nothing is kept, and PN_ENOTFOUND
 * when it had to be. `asked` is released after the call, in any case.
 */
int pn_collect_ask_read(struct pn_collect_call *out,
			struct pn_collect_asked *asked,
			const struct pn_collect_ask *ask, struct pn_error *err);
/* What would help where the call has failed with `code`: a line each, or none.
 */
void pn_collect_ask_hints(struct pn_buf *out, const struct pn_collect_ask *ask,
			  const struct pn_collect_call *call, int code);
void pn_collect_asked_release(struct pn_collect_asked *asked,
			      struct pn_collect_call *call);

#endif
