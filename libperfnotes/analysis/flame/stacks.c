/* A flame graph of stacks: those that go through a frame lie side by side, and
 * are sorted by their next function when the frame grows. */
#include "analysis/flame/grow.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void pn_flame_names_release(struct pn_flame_names *names)
{
	free(names->ids);
	free(names->starts);
	*names = (struct pn_flame_names){NULL, NULL};
}

/* The name of each location; PN_NODES_SEVERAL: it has several or none. */
static void name_locations(uint32_t *of, const struct pn_report *report,
			   const uint32_t *of_node)
{
	const uint32_t *single = report->nodes.single;
	size_t l;

	for (l = 0; l < report->profile->location_count; l++)
		of[l] = single[l] == PN_NODES_SEVERAL ? PN_NODES_SEVERAL
						      : of_node[single[l]];
}

/* Those of the calls that were inlined there; there is room for `left` names
 * more behind them. */
static uint32_t *name_several(struct pn_flame_names *names, size_t *cap,
			      uint32_t *to, const struct pn_nodes *nodes,
			      const uint32_t *of_node, uint32_t location,
			      size_t left)
{
	size_t used = (size_t)(to - names->ids);
	uint32_t at, end = nodes->first[location + 1];

	names->ids = pn_grow(names->ids, cap,
			     used + (end - nodes->first[location]) + left + 1,
			     sizeof(*names->ids));
	to = names->ids + used;
	for (at = nodes->first[location]; at < end; at++)
		*to++ = of_node[nodes->of[at]];
	return to;
}

static void name_stacks(struct pn_flame_names *names,
			const struct pn_report *report, const uint32_t *of_node)
{
	const struct pn_profile *p = report->profile;
	const uint32_t *frames = p->frames;
	uint32_t *to, *of_location;
	size_t i, s, end, cap = 0;

	if (names->ids)
		return;
	of_location = pn_realloc_array(NULL, p->location_count + 1,
				       sizeof(*of_location));
	name_locations(of_location, report, of_node);
	names->ids =
		pn_grow(NULL, &cap, p->frame_count + 1, sizeof(*names->ids));
	names->starts = pn_realloc_array(NULL, p->stack_count + 1,
					 sizeof(*names->starts));
	for (to = names->ids, s = 0; s < p->stack_count; s++) {
		names->starts[s] = (size_t)(to - names->ids);
		end = p->stack_start[s + 1];
		for (i = p->stack_start[s]; i < end; i++) {
			*to = of_location[frames[i]];
			if (*to == PN_NODES_SEVERAL)
				to = name_several(names, &cap, to,
						  &report->nodes, of_node,
						  frames[i],
						  p->frame_count - i - 1);
			else
				to++;
		}
	}
	names->starts[s] = (size_t)(to - names->ids);
	free(of_location);
}

/* The weight of each stack; free(). */
static int64_t *weigh_stacks(bool *negative, const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	int64_t *weights = pn_calloc(p->stack_count + 1, sizeof(*weights));
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		int64_t *weight = &weights[p->samples[i].stack];
		int64_t value = pn_weight_value(&report->weight, p,
						p->values + i * p->type_count);

		if (value < 0)
			*negative = true;
		else
			*weight = pn_weight_add(*weight, value);
	}
	return weights;
}

/* Of names from `leaf` to below `end`, the root's; false: not a part of it. */
static bool take_part(struct pn_flame_item *item, const uint32_t *leaf,
		      const uint32_t *end, enum pn_flame_part part,
		      uint32_t focus)
{
	const uint32_t *at = end;

	item->step = -1;
	if (part == PN_FLAME_CALLERS || part == PN_FLAME_CALLEES) {
		while (at > leaf && at[-1] != focus)
			at--;
		if (at == leaf)
			return false;
	}
	if (part == PN_FLAME_CALLEES)
		end = at - 1;
	if (part == PN_FLAME_CALLERS)
		leaf = at;
	item->count = (uint32_t)(end - leaf);
	item->at = item->count ? end - 1 : NULL;
	if (part == PN_FLAME_REVERSED || part == PN_FLAME_CALLERS) {
		item->step = 1;
		item->at = leaf;
	}
	item->name = item->count ? *item->at : 0;
	return true;
}

