/* One commit of a log and what is known of it. Pure data and pure choices. */
#ifndef PN_HISTORY_LOG_ROW_H
#define PN_HISTORY_LOG_ROW_H

#include "analysis/history/log_series.h"
#include "analysis/judge/accepted.h"
#include "analysis/judge/marks.h"
#include "base/oid.h"

/* Everything is borrowed. */
struct pn_log_row {
	struct pn_oid commit, tree;
	const struct pn_oid *parents;
	size_t parent_count;
	int64_t author_time_s; /* since 1970 UTC */
	const char *author, *email, *subject;
	/* What it has, from pn_log_row_fill on. */
	const struct pn_entry *entries; /* profiles, newest first */
	size_t entry_count;
	const struct pn_figure *figures; /* pooled, of the commit's tree */
	size_t figure_count;
	struct pn_log_series *rows;
	size_t row_count;
	const struct pn_accepted *accepted; /* changes that are wanted */
	size_t accepted_count;
	const struct pn_marked *marked; /* the history's; NULL: not known */
	const char *unmeasured; /* why a worker did not; NULL: not known */
	/* What git draws above it and beside its lines (struct pn_commit);
	 * NULL: nothing. */
	const char *above, *beside;
};

/* Leave only those figures, in `arena`, whose metric's name matches. */
void pn_log_row_keep(struct pn_log_row *row, struct pn_arena *arena,
		     const struct pn_regex *metric);

/* Fill in profiles, figures and rows, in `arena`, from what the commit's note
 * says: those that the filter lets pass. */
void pn_log_row_fill(struct pn_log_row *row, struct pn_arena *arena,
		     const struct pn_noted *noted,
		     const struct pn_log_filter *filter);

/* The headlines of a row that are of clean trees, for a course: in `arena`. */
const struct pn_figure *pn_log_row_headlines(size_t *count,
					     struct pn_arena *arena,
					     const struct pn_log_row *row,
					     bool all);

#endif
