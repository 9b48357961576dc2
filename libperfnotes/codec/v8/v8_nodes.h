/*
 * The call tree of V8's profilers (.cpuprofile, .heapprofile, the chunks of a
 * trace), flat with ids of children or parents, or nested.
 * Chrome DevTools protocol, domains Profiler and HeapProfiler.
 */
#ifndef PN_V8_V8_NODES_H
#define PN_V8_V8_NODES_H

#include "codec/call_tree.h"
#include "codec/frames.h"
#include "codec/json/walk.h"

/* What a name in brackets says of a node. */
enum pn_v8_kind {
	PN_V8_FUNCTION,
	PN_V8_ROOT,  /* (root): no frame */
	PN_V8_IDLE,  /* (idle): nothing ran */
	PN_V8_ON_TOP /* (program), (garbage collector): of what ran before */
};

struct pn_v8_node {
	int64_t id, parent_id; /* -1: not said */
	int64_t hits, size;    /* hitCount, selfSize */
	int64_t seen;	       /* in samples; V8 counts some less as hits */
	uint32_t name, file;   /* strings */
	int64_t line, column;  /* from 1, 0: unknown */
	uint32_t parent;       /* index, or PN_NONE */
	uint8_t kind;	       /* enum pn_v8_kind; known when finished */
	uint32_t location;     /* the same */
	uint32_t tree;	       /* node of the call tree; PN_NONE: the root */
};

/* How many of a node's samples were in a line of it. */
struct pn_v8_tick {
	uint32_t node;
	int64_t line, count;
};

struct pn_v8_nodes {
	struct pn_profile *p; /* borrowed */
	struct pn_frames frames;
	struct pn_call_tree tree;
	struct pn_strtab ids; /* their order is that of `by_id` */
	uint32_t *by_id;
	size_t by_id_cap;
	struct pn_v8_node *nodes;
	size_t count, cap;
	/* pairs (node, id of a child) until pn_v8_nodes_finish */
	int64_t *children;
	size_t child_count, child_cap;
	struct pn_v8_tick *ticks; /* node by node */
	size_t tick_count, tick_cap;
};

void pn_v8_nodes_release(struct pn_v8_nodes *nodes);
/* For the walkers: an array of nodes; one node with those below it. `to` is
 * a struct pn_v8_nodes. */
int pn_v8_nodes_take_list(void *to, struct pn_json *json,
			  enum pn_json_event first, struct pn_error *err);
int pn_v8_nodes_take(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err);
/* Give every node its place in the tree. PN_EINVAL: an id twice, a child that
 * is not there or has two parents, a circle. */
int pn_v8_nodes_finish(struct pn_v8_nodes *nodes, struct pn_error *err);
/* The index of an id; PN_EINVAL. */
int pn_v8_nodes_find(uint32_t *out, const struct pn_v8_nodes *nodes, int64_t id,
		     struct pn_error *err);
/* The node of the call tree where a sample was taken that names `id`; *ran is
 * false when nothing ran. *before, PN_NONE at first, is what ran last: the
 * garbage collector stands on top of it. PN_EINVAL. */
int pn_v8_nodes_sample(uint32_t *tree, bool *ran, uint32_t *before,
		       struct pn_v8_nodes *nodes, int64_t id,
		       struct pn_error *err);
/* What nodes say of their lines, as ticks of the profile. */
int pn_v8_nodes_add_ticks(struct pn_v8_nodes *nodes, struct pn_error *err);

#endif