static void add_item(struct pn_flame_grow *grow,
		     const struct pn_flame_item *item)
{
	grow->items = pn_grow(grow->items, &grow->item_cap,
			      grow->item_count + 1, sizeof(*grow->items));
	grow->items[grow->item_count++] = *item;
}

void pn_flame_stacks_add(struct pn_flame_grow *grow,
			 const struct pn_report *report,
			 const uint32_t *of_node, struct pn_flame_names *names,
			 enum pn_flame_side side, enum pn_flame_part part,
			 uint32_t focus)
{
	int64_t *weights = weigh_stacks(&grow->negative, report);
	const size_t *starts;
	size_t s;

	name_stacks(names, report, of_node);
	starts = names->starts;
	for (s = 0; s < report->profile->stack_count; s++) {
		struct pn_flame_item item = {.side = (uint8_t)side,
					     .weight = weights[s]};

		if (weights[s] > 0 &&
		    take_part(&item, names->ids + starts[s],
			      names->ids + starts[s + 1], part, focus))
			add_item(grow, &item);
	}
	free(weights);
}

/* By thread in order of appearance, then by time as the profile has them. */
struct moment {
	uint32_t thread, stack;
	int64_t time_ns;
	size_t place;
};

static int cmp_moments(const void *left, const void *right)
{
	const struct moment *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Each moment has its part of the weight of its stack; what does not divide
 * goes to the last ones. */
static void add_moments(struct pn_flame_grow *grow,
			const struct moment *moments, size_t count,
			const struct pn_flame_names *names, int64_t *weights,
			size_t *left, enum pn_flame_part part)
{
	const size_t *starts = names->starts;
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t s = moments[i].stack;
		struct pn_flame_item item = {.weight = weights[s] /
						       (int64_t)left[s]};

		weights[s] -= item.weight;
		left[s]--;
		take_part(&item, names->ids + starts[s],
			  names->ids + starts[s + 1], part, 0);
		if (item.weight > 0)
			add_item(grow, &item);
	}
}

/* The samples of the stacks by time, and how many each stack has; those that
 * counted in another value, unless all did. */
static size_t list_moments(struct moment *moments, size_t *left,
			   const struct pn_report *report)
{
	const struct pn_events *events = &report->profile->events;
	uint32_t column = report->weight.column;
	bool typed = false;
	size_t i, n = 0;

	for (i = 0; i < events->count; i++)
		typed = typed || events->items[i].type == column;
	for (i = 0; i < events->count; i++) {
		const struct pn_event *e = &events->items[i];

		if (e->stack >= report->profile->stack_count ||
		    (typed && e->type != column))
			continue;
		left[e->stack]++;
		moments[n++] =
			(struct moment){e->thread, e->stack, e->time_ns, i};
	}
	qsort(moments, n, sizeof(*moments), cmp_moments);
	return n;
}

bool pn_flame_times_add(struct pn_flame_grow *grow,
			const struct pn_report *report, const uint32_t *of_node,
			struct pn_flame_names *names, bool reversed)
{
	const struct pn_profile *p = report->profile;
	size_t n, *left;
	struct moment *moments;
	int64_t *weights;

	if (!p->events.count)
		return false;
	weights = weigh_stacks(&grow->negative, report);
	left = pn_calloc(p->stack_count + 1, sizeof(*left));
	moments = pn_realloc_array(NULL, p->events.count, sizeof(*moments));
	n = list_moments(moments, left, report);
	name_stacks(names, report, of_node);
	add_moments(grow, moments, n, names, weights, left,
		    reversed ? PN_FLAME_REVERSED : PN_FLAME_WHOLE);
	free(moments);
	free(left);
	free(weights);
	return grow->item_count > 0;
}

static bool ends_at(const struct pn_flame_item *item, uint32_t depth)
{
	return item->count <= depth || depth >= PN_FLAME_DEPTH_MAX;
}

static uint32_t name_at(const struct pn_flame_item *item, uint32_t depth)
{
	return item->at[(int64_t)depth * item->step];
}

static void add_to(int64_t *sums, const struct pn_flame_item *item)
{
	sums[item->side] = pn_weight_add(sums[item->side], item->weight);
}

