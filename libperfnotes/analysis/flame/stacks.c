/* A flame graph of stacks: those that go through a frame lie side by side, and
 * are sorted by their next function when the frame grows. */
#include "analysis/flame/grow.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void pn_flame_names_release(struct pn_flame_names *names)
{
	free(names->of_location);
	memset(names, 0, sizeof(*names));
}

static void name_locations(struct pn_flame_names *names,
			   const struct pn_report *report,
			   const uint32_t *of_node)
{
	const uint32_t *single = report->nodes.single;
	size_t l, count = report->profile->location_count;

	if (names->of_location)
		return;
	names->nodes = &report->nodes;
	names->frames = report->profile->frames;
	names->of_node = of_node;
	names->of_location =
		pn_realloc_array(NULL, count + 1, sizeof(*names->of_location));
	for (l = 0; l < count; l++)
		names->of_location[l] = single[l] == PN_NODES_SEVERAL
						? PN_NODES_SEVERAL
						: of_node[single[l]];
}

/* The next one of several names of a location, of which `left` are left. */
static uint32_t name_inlined(const struct pn_flame_names *names, uint32_t at,
			     uint32_t left, bool outwards)
{
	const struct pn_nodes *nodes = names->nodes;
	uint32_t location = names->frames[at];

	at = outwards ? nodes->first[location + 1] - left
		      : nodes->first[location] + left - 1;
	return names->of_node[nodes->of[at]];
}

static uint32_t count_inlined(const struct pn_flame_names *names,
			      uint32_t location)
{
	const uint32_t *first = names->nodes->first + location;

	return (first[1] - first[0]) & INT32_MAX;
}

/* To the next name, at the next place unless calls were inlined at this one;
 * there are places without any. `to` may be `from`. */
