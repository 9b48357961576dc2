/* Files that a profile sees. */
#include "jobs/functions/sees.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* A location's functions: whether one is of the repository, or without file. */
static void look(bool *is_ours, bool *is_bare, const struct pn_nodes *nodes,
		 const struct pn_source_paths *paths, size_t location)
{
	uint32_t i;

	*is_ours = *is_bare = false;
	for (i = nodes->first[location]; i < nodes->first[location + 1]; i++) {
		uint32_t file = nodes->items[nodes->of[i]].file;
		const char *text = pn_strtab_text(&nodes->files, file);

		*is_ours |= file && paths->of[file];
		*is_bare |= !file || !strcmp(text, "???");
	}
	if (nodes->first[location] == nodes->first[location + 1])
		*is_bare = true;
}

void pn_series_sees(struct pn_impact_series *out, const struct pn_nodes *nodes,
		    const struct pn_source_paths *paths)
{
	const struct pn_profile *p = nodes->profile;
	unsigned char *ours = pn_calloc(p->mapping_count + 1, 1);
	bool is_ours, is_bare;
	uint32_t mapping;
	size_t i;

	out->files = pn_calloc(paths->count + 1, sizeof(const char *));
	for (i = 0; i < paths->count; i++)
		if (paths->of[i])
			out->files[out->file_count++] =
				pn_arena_copy(&out->arena, paths->of[i],
					      strlen(paths->of[i]));
	out->knows_files = out->file_count > 0;
	for (i = 0; i < p->location_count; i++) {
		look(&is_ours, &is_bare, nodes, paths, i);
		mapping = p->locations[i].mapping;
		if (is_ours && mapping < p->mapping_count)
			ours[mapping] = 1;
	}
	for (i = 0; out->knows_files && i < p->location_count; i++) {
		look(&is_ours, &is_bare, nodes, paths, i);
		mapping = p->locations[i].mapping;
		if (is_bare && (mapping >= p->mapping_count || ours[mapping]))
			out->knows_files = false;
	}
	free(ours);
}
