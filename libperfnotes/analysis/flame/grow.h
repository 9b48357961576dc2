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

/* The functions of all stacks of one side, leaf first, as ids; starts: of each
 * stack. Made by the first graph that needs them; zeroed before. */
struct pn_flame_names {
	uint32_t *ids;
	size_t *starts;
};

void pn_flame_names_release(struct pn_flame_names *names);

/* A frame while the graph grows; children come behind their parents. */
struct pn_flame_draft {
	uint32_t name, parent;
	uint16_t depth;
	bool grown;	       /* its children are known: it stays */
	uint32_t first, count; /* of the stacks that go through it */
	int64_t total[PN_FLAME_SIDES], self[PN_FLAME_SIDES];
};

/* A frame that may have children, and what it weighs on its heavier side. */
struct pn_flame_next {
	double weight;
	uint32_t frame;
};

/* The part of a stack that is drawn: `at` is the outermost function of it.
 * `name` is the one that its frame is about to grow by, at hand, because those
 * of all stacks are megabytes. */
struct pn_flame_item {
	const uint32_t *at;
	int64_t weight;
	uint32_t count, name;
	int8_t step;
	uint8_t side;
};

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
	uint32_t *slot; /* by name: the child being made, or PN_NONE */

	/* of stacks */
	struct pn_flame_item *items, *sorted;
	size_t item_count, item_cap;
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
double pn_flame_grow_weight(const struct pn_flame_grow *grow, uint32_t frame);
/* It may have children: to be expanded when it is its turn. */
void pn_flame_grow_push(struct pn_flame_grow *grow, uint32_t frame);
/* Until everything or enough has grown. */
void pn_flame_grow_run(struct pn_flame_grow *grow);
/* Of all but its calls. */
void pn_flame_grow_release(struct pn_flame_grow *grow);

/* Make the items of one side's samples; `of_node` are its ids. `names` are
 * kept for as long as the graph grows. */
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