static inline void step(struct pn_flame_item *to,
			const struct pn_flame_item *from,
			const struct pn_flame_names *names, bool outwards)
{
	uint32_t at = from->at, left = from->left, more = from->more;
	uint32_t name = PN_NODES_SEVERAL, by = outwards ? 1 : UINT32_MAX;

	names += more & 1;
	while (more < 2 && name == PN_NODES_SEVERAL) {
		if (!left) {
			name = PN_NONE;
			break;
		}
		left--;
		at += by;
		name = names->of_location[names->frames[at]];
		if (name == PN_NODES_SEVERAL)
			more += 2 * count_inlined(names, names->frames[at]);
	}
	if (name == PN_NODES_SEVERAL) {
		name = name_inlined(names, at, more / 2, outwards);
		more -= 2;
	}
	*to = (struct pn_flame_item){from->weight, name, at, left, more};
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

/* Which part of each stack is drawn. */
struct cut {
	enum pn_flame_part part;
	bool outwards;
	/* of parts that begin at a function */
	uint32_t focus;
	unsigned char *holds; /* one a location: whether it is one there */
};

/* Whether `focus` is one of a location's names: its outermost one is behind
 * `outer` others. */
static bool find_focus(uint32_t *outer, const struct pn_flame_names *names,
		       uint32_t location, uint32_t focus)
{
	const struct pn_nodes *nodes = names->nodes;
	uint32_t at, end = nodes->first[location + 1];

	for (at = end; at > nodes->first[location]; at--) {
		if (names->of_node[nodes->of[at - 1]] != focus)
			continue;
		*outer = end - at;
		return true;
	}
	return false;
}

static void begin_cut(struct cut *cut, enum pn_flame_part part, uint32_t focus,
		      const struct pn_flame_names *names)
{
	size_t l, count = names->nodes->profile->location_count;
	uint32_t outer;

	*cut = (struct cut){
		part, part == PN_FLAME_REVERSED || part == PN_FLAME_CALLERS,
		focus, NULL};
	if (part != PN_FLAME_CALLERS && part != PN_FLAME_CALLEES)
		return;
	cut->holds = pn_malloc(count + 1);
	for (l = 0; l < count; l++)
		cut->holds[l] = find_focus(&outer, names, (uint32_t)l, focus);
}

/* From the outermost call of the function on, without it. False: there is
 * none. */
static bool take_from_focus(struct pn_flame_item *item, uint32_t first,
			    uint32_t end, const struct pn_flame_names *names,
			    const struct cut *cut)
{
	const uint32_t *frames = names->frames;
	const unsigned char *holds = cut->holds;
	uint32_t at = end, inner, outer;

	while (at > first && !holds[frames[at - 1]])
		at--;
	if (at-- == first)
		return false;
	find_focus(&outer, names, frames[at], cut->focus);
	inner = count_inlined(names, frames[at]) - outer - 1;
	item->at = at;
	item->left = cut->outwards ? end - at - 1 : at - first;
	item->more += 2 * (cut->outwards ? outer : inner);
	return true;
}

/* The part of a stack from its leaf at `first` to below `end`; false: it has
 * none. `names` are those of the side. */
static bool take_part(struct pn_flame_item *item, uint32_t first, uint32_t end,
		      const struct pn_flame_names *names, const struct cut *cut)
{
	if (cut->part == PN_FLAME_WHOLE || cut->part == PN_FLAME_REVERSED) {
		item->at = cut->outwards ? first - 1 : end;
		item->left = end - first;
	} else if (!take_from_focus(item, first, end, names, cut)) {
		return false;
	}
	step(item, item, names - (item->more & 1), cut->outwards);
	return true;
}

static void make_room(struct pn_flame_grow *grow, size_t count)
{
	grow->items = pn_grow(grow->items, &grow->item_cap,
			      grow->item_count + count, sizeof(*grow->items));
}

void pn_flame_stacks_add(struct pn_flame_grow *grow,
			 const struct pn_report *report,
			 const uint32_t *of_node, struct pn_flame_names *names,
			 enum pn_flame_side side, enum pn_flame_part part,
			 uint32_t focus)
{
	const struct pn_profile *p = report->profile;
	int64_t *weights = weigh_stacks(&grow->negative, report);
	struct cut cut;
	size_t s;

	name_locations(names, report, of_node);
	begin_cut(&cut, part, focus, names);
	make_room(grow, p->stack_count);
	grow->names = names - side;
	grow->outwards = cut.outwards;
	for (s = 0; s < p->stack_count; s++) {
		struct pn_flame_item item = {.weight = weights[s],
					     .more = side == PN_FLAME_OLD};

		if (weights[s] > 0 &&
		    take_part(&item, p->stack_start[s], p->stack_start[s + 1],
			      names, &cut))
			grow->items[grow->item_count++] = item;
	}
	free(cut.holds);
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
			size_t *left, bool reversed)
{
	const uint32_t *starts = names->nodes->profile->stack_start;
	struct cut cut;
	size_t i;

	begin_cut(&cut, reversed ? PN_FLAME_REVERSED : PN_FLAME_WHOLE, 0,
		  names);
	make_room(grow, count);
	grow->names = names;
	grow->outwards = cut.outwards;
	for (i = 0; i < count; i++) {
		uint32_t s = moments[i].stack;
		struct pn_flame_item item = {.weight = weights[s] /
						       (int64_t)left[s]};

		weights[s] -= item.weight;
		left[s]--;
		take_part(&item, starts[s], starts[s + 1], names, &cut);
		if (item.weight > 0)
			grow->items[grow->item_count++] = item;
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
	name_locations(names, report, of_node);
	add_moments(grow, moments, n, names, weights, left, reversed);
	free(moments);
	free(left);
	free(weights);
	return grow->item_count > 0;
}

static bool ends_at(const struct pn_flame_item *item, uint32_t depth)
{
	return item->name == PN_NONE || depth >= PN_FLAME_DEPTH_MAX;
}

static void add_to(int64_t *sums, const struct pn_flame_item *item)
{
	int64_t *sum = &sums[pn_flame_item_side(item)];

	*sum = pn_weight_add(*sum, item->weight);
}

/* Make a child, or find the one that was made last of this name. */
static uint32_t child_of(struct pn_flame_grow *grow, uint32_t parent,
			 uint32_t name, size_t first_child)
{
	uint32_t child = grow->slot[name];

	if (child < first_child) {
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
		struct pn_flame_item *item = &grow->items[i];

		if (ends_at(item, depth)) {
			last = PN_NONE;
			continue;
		}
		if (last == PN_NONE || grow->frames[last].name != item->name) {
			last = pn_flame_grow_add(grow, parent, item->name);
			grow->frames[last].first = i;
		}
		step(item, item, grow->names, grow->outwards);
		grow->frames[last].count++;
		add_to(grow->frames[last].total, item);
	}
}

/* Stacks of a frame are far from each other in a large profile: their next
 * names are on their way while the others are looked at. */
static inline void fetch(const struct pn_flame_item *item,
			 const struct pn_flame_names *names)
{
	__builtin_prefetch(&names[item->more & 1].frames[item->at]);
}

static struct pn_flame_item *items_of(const struct pn_flame_grow *grow,
				      const struct pn_flame_draft *frame)
{
	return (frame->moved ? grow->others : grow->items) + frame->first;
}

/* Make the children, and count their stacks. */
static void count_by_name(struct pn_flame_grow *grow, uint32_t parent,
			  const struct pn_flame_item *item)
{
	const struct pn_flame_item *end = item + grow->frames[parent].count;
	const struct pn_flame_names *names = grow->names;
	size_t made = grow->count;

	for (; item < end; item++) {
		struct pn_flame_draft *frame;
		uint32_t child;

		if (item->name == PN_NONE)
			continue;
		fetch(item, names);
		child = child_of(grow, parent, item->name, made);
		frame = &grow->frames[child];
		frame->count++;
		add_to(frame->total, item);
	}
}

/* Where all stacks go on to one function they stay where they are. */
static void step_all(const struct pn_flame_grow *grow,
		     struct pn_flame_draft *child,
		     const struct pn_flame_draft *parent)
{
	const struct pn_flame_names *names = grow->names;
	struct pn_flame_item *item = items_of(grow, parent);
	struct pn_flame_item *end = item + parent->count;
	bool outwards = grow->outwards;

	child->first = parent->first;
	child->moved = parent->moved;
	for (; item < end; item++)
		step(item, item, names, outwards);
}

/* To the other array, those of each child to their part of it. */
static void move_to_children(struct pn_flame_grow *grow,
			     const struct pn_flame_draft *parent, size_t made)
{
	struct pn_flame_draft *frames = grow->frames;
	struct pn_flame_item *to = parent->moved ? grow->items : grow->others;
	const struct pn_flame_item *item = items_of(grow, parent);
	const struct pn_flame_item *end = item + parent->count;
	const struct pn_flame_names *names = grow->names;
	const uint32_t *slot = grow->slot;
	bool outwards = grow->outwards;
	uint32_t at = parent->first;

	for (; made < grow->count; made++) {
		frames[made].moved = !parent->moved;
		frames[made].first = at;
		at += frames[made].count;
		frames[made].count = 0;
	}
	for (; item < end; item++) {
		struct pn_flame_draft *frame;

		if (item->name == PN_NONE)
			continue;
		frame = &frames[slot[item->name]];
		step(&to[frame->first + frame->count++], item, names, outwards);
	}
}

static void split_by_name(struct pn_flame_grow *grow, uint32_t parent)
{
	const struct pn_flame_draft *frame = &grow->frames[parent];
	const struct pn_flame_item *items = items_of(grow, frame);
	size_t made = grow->count;

	if (frame->depth >= PN_FLAME_DEPTH_MAX)
		return;
	count_by_name(grow, parent, items);
	if (grow->count == made)
		return;
	frame = &grow->frames[parent];
	if (grow->frames[made].count == frame->count)
		step_all(grow, &grow->frames[made], frame);
	else
		move_to_children(grow, frame, made);
}

/* A frame of one stack: all above it weighs the same, and grows at once. */
static void grow_alone(struct pn_flame_grow *grow, uint32_t frame)
{
	struct pn_flame_item item = *items_of(grow, &grow->frames[frame]);
	uint32_t depth = grow->frames[frame].depth, child;

	grow->frames[frame].count = 0;
	for (; !ends_at(&item, depth); depth++) {
		if (grow->grown == grow->most) {
			grow->cut = grow->frames[frame].cut = true;
			return;
		}
		child = pn_flame_grow_add(grow, frame, item.name);
		grow->frames[frame].first = child;
		grow->frames[frame].count = 1;
		frame = child;
		grow->frames[frame].grown = true;
		grow->grown++;
		add_to(grow->frames[frame].total, &item);
		step(&item, &item, grow->names, grow->outwards);
	}
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
	pn_flame_grow_children(grow, parent, made);
	for (; made < grow->count; made++)
		pn_flame_grow_push(grow, (uint32_t)made);
}

/* Room for what grows, as far as it is known, so that little of it moves. */
static void expect_frames(struct pn_flame_grow *grow)
{
	size_t i, most = 1;

	for (i = 0; i < grow->item_count && most < grow->most; i++)
		most += grow->items[i].left + (size_t)1;
	if (most > grow->most)
		most = grow->most;
	grow->frames = pn_grow(NULL, &grow->cap, most, sizeof(*grow->frames));
}

void pn_flame_stacks_start(struct pn_flame_grow *grow, uint32_t name)
{
	struct pn_flame_draft *frame;
	size_t i;

	expect_frames(grow);
	frame = &grow->frames[pn_flame_grow_add(grow, PN_NONE, name)];

	for (i = 0; i < grow->item_count; i++)
		add_to(frame->total, &grow->items[i]);
	frame->count = grow->item_count;
	grow->others = pn_realloc_array(NULL, grow->item_count + 1,
					sizeof(*grow->others));
	grow->expand = expand;
	pn_flame_grow_push(grow, 0);
}
