/* Files that a profile sees. */
#include "jobs/functions/sees.h"

#include "base/alloc.h"
#include "model/unnamed.h"

#include <stdlib.h>
#include <string.h>

#define START_SHARE 0.01 /* of all costs, that start-up code has at most */

enum {
	OURS = 1,   /* of a file of the repository */
	BARE = 2,   /* of no file, and no other: */
	START = 4,  /* what compilers and linkers add, by its name */
	ADDRESS = 8 /* the same, by what it does; it has no name */
};

struct look {
	const struct pn_nodes *nodes;
	unsigned char *is; /* of each node */
};

/* Of crt1.o, crti.o and crtbegin.o (gcc, glibc), of linkers' tables of jumps,
 * and valgrind's word for _start. */
static bool is_start_name(const char *name)
{
	static const char *const names[] = {
		"_start",
		"(below main)",
		"_init",
		"_fini",
		"__libc_csu_init",
		"__libc_csu_fini",
		"_dl_relocate_static_pie",
		"deregister_tm_clones",
		"register_tm_clones",
		"__do_global_dtors_aux",
		"__do_global_ctors_aux",
		"frame_dummy",
		"call_weak_fn",
	};
	size_t i, len = strlen(name);

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return len > 4 && !strcmp(name + len - 4, "@plt");
}

static unsigned char kind_of(const struct pn_nodes *nodes,
			     const struct pn_source_paths *paths, size_t node)
{
	const struct pn_node_info *info = &nodes->items[node];
	const char *name = pn_profile_text(nodes->profile, info->name);

	if (info->file && paths->of[info->file])
		return OURS;
	if (info->file &&
	    strcmp(pn_strtab_text(&nodes->files, info->file), "???") != 0)
		return 0;
	return BARE | (is_start_name(name) ? START : 0) |
	       (pn_unnamed_is_address(name) ? ADDRESS : 0);
}

static void refuse(const struct look *l, uint32_t node, bool really)
{
	if (node != PN_NONE && really)
		l->is[node] &= (unsigned char)~ADDRESS;
}

/* Start-up code has symbols without a size, which tools tell by address only.
 * Such a function is that where it ran once, cost next to nothing, and neither
 * calls nor is called by what is ours. Leaves those so marked. */
static void refuse_others(const struct look *l)
{
	const struct pn_profile *p = l->nodes->profile;
	const struct pn_graph *g = &p->graph;
	size_t i, type = pn_profile_default_type(p);
	double all = 0;

	for (i = 0; i < g->node_count; i++)
		all += pn_profile_number(p, g->self, i, type);
	for (i = 0; i < g->node_count; i++)
		refuse(l, pn_nodes_of_graph(l->nodes, i),
		       g->nodes[i].calls < 0 ||
			       g->nodes[i].calls > pn_profile_runs(p) ||
			       pn_profile_number(p, g->total, i, type) >
				       START_SHARE * all);
	for (i = 0; i < g->edge_count; i++) {
		uint32_t from = pn_nodes_of_graph(l->nodes, g->edges[i].caller);
		uint32_t to = pn_nodes_of_graph(l->nodes, g->edges[i].callee);

		refuse(l, to, from != PN_NONE && l->is[from] == OURS);
		refuse(l, from, to != PN_NONE && l->is[to] == OURS);
	}
}

static void look_at_all(struct look *l, const struct pn_source_paths *paths)
{
	const struct pn_profile *p = l->nodes->profile;
	size_t i;

	l->is = pn_calloc(l->nodes->count + 1, 1);
	for (i = 0; i < l->nodes->count; i++)
		l->is[i] = kind_of(l->nodes, paths, i);
	if (p->graph.node_count && !p->sample_count && p->type_count)
		refuse_others(l);
	else
		for (i = 0; i < l->nodes->count; i++)
			refuse(l, (uint32_t)i, true);
}

/* Whether one of a location's functions is of this kind, and no other. */
static bool any_is(const struct look *l, size_t location, unsigned char kind)
{
	uint32_t i;

	for (i = l->nodes->first[location]; i < l->nodes->first[location + 1];
	     i++)
		if (l->is[l->nodes->of[i]] == kind)
			return true;
	return false;
}

static bool knows_files(const struct look *l)
{
	const struct pn_profile *p = l->nodes->profile;
	unsigned char *ours = pn_calloc(p->mapping_count + 1, 1);
	bool knows = true;
	uint32_t mapping;
	size_t i;

	for (i = 0; i < p->location_count; i++) {
		mapping = p->locations[i].mapping;
		if (mapping < p->mapping_count && any_is(l, i, OURS))
			ours[mapping] = 1;
	}
	for (i = 0; knows && i < p->location_count; i++) {
		mapping = p->locations[i].mapping;
		knows = (mapping < p->mapping_count && !ours[mapping]) ||
			!any_is(l, i, BARE);
	}
	free(ours);
	return knows;
}

void pn_series_sees(struct pn_impact_series *out, const struct pn_nodes *nodes,
		    const struct pn_source_paths *paths)
{
	struct look l = {.nodes = nodes};
	size_t i;

	out->files = pn_calloc(paths->count + 1, sizeof(const char *));
	for (i = 0; i < paths->count; i++)
		if (paths->of[i])
			out->files[out->file_count++] =
				pn_arena_copy(&out->arena, paths->of[i],
					      strlen(paths->of[i]));
	out->knows_files = false;
	if (!out->file_count)
		return;
	look_at_all(&l, paths);
	out->knows_files = knows_files(&l);
	free(l.is);
}
