/* Names and modules of frames. */
#include "analysis/flame/grow.h"
#include "base/alloc.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

void pn_flame_ids_init(struct pn_flame_ids *ids)
{
	memset(ids, 0, sizeof(*ids));
	pn_strtab_add_text(&ids->names, "");
	pn_strtab_add_text(&ids->modules, "");
}

void pn_flame_ids_release(struct pn_flame_ids *ids)
{
	pn_strtab_release(&ids->names);
	pn_strtab_release(&ids->modules);
	free(ids->module);
}

/* The mapping of each node's code, by the first place of it; free(). */
static uint32_t *mappings_of(bool *several, const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	const struct pn_nodes *nodes = &report->nodes;
	uint32_t *of = pn_malloc((nodes->count + 1) * sizeof(*of));
	uint32_t i, seen = PN_NONE;
	size_t l;

	memset(of, 0xff, (nodes->count + 1) * sizeof(*of));
	*several = false;
	for (l = 0; l < p->location_count; l++) {
		uint32_t mapping = p->locations[l].mapping;

		if (mapping == PN_NONE || !p->mappings[mapping].file)
			continue;
		*several = *several || (seen != PN_NONE && mapping != seen);
		seen = mapping;
		for (i = nodes->first[l]; i < nodes->first[l + 1]; i++)
			if (of[nodes->of[i]] == PN_NONE)
				of[nodes->of[i]] = mapping;
	}
	return of;
}

/*
 * What a name itself says: "libc.so`read", "std::sort", "net/http.Get" are of
 * libc.so, std and net/http. Returns the length, 0: nothing.
 */
static size_t package_of(const char *name, size_t len)
{
	size_t i, slash = 0;

	for (i = 1; i + 1 < len; i++) {
		if (name[i] == '`' || (name[i] == ':' && name[i + 1] == ':'))
			return i;
		if (name[i] == '<' || name[i] == '(' || name[i] == ' ')
			return 0;
		if (name[i] == '/')
			slash = i;
		else if (name[i] == '.' && (slash || i > 1))
			return i;
	}
	return 0;
}

static uint32_t module_of(struct pn_flame_ids *ids,
			  const struct pn_report *report, uint32_t node,
			  uint32_t mapping)
{
	const struct pn_profile *p = report->profile;
	const struct pn_node_info *info = &report->nodes.items[node];
	const char *name = pn_profile_text(p, info->name), *file = "";
	size_t len;

	if (mapping != PN_NONE)
		return pn_strtab_add_text(
			&ids->modules, pn_file_basename(pn_profile_text(
					       p, p->mappings[mapping].file)));
	len = package_of(name, strlen(name));
	if (len)
		return pn_strtab_add(&ids->modules, name, len);
	if (info->function != PN_NONE)
		file = pn_profile_text(p, p->functions[info->function].file);
	return pn_strtab_add_text(&ids->modules, pn_file_basename(file));
}

uint32_t *pn_flame_ids_add(struct pn_flame_ids *ids,
			   const struct pn_report *report)
{
	size_t i, before, count = report->nodes.count;
	uint32_t *of = pn_malloc((count + 1) * sizeof(*of)), *mapping;
	struct pn_buf name = {0};
	bool several;

	mapping = mappings_of(&several, report);
	for (i = 0; i < count; i++) {
		pn_buf_clear(&name);
		pn_nodes_name(&name, &report->nodes, (uint32_t)i);
		before = ids->names.count;
		of[i] = pn_strtab_add(&ids->names, pn_buf_text(&name),
				      name.len);
		if (ids->names.count == before)
			continue;
		ids->module = pn_grow(ids->module, &ids->module_cap,
				      ids->names.count, sizeof(*ids->module));
		if (!before || before == 1)
			ids->module[0] = 0;
		ids->module[of[i]] = module_of(ids, report, (uint32_t)i,
					       several ? mapping[i] : PN_NONE);
	}
	pn_buf_release(&name);
	free(mapping);
	return of;
}
