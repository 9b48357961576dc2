/*
 * How a flame graph grows: from stacks or from a call graph, the heaviest frame
 * first. Internal to the flame graph.
 */
#ifndef PN_FLAME_GROW_H
#define PN_FLAME_GROW_H

#include "analysis/flame/flame.h"

/* The names of both sides' nodes as one table. */
struct pn_flame_ids {
	struct pn_strtab names;
	uint32_t *module; /* by name: string of `modules`, or PN_NONE */
	size_t module_cap;
	struct pn_strtab modules;
};

/* What the stacks of one side say, without a copy of them: a location's name,
 * or PN_NODES_SEVERAL where calls were inlined or nothing is known. Made by the
 * first graph that needs it; zeroed before. */
struct pn_flame_names {
	const struct pn_nodes *nodes;
	const uint32_t *frames; /* of the profile */
	const uint32_t *of_node;
	uint32_t *of_location;
};

void pn_flame_names_release(struct pn_flame_names *names);

/* A frame while the graph grows; children come behind their parents. */
struct pn_flame_draft {
	uint32_t name, parent;
	uint16_t depth;
	bool grown; /* its children are known: it stays */
	bool moved; /* its stacks are in the graph's other array */
	bool cut;   /* it has not all of its children */
	/* of the stacks that go through it; of its children once it has grown,
	 * which are one behind the other */
	uint32_t first, count;
	/* What its children leave of it is its own, unless it was cut. */
	int64_t total[PN_FLAME_SIDES];
};

/* A frame that may have children, and what it weighs on its heavier side. */
struct pn_flame_next {
	double weight;
	uint32_t frame;
};

/* The rest of the part of a stack that is drawn, and where its next name is:
 * at a place of the profile's frames, with `left` places behind it. */
struct pn_flame_item {
	int64_t weight;
	uint32_t name; /* PN_NONE: the part has ended */
	uint32_t at, left;
	uint32_t more; /* twice the names behind that one at the same place,
			  and 1 for the old side: 24 bytes, not 32 */
};

static inline enum pn_flame_side
pn_flame_item_side(const struct pn_flame_item *item)
{
	return item->more & 1 ? PN_FLAME_OLD : PN_FLAME_NEW;
}

struct pn_flame_grow {
	struct pn_flame_ids *ids;
	double scale[PN_FLAME_SIDES]; /* of a weight to the graph's unit */
	bool by_time;
	struct pn_flame_draft *frames;
	size_t count, cap;
	struct pn_flame_next *heap;
	size_t heap_count, heap_cap;
	size_t most, grown;
	bool cut, negative;
	uint32_t *slot; /* by name: the child that was made last, or 0 */

	/* of stacks */
	/* Two arrays of one size. A frame has the same part of both, where
	 * its stacks move from one to the other to be sorted. */
	struct pn_flame_item *items, *others;
	size_t item_count, item_cap;
	const struct pn_flame_names *names; /* by side */
	bool outwards; /* from callees to callers; else from the root on */
	/* of call graphs */
	struct pn_flame_calls *calls;
	void (*expand)(struct pn_flame_grow *grow, uint32_t frame);
};

/* What is drawn of each stack. */
enum pn_flame_part {
	PN_FLAME_WHOLE,
	PN_FLAME_REVERSED,
	PN_FLAME_CALLERS, /* of `focus`, by its outermost call */
	PN_FLAME_CALLEES
};

void pn_flame_ids_init(struct pn_flame_ids *ids);
void pn_flame_ids_release(struct pn_flame_ids *ids);
/* The id of each node of a side; free(). */
uint32_t *pn_flame_ids_add(struct pn_flame_ids *ids,
			   const struct pn_report *report);

/* A child of a frame, or the root (parent PN_NONE). Returns its number. */
uint32_t pn_flame_grow_add(struct pn_flame_grow *grow, uint32_t parent,
			   uint32_t name);
/* All frames since `made` are the children of `parent`. */
static inline void pn_flame_grow_children(struct pn_flame_grow *grow,
					  uint32_t parent, size_t made)
{
	grow->frames[parent].first = (uint32_t)made;
	grow->frames[parent].count = (uint32_t)(grow->count - made);
}

double pn_flame_grow_weight(const struct pn_flame_grow *grow, uint32_t frame);
/* It may have children: to be expanded when it is its turn. */
void pn_flame_grow_push(struct pn_flame_grow *grow, uint32_t frame);
/* Until everything or enough has grown. */
void pn_flame_grow_run(struct pn_flame_grow *grow);
/* Of all but its calls. */
void pn_flame_grow_release(struct pn_flame_grow *grow);

/* Make the items of one side's samples; `of_node` are its ids. `names` is that
 * of the side in an array of both, kept for as long as the graph grows. */
void pn_flame_stacks_add(struct pn_flame_grow *grow,
			 const struct pn_report *report,
			 const uint32_t *of_node, struct pn_flame_names *names,
			 enum pn_flame_side side, enum pn_flame_part part,
			 uint32_t focus);
/* The same, sample by sample as they were taken; false: none has a time. */
bool pn_flame_times_add(struct pn_flame_grow *grow,
			const struct pn_report *report, const uint32_t *of_node,
			struct pn_flame_names *names, bool reversed);
/* The root, of all items. */
void pn_flame_stacks_start(struct pn_flame_grow *grow, uint32_t name);

/* The calls of one side's call graph, and then the root of both sides. */
void pn_flame_calls_add(struct pn_flame_grow *grow,
			const struct pn_report *report, const uint32_t *of_node,
			enum pn_flame_side side);
void pn_flame_calls_start(struct pn_flame_grow *grow, enum pn_flame_part part,
			  uint32_t name);
void pn_flame_calls_release(struct pn_flame_calls *calls);

/* What has grown, in its final order. */
void pn_flame_lay_out(struct pn_flame *out, const struct pn_flame_grow *grow);

#endif
