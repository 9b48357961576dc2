/* What `git perf collect` shows: progress, results, warnings. */
#ifndef CMD_COLLECT_VIEW_H
#define CMD_COLLECT_VIEW_H

#include "base/error.h"
#include "base/oid.h"
#include "collect/collector.h"
#include "command.h"
#include "model/profile.h"
#include "model/summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define VIEW_ROWS 5 /* functions shown at once: `show` has all of them */

/* One job, measured. */
struct view_result {
	char *title;		     /* the command as it was run */
	char *id;		     /* of what was listed, or ... */
	char *path;		     /* ... of the pending file */
	char origin[PN_OID_HEX + 1]; /* commit that was measured, or "" */
	struct pn_profile *profile;  /* borrowed */
	struct pn_collect_warning warnings[PN_COLLECT_DOUBTS];
	size_t warning_count;
};

/* The table of collectors, or the row `wanted` of it, for people and for
 * completion: a collector begins its line, its options follow with blanks
 * before them. To the file `path`, or standard output; the exit code. */
int view_collectors(const struct global *global, const char *path,
		    const char *wanted);

/* The command of a job as one line, shell-quoted; the caller frees. */
char *view_title(const struct pn_collect_job *job);

/* A line on a terminal that is written over again and again, at most ten
 * times a second. Zeroed: not shown yet. */
struct view_progress {
	int64_t shown_ns;
	bool visible;
};
void view_progress_show(struct view_progress *view,
			const struct pn_collect_progress *progress,
			const char *title);
void view_progress_clear(struct view_progress *view);

struct view_options {
	bool json;
	bool quiet;	    /* no text on standard output */
	const char *path;   /* file for the result, or NULL */
	const char *export; /* table of times, or NULL: see view_export */
	const char *unit;   /* us, ms or s; NULL: one that suits each */
	bool in_order;	    /* compare in the order given, not fastest first */
	bool reference;	    /* the first result is what others compare to */
};

/* Times, memory, range of each, or what the collector found otherwise: its
 * heaviest functions or its metrics; then how they compare. */
int view_text(FILE *to, const struct view_result *results, size_t count,
	      const struct view_options *options, struct pn_error *err);
/* How they compare: ratios of the mean wall times. */
void view_comparison(FILE *to, const struct view_result *results, size_t count,
		     const struct view_options *options);
/* A table of the wall times for other programs, by the name's end: ".csv" (in
 * seconds) or ".md". The check refuses others (PN_EINVAL). */
int view_export_check(const char *path, struct pn_error *err);
int view_export(const char *path, const struct view_result *results,
		size_t count, const struct view_options *options,
		struct pn_error *err);

/* All of that, as the options say; returns an exit code. */
struct global;
int view_results(const struct global *global, const struct view_result *results,
		 size_t count, const struct view_options *options);

/* A unit of time: the named one, else that in which `ns` is 1 or more. */
struct view_unit {
	const char *name;
	double ns;
};
struct view_unit view_unit_of(const char *name, double ns);
/* The summary of a metric; false when the profile has none of that name. */
bool view_summary(struct pn_summary *out, const struct pn_profile *p,
		  const char *name);

int view_json(FILE *to, const struct view_result *results, size_t count,
	      struct pn_error *err);
/* What became of each: its id in the list of `commit`, or the pending file; on
 * standard error. */
void view_kept(const struct view_result *results, size_t count,
	       const struct pn_oid *commit, bool dirty);
/* On standard error; `plan` decides what to advise. */
void view_warnings(const struct view_result *result,
		   const struct pn_collect_plan *plan, bool has_prepare);

#endif
