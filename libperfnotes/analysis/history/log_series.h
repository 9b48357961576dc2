/*
 * What a commit has of each series, as one row: its figures, those of the last
 * ancestor that was measured likewise, or why there are none. Pure.
 */
#ifndef PN_HISTORY_LOG_SERIES_H
#define PN_HISTORY_LOG_SERIES_H

#include "analysis/history/figures.h"
#include "base/arena.h"
#include "base/oid.h"
#include "base/strtab.h"
#include "base/text/regex.h"
#include "model/entry.h"
#include "model/series.h"

#include <stdbool.h>
#include <stddef.h>

/* One metric, and what it was at the ancestor. */
struct pn_log_figure {
	const struct pn_figure *now, *base; /* base: NULL when none is known */
};

/* A record and its place among the commit's profiles. */
struct pn_log_record {
	size_t tag;
	const struct pn_entry *entry;
};

struct pn_log_series {
	struct pn_series series;
	struct pn_series_parts parts; /* so that no other row is called so */
	const struct pn_entry *entry; /* the newest record, or what failed */
	size_t tag;		      /* its place among the profiles */
	const struct pn_log_record *records; /* all of them, newest first */
	size_t record_count;
	bool failed;	   /* a `skip` line: nothing was measured */
	bool elsewhere;	   /* no tag of this commit leads to it */
	const char *dirty; /* id of the one record, of a dirty tree; or NULL */
	struct pn_log_figure *figures; /* the first one is the headline */
	size_t figure_count;
	size_t distance; /* to the ancestor, in commits; 0: there is none */
	bool divided;	 /* an ancestor has several series of its job */
};

/* Which of them, and of their metrics. Zeroed: all. */
struct pn_log_filter {
	const struct pn_regex *metric;
	const char *job;       /* as pn_series_fits takes it */
	const char *collector; /* the whole name */
	const char *machine;   /* its name, or the first digits of it */
	/* NULL, or where the names of what does not fit are put: of jobs,
	 * collectors, machines, metrics, by which of them is asked for */
	struct pn_strtab *others;
};

bool pn_log_filter_fits(const struct pn_log_filter *filter,
			const struct pn_series *series);
bool pn_log_filter_fits_metric(const struct pn_log_filter *filter,
			       const char *metric);
/* Whether it lets pass all there is. */
bool pn_log_filter_is_open(const struct pn_log_filter *filter);

/* What a note says. Borrowed. */
struct pn_noted {
	const struct pn_entry
		*lines; /* live ones of every kind, newest first */
	size_t line_count;
	const struct pn_figure *figures; /* of those of the commit's tree */
	size_t figure_count;
	bool elsewhere; /* the note is of the commit that this one was */
};

/* Fill in the figures, in `arena`, from the lines. */
void pn_noted_figures(struct pn_noted *noted, struct pn_arena *arena,
		      const struct pn_oid *tree);

/*
 * The rows of a commit with this tree. A line that git copied here from another
 * tree has no figures of this commit. What failed and was measured later is no
 * failure; of one build that failed there is one row. *out is in `arena`, the
 * newest row first, failures last.
 */
void pn_log_series_list(struct pn_log_series **out, size_t *count,
			struct pn_arena *arena, const struct pn_noted *noted,
			const struct pn_oid *tree,
			const struct pn_log_filter *filter);

/* Take an ancestor's figures, `distance` commits away, for the rows that have
 * none of a nearer one. Returns how many rows still have none. Figures of dirty
 * trees are compared with nothing. */
size_t pn_log_series_base(struct pn_log_series *rows, size_t count,
			  const struct pn_figure *figures, size_t figure_count,
			  size_t distance);

/* What the ancestor had, in the unit of now; NaN when that is not known. */
double pn_log_figure_old(const struct pn_log_figure *figure);
/* 1: the difference is for the better, -1: for the worse; 0: it is within two
 * standard errors, or within PN_CHANGE_UNKNOWN where no spread is known of a
 * time, or nobody knows what is better. */
int pn_log_figure_change(const struct pn_log_figure *figure);

#define PN_CHANGE_UNKNOWN 0.02 /* what a single time moves by itself */

#endif
