/* The frames that grew, in their final order: parents before their children,
 * the heaviest child or the first one in time on the left. */
#include "analysis/flame/grow.h"
#include "base/alloc.h"
#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is sorted: children by their parent, then as they are to stand. */
struct place {
	uint32_t frame, parent;
	double weight;
	const struct pn_str *name; /* NULL: in the order in which they grew */
};

static double heavier(const struct pn_flame_grow *grow,
		      const struct pn_flame_draft *f)
{
	double a = (double)f->total[PN_FLAME_NEW] * grow->scale[PN_FLAME_NEW];
	double b = (double)f->total[PN_FLAME_OLD] * grow->scale[PN_FLAME_OLD];

	return a > b ? a : b;
}

static int cmp_weights(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

static int cmp_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->name && a->weight == b->weight) {
		size_t len = a->name->len < b->name->len ? a->name->len
							 : b->name->len;
		int order = memcmp(a->name->data, b->name->data, len);

		if (order)
			return order;
	} else if (a->name) {
		return a->weight > b->weight ? -1 : 1;
	}
	return (a->frame > b->frame) - (a->frame < b->frame);
}

/* Those that stay, below their parents: the heaviest ones, when there are more
 * than enough. A parent weighs no less than its child and is older. */
static size_t choose(struct place *places, const struct pn_flame_grow *grow)
{
	const struct pn_strtab *names = &grow->ids->names;
	size_t i, n = grow->count;

	for (i = 0; i < n; i++) {
		const struct pn_flame_draft *f = &grow->frames[i];

		places[i] = (struct place){(uint32_t)i, f->parent,
					   heavier(grow, f), NULL};
		/* whatever sums that wrapped say */
		if (!i)
			places[i].weight = INFINITY;
		else if (places[i].weight > places[f->parent].weight)
			places[i].weight = places[f->parent].weight;
		if (!grow->by_time)
			places[i].name = &names->items[f->name];
	}
	if (n > grow->most) {
		qsort(places, n, sizeof(*places), cmp_weights);
		n = grow->most;
	}
	qsort(places, n, sizeof(*places), cmp_places);
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
		for (i = end; i-- > first[work.draft];)
			stack[top++] = (struct work){places[i].frame, at};
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
	size_t *first = pn_calloc(grow->count + 2, sizeof(*first));
	size_t i, n = choose(places, grow), at;

	/* the root, of no parent, is the last one */
	for (i = 0; i + 1 < n; i++)
		first[places[i].parent + 1]++;
	for (at = 1; at <= grow->count; at++)
		first[at] += first[at - 1];
	out->cut = grow->cut || n < grow->count;
	out->negative = grow->negative;
	out->frames = pn_calloc(n + 1, sizeof(*out->frames));
	put_in_order(out, grow, places, n, first);
	measure(out);
	take_names(out, grow);
	free(places);
	free(first);
}
