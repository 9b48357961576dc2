/* Nodes are listed first and put in place at the end: children may be named
 * before they come, and members of an object have no order. */
#include "codec/v8/v8_nodes.h"
#include "base/alloc.h"
#include "model/timeline/ticks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void pn_v8_nodes_release(struct pn_v8_nodes *n)
{
	pn_frames_release(&n->frames);
	pn_call_tree_release(&n->tree);
	pn_strtab_release(&n->ids);
	free(n->by_id);
	free(n->nodes);
	free(n->children);
	free(n->ticks);
}

/* The node that is read: those of the tree move when children are added. */
struct reading {
	struct pn_v8_nodes *of;
	uint32_t at;
	int64_t line, column; /* from 0, -1: unknown */
	struct pn_v8_node node;
};

/* What new writers put into callFrame, old ones have beside the rest. */
static const struct pn_json_field frame_fields[] = {
	PN_JSON_FIELD("functionName", reading, node.name),
	PN_JSON_FIELD("url", reading, node.file),
	PN_JSON_FIELD("lineNumber", reading, line),
	PN_JSON_FIELD("columnNumber", reading, column),
	{0},
};

static int take_node(struct pn_v8_nodes *n, uint32_t parent,
		     struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err);

/* A node of its own, or the id of one. */
static int take_child(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	const struct reading *r = to;
	struct pn_v8_nodes *n = r->of;
	int64_t id;
	int code;

	if (first == PN_JSON_OBJECT)
		return take_node(n, r->at, json, first, err);
	code = pn_json_take_int(&id, json, first, err);
	if (code)
		return code;
	n->children = pn_grow(n->children, &n->child_cap, n->child_count + 2,
			      sizeof(*n->children));
	n->children[n->child_count++] = r->at;
	n->children[n->child_count++] = id;
	return 0;
}

/* {"line": 129, "ticks": 1}; the line is from 1. */
static int take_tick(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("line", pn_v8_tick, line),
		PN_JSON_AMOUNT("ticks", pn_v8_tick, count),
		{0},
	};
	const struct reading *r = to;
	struct pn_v8_nodes *n = r->of;
	struct pn_v8_tick tick = {.node = r->at};
	int code = pn_json_walk_object(&tick, NULL, json, first, fields, err);

	if (code || tick.line <= 0 || tick.count <= 0)
		return code;
	n->ticks = pn_grow(n->ticks, &n->tick_cap, n->tick_count + 1,
			   sizeof(*n->ticks));
	n->ticks[n->tick_count++] = tick;
	return 0;
}

static int64_t from_one(int64_t position)
{
	return position >= 0 && position < INT64_MAX ? position + 1 : 0;
}

static int take_node(struct pn_v8_nodes *n, uint32_t parent,
		     struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"callFrame", .fields = frame_fields},
		PN_JSON_FIELD("id", reading, node.id),
		PN_JSON_FIELD("parent", reading, node.parent_id),
		PN_JSON_AMOUNT("hitCount", reading, node.hits),
		PN_JSON_AMOUNT("selfSize", reading, node.size),
		{"children", .each = take_child},
		{"positionTicks", .each = take_tick},
		{.fields = frame_fields},
	};
	struct reading r = {
		.of = n,
		.at = (uint32_t)n->count,
		.line = -1,
		.column = -1,
		.node =
			{
				.id = -1,
				.parent_id = -1,
				.parent = parent,
				.location = PN_NONE,
				.tree = PN_NONE,
			},
	};
	int code;

	n->nodes = pn_grow(n->nodes, &n->cap, n->count + 1, sizeof(*n->nodes));
	n->nodes[n->count++] = r.node;
	code = pn_json_walk_object(&r, &n->p->strings, json, first, fields,
				   err);
	r.node.line = from_one(r.line);
	r.node.column = from_one(r.column);
	n->nodes[r.at] = r.node;
	return code;
}

int pn_v8_nodes_take(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	return take_node(to, PN_NONE, json, first, err);
}

int pn_v8_nodes_take_list(void *to, struct pn_json *json,
			  enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, pn_v8_nodes_take, err);
}

static uint8_t kind_of(const char *name)
{
	if (!strcmp(name, "(root)"))
		return PN_V8_ROOT;
	if (!strcmp(name, "(idle)"))
		return PN_V8_IDLE;
	if (!strcmp(name, "(program)") || !strcmp(name, "(garbage collector)"))
		return PN_V8_ON_TOP;
	return PN_V8_FUNCTION;
}

static uint32_t location_at(struct pn_v8_nodes *n,
			    const struct pn_v8_node *node, int64_t line,
			    int64_t column)
{
	struct pn_frame frame = {
		.name = node->name,
		.file = node->file,
		.mapping = PN_NONE,
		.start_line = node->line,
		.line = line,
		.column = column,
	};

	return pn_frames_location(&n->frames, n->p, &frame);
}

static void name_node(struct pn_v8_nodes *n, struct pn_v8_node *node)
{
	if (!node->name)
		node->name = pn_strtab_add_text(&n->p->strings, "(anonymous)");
	node->kind = kind_of(pn_profile_text(n->p, node->name));
	node->location = location_at(n, node, node->line, node->column);
}

