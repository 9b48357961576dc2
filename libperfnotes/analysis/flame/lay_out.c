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

/* The frames that stay, which are those that have grown, by their parents:
 * the children of draft d are children[first[d]] up to children[first[d + 1]],
 * as they grew. Returns how many there are besides the root. */
static uint32_t choose(uint32_t *children, uint32_t *first,
		       const struct pn_flame_grow *grow)
{
	size_t i;
	uint32_t n = 0;

	for (i = 1; i < grow->count; i++)
		if (grow->frames[i].grown)
			first[grow->frames[i].parent + 2]++;
	for (i = 2; i <= grow->count + 1; i++)
		first[i] += first[i - 1];
	for (i = 1; i < grow->count; i++)
		if (grow->frames[i].grown) {
			children[first[grow->frames[i].parent + 1]++] =
				(uint32_t)i;
			n++;
		}
	return n;
}

/* The heaviest is first among siblings, which are brought to one place for
 * that: few frames have any. */
static void sort_siblings(uint32_t *children, const uint32_t *first,
			  const struct pn_flame_grow *grow)
{
	struct place *places = NULL;
	size_t i, k, cap = 0;

	for (i = 0; i < grow->count; i++) {
		uint32_t *of = children + first[i];
		size_t n = first[i + 1] - first[i];

		if (n < 2)
			continue;
		places = pn_grow(places, &cap, n, sizeof(*places));
		for (k = 0; k < n; k++) {
			uint32_t name = grow->frames[of[k]].name;

			places[k] = (struct place){
				of[k], pn_flame_grow_weight(grow, of[k]),
				&grow->ids->names.items[name]};
		}
		qsort(places, n, sizeof(*places), cmp_places);
		for (k = 0; k < n; k++)
			of[k] = places[k].frame;
	}
	free(places);
}

static void fill(struct pn_flame_frame *to, const struct pn_flame_grow *grow,
		 const struct pn_flame_draft *from)
{
	int side;

	for (side = 0; side < PN_FLAME_SIDES; side++) {
		to->total[side] = (double)from->total[side] * grow->scale[side];
		to->self[side] = (double)from->self[side] * grow->scale[side];
	}
	to->name = from->name;
	to->depth = from->depth;
}

/* A frame that is to be put at its place, and where that is. */
struct work {
	uint32_t draft, parent;
	double start[PN_FLAME_SIDES];
};

/* The children of a frame that was put at `at`, so that the first of them is
 * on top of the stack. */
static void push_children(struct work *stack, const struct pn_flame *out,
			  uint32_t at, const struct pn_flame_grow *grow,
			  const uint32_t *children, uint32_t count)
{
	const struct pn_flame_frame *parent = &out->frames[at];
	double used[PN_FLAME_SIDES] = {0, 0};
	uint32_t i;
	int side;

	for (i = 0; i < count; i++) {
		const struct pn_flame_draft *draft = &grow->frames[children[i]];
		struct work *work = &stack[count - 1 - i];

		work->draft = children[i];
		work->parent = at;
		for (side = 0; side < PN_FLAME_SIDES; side++) {
			work->start[side] = parent->start[side] + used[side];
			used[side] +=
				(double)draft->total[side] * grow->scale[side];
		}
	}
}

/* Depth first. `open` are the frames whose subtrees have not ended, one a
 * level. */
static void put_in_order(struct pn_flame *out, const struct pn_flame_grow *grow,
			 const uint32_t *children, size_t count,
			 const uint32_t *first)
{
	struct work *stack = pn_realloc_array(NULL, count + 1, sizeof(*stack));
	uint32_t *open = NULL;
	size_t top = 0, open_count = 0, cap = 0;

	stack[top++] = (struct work){0, PN_NONE, {0, 0}};
	while (top) {
		struct work work = stack[--top];
		uint32_t at = (uint32_t)out->frame_count++;
		uint32_t n = first[work.draft + 1] - first[work.draft];
		struct pn_flame_frame *frame = &out->frames[at];

		fill(frame, grow, &grow->frames[work.draft]);
		frame->parent = work.parent;
		memcpy(frame->start, work.start, sizeof(frame->start));
		while (open_count > frame->depth)
			out->frames[open[--open_count]].end = at;
		open = pn_grow(open, &cap, open_count + 1, sizeof(*open));
		open[open_count++] = at;
		if (frame->depth >= out->depth)
			out->depth = frame->depth + 1;
		push_children(stack + top, out, at, grow,
			      children + first[work.draft], n);
		top += n;
	}
	while (open_count)
		out->frames[open[--open_count]].end =
			(uint32_t)out->frame_count;
	free(open);
	free(stack);
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
	uint32_t *children =
		pn_realloc_array(NULL, grow->count + 1, sizeof(*children));
	uint32_t *first = pn_calloc(grow->count + 3, sizeof(*first));
	size_t n = choose(children, first, grow) + (size_t)1;

	if (!grow->by_time)
		sort_siblings(children, first, grow);
	out->cut = grow->cut || n < grow->count;
	out->negative = grow->negative;
	out->frames = pn_realloc_array(NULL, n + 1, sizeof(*out->frames));
	put_in_order(out, grow, children, n, first);
	take_names(out, grow);
	free(children);
	free(first);
}
