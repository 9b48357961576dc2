/* What one commit of a log has. */
#include "analysis/history/log_row.h"

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

static bool fits(const struct pn_log_filter *filter,
		 const struct pn_entry *entry)
{
	struct pn_series series;

	if (pn_log_filter_is_open(filter))
		return true;
	series = pn_series_of(entry);
	return pn_log_filter_fits(filter, &series);
}

void pn_log_row_fill(struct pn_log_row *row, struct pn_arena *arena,
		     const struct pn_noted *noted,
		     const struct pn_log_filter *filter)
{
	const struct pn_entry *lines = noted->lines;
	size_t line_count = noted->line_count;
	struct pn_entry *entries =
		pn_arena_array(arena, line_count, sizeof(*entries));
	struct pn_accepted *accepted;
	size_t i, n = 0;

	for (i = 0; i < line_count; i++)
		if (lines[i].kind == PN_ENTRY_PROFILE &&
		    fits(filter, &lines[i]))
			entries[n++] = lines[i];
	row->figures = noted->figures;
	row->figure_count = noted->figure_count;
	row->entries = entries;
	row->entry_count = n;
	pn_log_series_list(&row->rows, &row->row_count, arena, noted,
			   &row->tree, filter);
	row->accepted_count = pn_accepted_list(&accepted, arena, lines,
					       line_count, &row->tree);
	row->accepted = accepted;
}

const struct pn_figure *pn_log_row_headlines(size_t *count,
					     struct pn_arena *arena,
					     const struct pn_log_row *row,
					     bool all)
{
	struct pn_figure *out;
	size_t i, k, n = 0;

	for (i = 0; i < row->row_count; i++)
		n += row->rows[i].figure_count;
	out = pn_arena_array(arena, n, sizeof(*out));
	n = 0;
	for (i = 0; i < row->row_count; i++)
		for (k = 0; k < row->rows[i].figure_count && (all || !k); k++)
			out[n++] = *row->rows[i].figures[k].now;
	*count = n;
	return out;
}
