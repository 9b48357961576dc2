/*
 * Stacks as a tree of paths from the root: what stacks have in common is there
 * once, and a new stack is told by the frames that are new.
 */
#include "body/gather.h"
#include "body/paths.h"
#include "body/tree.h"

#include <string.h>

struct tree {
	uint64_t *ups, *locations; /* columns of the draft */
	size_t count;
	uint32_t *heads, *nexts; /* paths by hash, PN_NONE ends */
	size_t mask;
	uint64_t key;
};

/* Row of the caller + 1, 0 for a root. */
static uint64_t parent_of(const struct tree *t, size_t row)
{
	return t->ups[row] ? row - t->ups[row] + 1 : 0;
}

static void enter(struct tree *t, size_t row)
{
	size_t at = pn_body_path_chain(t->key, parent_of(t, row),
				       t->locations[row], t->mask);

	t->nexts[row] = t->heads[at];
	t->heads[at] = (uint32_t)row;
}

/* The path one frame on from a parent, added when new; both as row + 1. */
static uint64_t walk(struct tree *t, uint64_t parent, uint64_t location)
{
	uint32_t row =
		t->heads[pn_body_path_chain(t->key, parent, location, t->mask)];
	unsigned int steps = 0;

	for (; row != PN_NONE && steps < PN_BODY_STEPS_MAX;
	     row = t->nexts[row]) {
		if (t->locations[row] == location &&
		    parent_of(t, row) == parent)
			return (uint64_t)row + 1;
		steps++;
	}
	t->locations[t->count] = location;
	t->ups[t->count] = parent ? t->count - (parent - 1) : 0;
	enter(t, t->count);
	return ++t->count;
}

/* The base's paths, and room for as many as there are frames. */
static void init_tree(struct tree *t, struct pn_body_draft *d, size_t frames)
{
	size_t i, had = d->rows[PN_BODY_PATHS], room = had + frames;

	pn_body_draft_resize(d, PN_BODY_PATHS, room);
	t->ups = d->columns[PN_BODY_PATH_UP];
	t->locations = d->columns[PN_BODY_PATH_LOCATION];
	t->count = had;
	t->key = d->key;
	t->mask = 15;
	while (t->mask < room)
		t->mask = t->mask * 2 + 1;
	t->heads = pn_arena_array(&d->scratch, t->mask + 1, sizeof(*t->heads));
	memset(t->heads, 0xff, (t->mask + 1) * sizeof(*t->heads));
	t->nexts = pn_arena_array(&d->scratch, room, sizeof(*t->nexts));
	/* from the last, so that chains begin with the first */
	for (i = had; i-- > 0;)
		enter(t, i);
}

void pn_body_gather_stacks(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	struct tree t;
	size_t i;

	if (g->lean) {
		g->stacks = pn_body_new_rows(g, p->stack_count);
		g->paths = g->d.base ? pn_body_paths_behind(
					       g->stacks, p, g->used_stacks,
					       g->stack_count, g->d.base->paths,
					       g->locations)
				     : pn_body_paths_new(g->stacks, p,
							 g->used_stacks,
							 g->stack_count);
		g->d.rows[PN_BODY_PATHS] = pn_body_paths_count(g->paths);
		return;
	}
	init_tree(&t, &g->d, p->frame_count);
	g->stacks = pn_body_new_rows(g, p->stack_count);
	for (i = 0; i < g->stack_count; i++) {
		uint32_t stack = g->used_stacks[i];
		uint32_t at = p->stack_start[stack + 1];
		uint64_t path = 0;

		while (at-- > p->stack_start[stack])
			path = walk(&t, path, g->locations[p->frames[at]]);
		g->stacks[stack] = (uint32_t)path;
	}
	g->d.rows[PN_BODY_PATHS] = t.count;
}
