/* `accept` lines. */
#include "analysis/judge/accepted.h"

#include <string.h>

bool pn_accepted_of(struct pn_accepted *out, const struct pn_entry *line,
		    const struct pn_oid *tree)
{
	if (strcmp(line->kind_text, "accept") != 0 ||
	    !pn_oid_equal(&line->tree, tree))
		return false;
	*out = (struct pn_accepted){.entry = line,
				    .by = pn_entry_field(line, "by"),
				    .reason = pn_entry_field(line, "reason"),
				    .series = pn_entry_field(line, "series"),
				    .metric = pn_entry_field(line, "metric"),
				    .since = pn_entry_field(line, "since")};
	return true;
}

bool pn_accepted_fits(const struct pn_accepted *accepted,
		      const struct pn_series *series, const char *metric)
{
	return (!*accepted->metric || !strcmp(accepted->metric, metric)) &&
	       (!*accepted->series || pn_series_fits(series, accepted->series));
}

size_t pn_accepted_list(struct pn_accepted **out, struct pn_arena *arena,
			const struct pn_entry *lines, size_t count,
			const struct pn_oid *tree)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		n += !strcmp(lines[i].kind_text, "accept");
	*out = pn_arena_array(arena, n, sizeof(**out));
	for (i = n = 0; i < count; i++)
		n += pn_accepted_of(&(*out)[n], &lines[i], tree);
	return n;
}