/* Make a child, or find the one that was made last of this name. */
static uint32_t child_of(struct pn_flame_grow *grow, uint32_t parent,
			 uint32_t name, size_t first_child)
{
	uint32_t child = grow->slot[name];

	if (child == PN_NONE || child < first_child) {
		child = pn_flame_grow_add(grow, parent, name);
		grow->slot[name] = child;
	}
	return child;
}

/* Neighbours only: the items stay where they are. */
static void split_by_time(struct pn_flame_grow *grow, uint32_t parent)
{
	size_t i, first = grow->frames[parent].first;
	size_t end = first + grow->frames[parent].count;
	uint32_t depth = grow->frames[parent].depth, last = PN_NONE;

	for (i = first; i < end; i++) {
		const struct pn_flame_item *item = &grow->items[i];

		if (ends_at(item, depth)) {
			add_to(grow->frames[parent].self, item);
			last = PN_NONE;
			continue;
		}
		if (last == PN_NONE ||
		    grow->frames[last].name != name_at(item, depth)) {
			last = pn_flame_grow_add(grow, parent,
						 name_at(item, depth));
			grow->frames[last].first = i;
		}
		grow->frames[last].count++;
		add_to(grow->frames[last].total, item);
	}
}

static void split_by_name(struct pn_flame_grow *grow, uint32_t parent)
{
	size_t i, at, first = grow->frames[parent].first;
	size_t end = first + grow->frames[parent].count, made = grow->count;
	uint32_t depth = grow->frames[parent].depth, child;

	for (i = first; i < end; i++) {
		const struct pn_flame_item *item = &grow->items[i];
		struct pn_flame_draft *frame;

		if (ends_at(item, depth)) {
			add_to(grow->frames[parent].self, item);
			continue;
		}
		child = child_of(grow, parent, item->name, made);
		frame = &grow->frames[child];
		frame->count++;
		add_to(frame->total, item);
	}
	if (grow->count == made)
		return;
	for (at = first, i = made; i < grow->count; i++) {
		grow->frames[i].first = at;
		at += grow->frames[i].count;
		grow->frames[i].count = 0;
	}
	for (i = first; i < end; i++) {
		const struct pn_flame_item *item = &grow->items[i];
		struct pn_flame_draft *frame;
		struct pn_flame_item *to;

		if (ends_at(item, depth))
			continue;
		frame = &grow->frames[grow->slot[item->name]];
		to = &grow->sorted[frame->first + frame->count++];
		*to = *item;
		if (!ends_at(item, depth + 1))
			to->name = name_at(item, depth + 1);
	}
	memcpy(grow->items + first, grow->sorted + first,
	       (at - first) * sizeof(*grow->items));
}

/* A frame of one stack: all above it weighs the same, and grows at once. */
static void grow_alone(struct pn_flame_grow *grow, uint32_t frame)
{
	size_t first = grow->frames[frame].first;
	const struct pn_flame_item *item = &grow->items[first];
	uint32_t depth = grow->frames[frame].depth;

	for (; !ends_at(item, depth); depth++) {
		if (grow->grown == grow->most) {
			grow->cut = true;
			return;
		}
		frame = pn_flame_grow_add(grow, frame, name_at(item, depth));
		grow->frames[frame].first = first;
		grow->frames[frame].count = 1;
		grow->frames[frame].grown = true;
		grow->grown++;
		add_to(grow->frames[frame].total, item);
	}
	add_to(grow->frames[frame].self, item);
}

static void expand(struct pn_flame_grow *grow, uint32_t parent)
{
	size_t made = grow->count;

	if (grow->frames[parent].count == 1) {
		grow_alone(grow, parent);
		return;
	}
	if (grow->by_time)
		split_by_time(grow, parent);
	else
		split_by_name(grow, parent);
	for (; made < grow->count; made++)
		pn_flame_grow_push(grow, (uint32_t)made);
}

void pn_flame_stacks_start(struct pn_flame_grow *grow, uint32_t name)
{
	uint32_t root = pn_flame_grow_add(grow, PN_NONE, name);
	struct pn_flame_draft *frame = &grow->frames[root];
	size_t i;

	for (i = 0; i < grow->item_count; i++)
		add_to(frame->total, &grow->items[i]);
	frame->count = grow->item_count;
	grow->sorted = pn_realloc_array(NULL, grow->item_count + 1,
					sizeof(*grow->sorted));
	grow->expand = expand;
	pn_flame_grow_push(grow, root);
}
