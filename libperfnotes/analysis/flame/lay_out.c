/* The frames that grew, in their final order: parents before their children,
 * the heaviest child or the first one in time on the left. */
#include "analysis/flame/grow.h"
#include "base/alloc.h"
#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A child among its siblings. */
struct place {
	uint32_t frame;
	double weight;
	const struct pn_str *name;
};

static int cmp_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	size_t len = a->name->len < b->name->len ? a->name->len : b->name->len;
	int order;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	order = memcmp(a->name->data, b->name->data, len);
	if (order)
		return order;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

/* A frame that is to be put at its place, and where that is. */
struct work {
	uint32_t draft, parent;
	double start[PN_FLAME_SIDES];
};

struct order {
	struct pn_flame *out;
	const struct pn_flame_grow *grow;
	struct place *places; /* of siblings */
	size_t place_cap;
	struct work *stack;
	size_t top, stack_cap;
};

/* The children that have grown, the heaviest or the first one in time first;
 * returns how many there are. */
static size_t place_children(struct order *o, const struct pn_flame_draft *of)
{
	const struct pn_flame_grow *grow = o->grow;
	uint32_t at, end = of->first + of->count;
	size_t n = 0;

	o->places = pn_grow(o->places, &o->place_cap, of->count,
			    sizeof(*o->places));
	for (at = of->first; at < end; at++)
		if (grow->frames[at].grown)
			o->places[n++].frame = at;
	if (n < 2 || grow->by_time)
		return n;
	for (at = 0; at < n; at++) {
		struct place *place = &o->places[at];
		uint32_t name = grow->frames[place->frame].name;

		place->weight = pn_flame_grow_weight(grow, place->frame);
		place->name = &grow->ids->names.items[name];
	}
	qsort(o->places, n, sizeof(*o->places), cmp_places);
	return n;
}

/* The children of a frame that was put at `at`, so that the first of them is
 * on top of the stack. */
static void push_children(struct order *o, uint32_t at, size_t count)
{
	const struct pn_flame_frame *parent = &o->out->frames[at];
	double used[PN_FLAME_SIDES] = {0, 0};
	size_t i;
	int side;

	o->stack = pn_grow(o->stack, &o->stack_cap, o->top + count,
			   sizeof(*o->stack));
	for (i = 0; i < count; i++) {
		uint32_t child = o->places[i].frame;
		const struct pn_flame_draft *draft = &o->grow->frames[child];
		struct work *work = &o->stack[o->top + count - 1 - i];

		work->draft = child;
		work->parent = at;
		for (side = 0; side < PN_FLAME_SIDES; side++) {
			work->start[side] = parent->start[side] + used[side];
			used[side] += (double)draft->total[side] *
				      o->grow->scale[side];
		}
	}
	o->top += count;
}

/* What is not below the parent of the frame at `at` ends there. */
static void end_subtrees(struct pn_flame_frame *frames, uint32_t at,
			 uint32_t parent)
{
	uint32_t i;

	for (i = at - 1; i != parent; i = frames[i].parent)
		frames[i].end = at;
}

/* What is not its children's. */
static int64_t own_of(const struct pn_flame_grow *grow,
		      const struct pn_flame_draft *of, int side)
{
	const struct pn_flame_draft *child = grow->frames + of->first;
	const struct pn_flame_draft *end = child + of->count;
	uint64_t own = (uint64_t)of->total[side];

	for (; child < end; child++)
		own -= (uint64_t)child->total[side];
	return of->cut ? 0 : (int64_t)own;
}

static void put_side(struct pn_flame_frame *to,
		     const struct pn_flame_grow *grow, const struct work *work,
		     int side)
{
	const struct pn_flame_draft *from = &grow->frames[work->draft];
	double scale = grow->scale[side];

	to->total[side] = (double)from->total[side] * scale;
	to->self[side] = (double)own_of(grow, from, side) * scale;
	to->start[side] = work->start[side];
}

