/* Figures of one commit of a log. */
#include "analysis/history/log_row.h"

#include "analysis/history/job_tell.h"

#include <string.h>

/* A line that was copied here and is of another tree has no figures of this
 * commit. */
static void pool_own(const struct pn_figure **out, size_t *count,
		     struct pn_arena *arena, const struct pn_log_row *row)
{
	struct pn_entry *own =
		pn_arena_alloc(arena, row->entry_count * sizeof(*own));
	size_t i, n = 0;

	for (i = 0; i < row->entry_count; i++)
		if (pn_oid_equal(&row->entries[i].tree, &row->tree))
			own[n++] = row->entries[i];
	pn_figures_of(out, count, arena, own, n);
}

void pn_log_row_pool(struct pn_log_row *row, struct pn_arena *arena,
		     const struct pn_regex *metric)
{
	const struct pn_figure *all;
	struct pn_figure *kept;
	size_t i, count, n = 0;

	pool_own(&all, &count, arena, row);
	row->figures = all;
	row->figure_count = count;
	if (!metric)
		return;
	kept = pn_arena_alloc(arena, count * sizeof(*kept));
	for (i = 0; i < count; i++)
		if (pn_regex_match(metric, all[i].metric,
				   strlen(all[i].metric)))
			kept[n++] = all[i];
	row->figures = kept;
	row->figure_count = n;
}

void pn_log_row_shorten(struct pn_log_row *row, struct pn_arena *arena)
{
	struct pn_figure *kept =
		pn_arena_alloc(arena, row->figure_count * sizeof(*kept));
	size_t i, n = 0;

	for (i = 0; i < row->figure_count; i++)
		if (pn_job_begins(row->figures, i))
			kept[n++] = row->figures[i];
	row->figures = kept;
	row->figure_count = n;
}
