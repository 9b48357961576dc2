/*
 * What a collection found: for people (times, memory, range of each, or its
 * heaviest functions or metrics, then how they compare), for programs (JSON),
 * and as tables of times for documents.
 */
#ifndef PN_MEASURED_RESULTS_H
#define PN_MEASURED_RESULTS_H

#include "analysis/measured/measured.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/opts/opts.h"
#include "render/measured/doubt.h"
#include "render/palette.h"

#include <stdbool.h>
#include <stdio.h>

/* How to show them, as the options of `git perf collect` say it. */
struct pn_results_options {
	const char *unit;   /* us, ms or s; NULL: one that suits each */
	const char *sort;   /* "command": compare in the order given; else the
			     * fastest first */
	const char *export; /* file of a table, too */
	bool reference;	    /* the first result is what others compare to */
	const struct pn_palette *palette; /* NULL: no colours */
};

/* OPT_TABLE(struct pn_results_options, <member>, pn_results_opts). */
extern const struct pn_opt pn_results_opts[];

/* What is wrong with what they say, NULL when nothing is. */
const char *pn_results_fault(const struct pn_results_options *options);
/* Whether to compare them in the order given. */
bool pn_results_in_order(const struct pn_results_options *options);

/* Text, escaped for a terminal. Profiles may change: see pn_report_init. */
int pn_results_text(FILE *to, const struct pn_measured *results, size_t count,
		    const struct pn_results_options *options,
		    struct pn_error *err);
int pn_results_json(FILE *to, const struct pn_measured *results, size_t count,
		    struct pn_error *err);

/* Warnings, a line each: what is doubtful of them, and remarks on them. */
void pn_results_doubts(struct pn_buf *out, const struct pn_measured *results,
		       size_t count, const struct pn_doubt_context *context);
/* What became of each, a line each: its id in HEAD's list, or the pending file;
 * nothing of what was not kept. */
void pn_results_kept(struct pn_buf *out, const struct pn_measured *results,
		     size_t count, bool dirty);

/* Whether there is such a table of times: the name of its file ends in .csv or
 * .md. PN_EINVAL says so. */
int pn_results_table_check(const char *path, struct pn_error *err);
/* That table: in seconds as CSV, in one unit as Markdown. */
void pn_results_table(struct pn_buf *out, const char *path,
		      const struct pn_measured *results, size_t count,
		      const struct pn_results_options *options);

#endif
