/* Rows of tables and of strings, as all of gathering needs them. */
#include "body/gather.h"

#include <string.h>

uint32_t pn_body_gather_string(struct pn_body_gather *g, uint32_t id)
{
	const struct pn_strtab *tab = &g->p->strings;

	/* a profile without strings still names "" */
	if (id >= tab->count)
		return pn_body_draft_string(&g->d, "", 0);
	if (g->strings[id] == PN_NONE)
		g->strings[id] = pn_body_draft_string(
			&g->d, pn_strtab_text(tab, id), pn_strtab_len(tab, id));
	return g->strings[id];
}

uint32_t *pn_body_new_rows(struct pn_body_gather *g, size_t count)
{
	uint32_t *rows = pn_arena_array(&g->arena, count, sizeof(*rows));

	memset(rows, 0xff, count * sizeof(*rows));
	return rows;
}

size_t pn_body_gather_grown(const struct pn_body_gather *g, unsigned int table,
			    const uint32_t *slots, size_t count)
{
	size_t i, rows = g->d.rows[table];

	for (i = 0; i < count; i++)
		if (slots[i] >= rows)
			rows = (size_t)slots[i] + 1;
	return rows;
}

void pn_body_gather_fixed(struct pn_body_gather *g, uint32_t *slots,
			  const uint64_t *words, size_t count,
			  const unsigned int *columns, size_t width,
			  unsigned int ways)
{
	unsigned int table = pn_body_column_info(columns[0]).table;
	struct pn_body_runs old, now = {words, NULL, count};
	size_t *starts, i, k;

	if (!count)
		return;
	old = pn_body_draft_runs(&g->d, columns, width);
	starts = pn_arena_array(&g->d.scratch, count + 1, sizeof(*starts));
	for (i = 0; i <= count; i++)
		starts[i] = i * width;
	now.starts = starts;
	pn_body_align(slots, &old, &now, ways, g->d.key, &g->d.scratch);
	pn_body_draft_resize(&g->d, table,
			     pn_body_gather_grown(g, table, slots, count));
	for (i = 0; i < count; i++)
		for (k = 0; k < width; k++)
			g->d.columns[columns[k]][slots[i]] =
				words[i * width + k];
}
