/* One commit of a log and what is known of it. Pure data and pure choices. */
#ifndef PN_HISTORY_LOG_ROW_H
#define PN_HISTORY_LOG_ROW_H

#include "analysis/history/figures.h"
#include "base/oid.h"
#include "base/regex.h"

/* Everything is borrowed. */
struct pn_log_row {
	struct pn_oid commit, tree;
	const struct pn_oid *parents;
	size_t parent_count;
	int64_t author_time_s; /* since 1970 UTC */
	const char *author, *email, *subject;
	const struct pn_entry *entries; /* newest first */
	size_t entry_count;
	const struct pn_figure *figures; /* pooled, see below */
	size_t figure_count;
};

/* Fill in the figures, in `arena`, from the entries that are of the commit's
 * tree: all of them, or those whose metric's name matches. */
void pn_log_row_pool(struct pn_log_row *row, struct pn_arena *arena,
		     const struct pn_regex *metric);
/* Keep the first figure of each job: it stands for the job where there is one
 * line for all. */
void pn_log_row_shorten(struct pn_log_row *row, struct pn_arena *arena);

#endif