static int number_node(struct pn_v8_nodes *n, uint32_t at, struct pn_error *err)
{
	const struct pn_v8_node *node = &n->nodes[at];
	size_t had = n->ids.count;
	uint32_t id;

	if (node->id < 0)
		return 0;
	id = pn_strtab_add(&n->ids, &node->id, sizeof(node->id));
	if (n->ids.count == had)
		return pn_error_set(err, PN_EINVAL,
				    "two nodes have the id %" PRId64, node->id);
	n->by_id =
		pn_grow(n->by_id, &n->by_id_cap, (size_t)id, sizeof(*n->by_id));
	n->by_id[id - 1] = at; /* id 0 is "" */
	return 0;
}

int pn_v8_nodes_find(uint32_t *out, const struct pn_v8_nodes *n, int64_t id,
		     struct pn_error *err)
{
	uint32_t at;

	if (!pn_strtab_find(&at, &n->ids, &id, sizeof(id)))
		return pn_error_set(err, PN_EINVAL,
				    "no node has the id %" PRId64, id);
	*out = n->by_id[at - 1];
	return 0;
}

static int adopt(struct pn_v8_nodes *n, uint32_t parent, uint32_t child,
		 struct pn_error *err)
{
	struct pn_v8_node *node = &n->nodes[child];

	if (node->parent != PN_NONE && node->parent != parent)
		return pn_error_set(err, PN_EINVAL,
				    "the node %" PRId64 " has two parents",
				    node->id);
	node->parent = parent;
	return 0;
}

static int link_nodes(struct pn_v8_nodes *n, struct pn_error *err)
{
	uint32_t at;
	size_t i;

	for (i = 0; i < n->child_count; i += 2)
		if (pn_v8_nodes_find(&at, n, n->children[i + 1], err) ||
		    adopt(n, (uint32_t)n->children[i], at, err))
			return PN_EINVAL;
	for (i = 0; i < n->count; i++)
		if (n->nodes[i].parent_id >= 0 &&
		    (pn_v8_nodes_find(&at, n, n->nodes[i].parent_id, err) ||
		     adopt(n, at, (uint32_t)i, err)))
			return PN_EINVAL;
	return 0;
}

/* Up to where the place is known, and down again. `path` has room for all
 * nodes: a longer one is a circle. */
static int place_node(struct pn_v8_nodes *n, bool *placed, uint32_t *path,
		      uint32_t at, struct pn_error *err)
{
	size_t depth = 0;

	for (; at != PN_NONE && !placed[at]; at = n->nodes[at].parent) {
		if (depth == n->count)
			return pn_error_set(err, PN_EINVAL,
					    "the node %" PRId64
					    " is below itself",
					    n->nodes[at].id);
		path[depth++] = at;
	}
	while (depth--) {
		struct pn_v8_node *node = &n->nodes[path[depth]];
		uint32_t up = node->parent == PN_NONE
				      ? PN_NONE
				      : n->nodes[node->parent].tree;

		node->tree = node->kind == PN_V8_ROOT
				     ? up
				     : pn_call_tree_child(&n->tree, up,
							  node->location);
		placed[path[depth]] = true;
	}
	return 0;
}

int pn_v8_nodes_finish(struct pn_v8_nodes *n, struct pn_error *err)
{
	bool *placed = pn_calloc(n->count + 1, sizeof(*placed));
	uint32_t *path = pn_calloc(n->count + 1, sizeof(*path));
	uint32_t i;
	int code = 0;

	for (i = 0; !code && i < n->count; i++) {
		name_node(n, &n->nodes[i]);
		code = number_node(n, i, err);
	}
	if (!code)
		code = link_nodes(n, err);
	for (i = 0; !code && i < n->count; i++)
		code = place_node(n, placed, path, i, err);
	free(placed);
	free(path);
	return code;
}

/* How many samples of a node the lines leave over. */
static void take_off(int64_t *left, int64_t count)
{
	*left = count < *left ? *left - count : 0;
}

int pn_v8_nodes_add_ticks(struct pn_v8_nodes *n, struct pn_error *err)
{
	const struct pn_v8_tick *tick = n->ticks, *end;
	struct pn_v8_node *node;
	uint32_t stack;
	int64_t left;
	int code;

	if (!n->tick_count)
		return 0;
	end = tick + n->tick_count;
	while (tick < end) {
		node = &n->nodes[tick->node];
		left = node->hits > node->seen ? node->hits : node->seen;
		code = pn_call_tree_stack(&stack, &n->tree, n->p, node->tree,
					  err);
		if (code)
			return code;
		for (; tick < end && &n->nodes[tick->node] == node; tick++) {
			if (node->kind != PN_V8_FUNCTION)
				continue;
			pn_ticks_add(n->p, stack, tick->line, tick->count);
			take_off(&left, tick->count);
		}
		if (left && node->kind == PN_V8_FUNCTION)
			pn_ticks_add(n->p, stack, 0, left);
		node->hits = node->seen = 0; /* should it have more */
	}
	pn_ticks_unite(n->p);
	return 0;
}

int pn_v8_nodes_sample(uint32_t *tree, bool *ran, uint32_t *before,
		       struct pn_v8_nodes *n, int64_t id, struct pn_error *err)
{
	struct pn_v8_node *node;
	uint32_t at;
	int code = pn_v8_nodes_find(&at, n, id, err);

	if (code)
		return code;
	node = &n->nodes[at];
	*ran = node->kind != PN_V8_IDLE && node->kind != PN_V8_ROOT;
	*tree = node->tree;
	node->seen++;
	if (!*ran)
		*before = PN_NONE;
	else if (node->kind == PN_V8_ON_TOP)
		*tree = pn_call_tree_child(&n->tree, *before, node->location);
	else
		*before = *tree;
	return 0;
}
