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
 * the children of draft d are places[first[d]] up to places[first[d + 1]].
 * Returns how many there are besides the root. */
static size_t choose(struct place *places, size_t *first,
		     const struct pn_flame_grow *grow)
{
	const struct pn_strtab *names = &grow->ids->names;
	size_t i, at, n = 0;

	for (i = 1; i < grow->count; i++)
		if (grow->frames[i].grown)
			first[grow->frames[i].parent + 2]++;
	for (i = 2; i <= grow->count + 1; i++)
		first[i] += first[i - 1];
	for (i = 1; i < grow->count; i++) {
		const struct pn_flame_draft *f = &grow->frames[i];

		if (!f->grown)
			continue;
		at = first[f->parent + 1]++;
		places[at] = (struct place){
			(uint32_t)i, pn_flame_grow_weight(grow, (uint32_t)i),
			&names->items[f->name]};
		n++;
	}
	for (i = 0; i < grow->count && !grow->by_time; i++)
		if (first[i + 1] - first[i] > 1)
			qsort(places + first[i], first[i + 1] - first[i],
			      sizeof(*places), cmp_places);
	return n;
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
	to->parent = PN_NONE;
}

/* Depth first: `first` is where the children of each draft are in `places`,
 * the last child is pushed first. */
static void put_in_order(struct pn_flame *out, const struct pn_flame_grow *grow,
			 const struct place *places, size_t count,
			 const size_t *first)
{
	struct work {
		uint32_t draft, parent;
	} *stack = pn_realloc_array(NULL, count + 1, sizeof(*stack));
	size_t top = 0, i;

	stack[top++] = (struct work){0, PN_NONE};
	while (top) {
		struct work work = stack[--top];
		size_t end = first[work.draft + 1];
		uint32_t at = (uint32_t)out->frame_count++;
		struct pn_flame_frame *frame = &out->frames[at];

		fill(frame, grow, &grow->frames[work.draft]);
		frame->parent = work.parent;
		if (frame->depth >= out->depth)
			out->depth = frame->depth + 1;
		for (i = end; i-- > first[work.draft];) {
			stack[top++] = (struct work){places[i].frame, at};
			__builtin_prefetch(&grow->frames[places[i].frame]);
		}
	}
	free(stack);
}

/* Ends of subtrees and left ends of frames. */
static void measure(struct pn_flame *out)
{
	double *used;
	size_t i;
	int side;

	used = pn_calloc(out->frame_count + 1, sizeof(*used) * PN_FLAME_SIDES);
	for (i = 0; i < out->frame_count; i++)
		out->frames[i].end = (uint32_t)i + 1;
	for (i = out->frame_count; i-- > 1;) {
		struct pn_flame_frame *parent =
			&out->frames[out->frames[i].parent];

		if (out->frames[i].end > parent->end)
			parent->end = out->frames[i].end;
	}
	for (i = 1; i < out->frame_count; i++) {
		struct pn_flame_frame *f = &out->frames[i];

		for (side = 0; side < PN_FLAME_SIDES; side++) {
			double *before =
				&used[f->parent * PN_FLAME_SIDES + side];

			f->start[side] =
				out->frames[f->parent].start[side] + *before;
			*before += f->total[side];
		}
	}
	free(used);
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
	struct place *places =
		pn_realloc_array(NULL, grow->count + 1, sizeof(*places));
	size_t *first = pn_calloc(grow->count + 3, sizeof(*first));
	size_t n = choose(places, first, grow) + 1;

	out->cut = grow->cut || n < grow->count;
	out->negative = grow->negative;
	out->frames = pn_calloc(n + 1, sizeof(*out->frames));
	put_in_order(out, grow, places, n, first);
	measure(out);
	take_names(out, grow);
	free(places);
	free(first);
}
