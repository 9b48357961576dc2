/* Nodes for paths of nodes: a path is the path of its caller and a node. */
#include "analysis/drawn/paths.h"

#include "base/alloc.h"
#include "base/slots.h"

#include <stdlib.h>
#include <string.h>

/* Calls that are told apart by all above them share nothing: a few stacks of
 * inlined calls can ask for billions. */
#define LINES_MAX (2u << 20)

/* A node, or a location, at the end of a path. */
struct step {
	uint32_t caller; /* a path, or PN_NONE at the root */
	uint32_t of;
	uint32_t path; /* at whose end it stands */
};

struct steps {
	struct step *items;
	size_t count, cap;
	struct pn_slots slots;
};

struct work {
	struct pn_profile *p;
	const struct pn_nodes *from;
	struct pn_nodes to;
	size_t of_cap, first_cap, single_cap;
	struct steps paths, places; /* by node and by location */
	size_t locations;	    /* of the profile as it came */
	struct pn_line *lines;	    /* of one location */
	size_t line_cap;
	uint32_t *row; /* the places of one stack, from the root on */
	size_t row_cap;
	const uint32_t *keep; /* see pn_paths_weigh */
	uint32_t rest_place;
};

static bool find_step(uint32_t *at, struct steps *steps, uint32_t caller,
		      uint32_t of)
{
	uint32_t row, hash = pn_slots_hash_word(&steps->slots,
						(uint64_t)caller << 32 | of);
	size_t slot = pn_slots_first(&steps->slots, hash);

	while (pn_slots_row(&row, &steps->slots, &slot, hash))
		if (steps->items[row].caller == caller &&
		    steps->items[row].of == of) {
			*at = row;
			return true;
		}
	*at = (uint32_t)steps->count;
	pn_slots_add(&steps->slots, hash, *at);
	steps->items = pn_grow(steps->items, &steps->cap, steps->count + 1,
			       sizeof(*steps->items));
	steps->items[steps->count++] = (struct step){caller, of, PN_NONE};
	return false;
}

/* Node 0 is the rest, path k is node k + 1. */
static uint32_t path_of(struct work *w, uint32_t caller, uint32_t node)
{
	struct pn_nodes *to = &w->to;
	uint32_t path;

	if (find_step(&path, &w->paths, caller, node))
		return path;
	to->items =
		pn_grow(to->items, &to->cap, to->count + 1, sizeof(*to->items));
	to->items[to->count] = w->from->items[node];
	to->items[to->count++].apart = path + 1;
	return path;
}

static void add_of(struct work *w, uint32_t node, uint32_t at)
{
	w->to.of = pn_grow(w->to.of, &w->of_cap, (size_t)at + 1,
			   sizeof(*w->to.of));
	w->to.of[at] = node;
}

/* A location whose nodes are of[begin] up to of[end]. */
static void add_place(struct work *w, size_t location, uint32_t begin,
		      uint32_t end)
{
	struct pn_nodes *to = &w->to;

	to->first = pn_grow(to->first, &w->first_cap, location + 2,
			    sizeof(*to->first));
	to->single = pn_grow(to->single, &w->single_cap, location + 1,
			     sizeof(*to->single));
	to->first[location] = begin;
	to->first[location + 1] = end;
	to->single[location] =
		end - begin == 1 ? to->of[begin] : PN_NODES_SEVERAL;
}

/* The same location once more. */
static uint32_t copy_location(struct work *w, uint32_t at)
{
	const struct pn_location l = w->p->locations[at];

	w->lines = pn_grow(w->lines, &w->line_cap, (size_t)l.line_count + 1,
			   sizeof(*w->lines));
	if (l.line_count)
		memcpy(w->lines, w->p->lines + l.line_first,
		       l.line_count * sizeof(*w->lines));
	return pn_profile_add_location(w->p, &l, w->lines, l.line_count);
}

/* What stands for a location behind the path, whose first `room` nodes are told
 * apart; the path goes on to its end. */
static uint32_t place_of(struct work *w, uint32_t *path, uint32_t at,
			 uint32_t room)
{
	const uint32_t *first = &w->from->first[at];
	uint32_t begin, i, place, count = first[1] - first[0];

	if (!find_step(&place, &w->places, *path, at)) {
		begin = w->to.first[w->p->location_count];
		for (i = count; i-- > 0;) {
			bool told = count - 1 - i < room;

			if (told)
				*path = path_of(w, *path,
						w->from->of[first[0] + i]);
			if (told && i == count - 1)
				w->to.items[*path + 1].called = true;
			add_of(w, told ? *path + 1 : PN_PATHS_REST, begin + i);
		}
		w->places.items[place].path = *path;
		add_place(w, copy_location(w, at), begin, begin + count);
	}
	*path = w->places.items[place].path;
	return (uint32_t)w->locations + place;
}