/* Returns where it is. */
static uint32_t put(struct pn_flame *out, const struct pn_flame_grow *grow,
		    const struct work *work)
{
	const struct pn_flame_draft *from = &grow->frames[work->draft];
	uint32_t at = (uint32_t)out->frame_count++;
	struct pn_flame_frame *to = &out->frames[at];

	*to = (struct pn_flame_frame){.name = from->name,
				      .parent = work->parent,
				      .depth = from->depth};
	put_side(to, grow, work, PN_FLAME_NEW);
	if (grow->scale[PN_FLAME_OLD] > 0) /* else there is none */
		put_side(to, grow, work, PN_FLAME_OLD);
	if (to->depth >= out->depth)
		out->depth = to->depth + 1;
	if (at)
		end_subtrees(out->frames, at, to->parent);
	return at;
}

/* Where it is the only one, as most are, it begins where its parent does. */
static bool go_to_child(struct work *work, uint32_t at,
			const struct pn_flame_grow *grow)
{
	const struct pn_flame_draft *draft = &grow->frames[work->draft];

	if (draft->count != 1 || !grow->frames[draft->first].grown)
		return false;
	work->draft = draft->first;
	work->parent = at;
	return true;
}

/* Depth first. */
static void put_in_order(struct order *o)
{
	const struct pn_flame_draft *draft;
	uint32_t at;

	o->stack = pn_grow(NULL, &o->stack_cap, 1, sizeof(*o->stack));
	o->stack[o->top++] = (struct work){0, PN_NONE, {0, 0}};
	while (o->top) {
		struct work work = o->stack[--o->top];

		do
			at = put(o->out, o->grow, &work);
		while (go_to_child(&work, at, o->grow));
		draft = &o->grow->frames[work.draft];
		if (draft->count > 1)
			push_children(o, at, place_children(o, draft));
	}
	at = (uint32_t)o->out->frame_count;
	end_subtrees(o->out->frames, at, PN_NONE);
}

static uint32_t hash_of(const struct pn_str *s)
{
	uint32_t hash = 2166136261u; /* FNV-1a of 32 bits */
	size_t i;

	for (i = 0; i < s->len; i++)
		hash = (hash ^ (unsigned char)s->data[i]) * 16777619u;
	return hash ^ hash >> 15;
}

/* The names that are used, by their first use. */
static void take_names(struct pn_flame *out, const struct pn_flame_grow *grow)
{
	const struct pn_flame_ids *ids = grow->ids;
	uint32_t *to = pn_malloc((ids->names.count + 1) * sizeof(*to));
	uint32_t *module = pn_malloc((ids->modules.count + 1) * sizeof(*to));
	size_t i;

	memset(to, 0xff, (ids->names.count + 1) * sizeof(*to));
	memset(module, 0xff, (ids->modules.count + 1) * sizeof(*to));
	out->names = pn_calloc(ids->names.count + 1, sizeof(*out->names));
	out->modules = pn_calloc(ids->modules.count + 1, sizeof(*out->modules));
	for (i = 0; i < out->frame_count; i++) {
		uint32_t id = out->frames[i].name, of = ids->module[id];
		const struct pn_str *s = &ids->names.items[id];

		if (to[id] == PN_NONE) {
			if (module[of] == PN_NONE) {
				module[of] = (uint32_t)out->module_count++;
				out->modules[module[of]] = pn_arena_copy(
					&out->arena,
					pn_strtab_text(&ids->modules, of),
					pn_strtab_len(&ids->modules, of));
			}
			to[id] = (uint32_t)out->name_count;
			out->names[out->name_count++] = (struct pn_flame_name){
				pn_arena_copy(&out->arena, s->data, s->len),
				s->len, module[of], hash_of(s)};
		}
		out->frames[i].name = to[id];
	}
	free(to);
	free(module);
}

void pn_flame_lay_out(struct pn_flame *out, const struct pn_flame_grow *grow)
{
	struct order order = {.out = out, .grow = grow};

	out->negative = grow->negative;
	out->frames =
		pn_realloc_array(NULL, grow->count + 1, sizeof(*out->frames));
	put_in_order(&order);
	out->cut = grow->cut || out->frame_count < grow->count;
	take_names(out, grow);
	free(order.places);
	free(order.stack);
}
