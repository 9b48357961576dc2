/* What one commit of a log has. */
#include "analysis/history/log_row.h"

#include <string.h>

void pn_log_row_keep(struct pn_log_row *row, struct pn_arena *arena,
		     const struct pn_regex *metric)
{
	struct pn_figure *kept =
		pn_arena_array(arena, row->figure_count, sizeof(*kept));
	size_t i, n = 0;

	for (i = 0; i < row->figure_count; i++)
		if (pn_regex_match(metric, row->figures[i].metric,
				   strlen(row->figures[i].metric)))
			kept[n++] = row->figures[i];
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