/* Returns the number of places in the row. */
static size_t split_stack(struct work *w, size_t stack, uint32_t begin,
			  uint32_t end)
{
	uint32_t keep = w->keep[stack];
	uint32_t path = PN_NONE, depth = 0;
	size_t n = 0;

	w->row = pn_grow(w->row, &w->row_cap, (size_t)(end - begin) + 1,
			 sizeof(*w->row));
	while (end > begin && depth < keep) {
		uint32_t at = w->p->frames[--end];

		w->row[n++] = place_of(w, &path, at, keep - depth);
		depth += w->from->first[at + 1] - w->from->first[at];
	}
	if (end > begin)
		w->row[n++] = w->rest_place;
	return n;
}

static int split_stacks(struct work *w, struct pn_error *err)
{
	struct pn_profile *p = w->p;
	size_t lines = p->line_count, stack, n;
	uint32_t begin, end = 0, to = 0;

	for (stack = 0; stack < p->stack_count; stack++) {
		begin = stack ? end : p->stack_start[0];
		end = p->stack_start[stack + 1];
		n = split_stack(w, stack, begin, end);
		p->stack_start[stack] = to;
		while (n)
			p->frames[to++] = w->row[--n];
		if (p->line_count - lines > LINES_MAX)
			return pn_error_set(err, PN_ELIMIT,
					    "the call tree has more than %u "
					    "calls",
					    LINES_MAX);
	}
	p->stack_start[p->stack_count] = to;
	p->frame_count = to;
	return 0;
}

/* What the profile had is of the rest, and one location more: what a stack has
 * above it. */
static void begin_rest(struct work *w)
{
	const struct pn_location none = {.mapping = PN_NONE};
	size_t i;

	w->to.items = pn_grow(NULL, &w->to.cap, 1, sizeof(*w->to.items));
	memset(w->to.items, 0, sizeof(*w->to.items));
	w->to.items[0].function = PN_NONE;
	w->to.count = 1;
	w->rest_place = pn_profile_add_location(w->p, &none, NULL, 0);
	w->locations = w->p->location_count;
	for (i = 0; i < w->locations; i++) {
		add_of(w, PN_PATHS_REST, (uint32_t)i);
		add_place(w, i, (uint32_t)i, (uint32_t)i + 1);
	}
}

/* All nodes of stacks that weigh something: of others no call counts. */
static uint32_t *keep_all(const struct pn_profile *p,
			  const struct pn_weight *weight)
{
	uint32_t *keep = pn_calloc(p->stack_count + 1, sizeof(*keep));
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		const union pn_value *row = p->values + i * p->type_count;

		if (pn_weight_value(weight, p, row) ||
		    pn_weight_divisor(weight, p, row))
			keep[p->samples[i].stack] = UINT32_MAX;
	}
	return keep;
}

int pn_paths_split(size_t *too_light, struct pn_profile *profile,
		   struct pn_nodes *nodes, const struct pn_weight *weight,
		   int64_t least, struct pn_error *err)
{
	struct work w = {.p = profile, .from = nodes, .to = *nodes};
	uint32_t *keep;
	int code;

	*too_light = 0;
	if (!profile->sample_count && !profile->graph.node_count)
		return 0;
	if (!profile->sample_count)
		return pn_error_set(err, PN_EINVAL,
				    "a call tree needs stacks: the profile has "
				    "none");
	if (least > 0)
		keep = pn_paths_weigh(too_light, profile, nodes, weight, least);
	else
		keep = keep_all(profile, weight);
	w.keep = keep;
	w.to.paths = true;
	w.to.items = NULL;
	w.to.first = w.to.of = w.to.single = NULL;
	w.to.count = w.to.cap = 0;
	begin_rest(&w);
	code = split_stacks(&w, err);
	free(nodes->items);
	free(nodes->first);
	free(nodes->of);
	free(nodes->single);
	*nodes = w.to;
	pn_slots_release(&w.paths.slots);
	pn_slots_release(&w.places.slots);
	free(w.paths.items);
	free(w.places.items);
	free(w.lines);
	free(w.row);
	free(keep);
	return code;
}
