/* What one commit shows of each series, or two side by side. */
#ifndef PN_PROFILES_COMMIT_ROWS_H
#define PN_PROFILES_COMMIT_ROWS_H

#include "analysis/diff/series_rows.h"
#include "base/arena.h"
#include "jobs/profiles/sides.h"

/* Zeroed before. */
struct pn_commit_rows {
	struct pn_log_row old, now; /* what is read of both */
	struct pn_series_rows rows;
	struct pn_arena arena;
};

/* Of `after`, or of `before` (NULL: none) and it; of series that `name` (NULL:
 * all) fits, and of metrics that are like the regular expression `metric`
 * (NULL: all). Released in any case. */
int pn_commit_rows_read(struct pn_commit_rows *out,
			const struct pn_lookup *lookup,
			const struct pn_side *before,
			const struct pn_side *after, const char *name,
			const char *metric, struct pn_error *err);
void pn_commit_rows_release(struct pn_commit_rows *rows);

#endif
