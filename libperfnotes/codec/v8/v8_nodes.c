/* Nodes are listed first and put in place at the end: children may be named
 * before they come, and members of an object have no order. */
#include "codec/v8/v8_nodes.h"
#include "base/alloc.h"

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
}

static int take_function(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	struct pn_v8_nodes *n = to;

	return pn_json_take_string(&n->nodes[n->at].name, &n->p->strings, json,
				   first, err);
}

static int take_url(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct pn_v8_nodes *n = to;

	return pn_json_take_string(&n->nodes[n->at].file, &n->p->strings, json,
				   first, err);
}

/* V8 counts from 0 and says -1 where there is none; we count from 1. */
static int take_position(int64_t *out, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	int64_t value;
	int code = pn_json_take_int(&value, json, first, err);

	if (!code)
		*out = value >= 0 && value < INT64_MAX ? value + 1 : 0;
	return code;
}

static int take_line(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct pn_v8_nodes *n = to;

	return take_position(&n->nodes[n->at].line, json, first, err);
}

static int take_column(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	struct pn_v8_nodes *n = to;

	return take_position(&n->nodes[n->at].column, json, first, err);
}

/* What new writers put into callFrame, old ones have beside the rest. */
#define FRAME_FIELDS                                                           \
	{"functionName", take_function}, {"url", take_url},                    \
		{"lineNumber", take_line},                                     \
	{                                                                      \
		"columnNumber", take_column                                    \
	}

static int take_frame(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {FRAME_FIELDS, {0}};

	return pn_json_walk_object(to, json, first, fields, err);
}

static int take_id(void *to, struct pn_json *json, enum pn_json_event first,
		   struct pn_error *err)
{
	struct pn_v8_nodes *n = to;

	return pn_json_take_int(&n->nodes[n->at].id, json, first, err);
}

static int take_parent(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	struct pn_v8_nodes *n = to;

	return pn_json_take_int(&n->nodes[n->at].parent_id, json, first, err);
}

static int take_hits(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct pn_v8_nodes *n = to;

	return pn_json_take_amount(&n->nodes[n->at].hits, json, first, err);
}

static int take_size(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct pn_v8_nodes *n = to;

	return pn_json_take_amount(&n->nodes[n->at].size, json, first, err);
}

/* A node of its own, or the id of one. */
static int take_child(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	struct pn_v8_nodes *n = to;
	uint32_t parent = n->at;
	int64_t id;
	int code;

	if (first == PN_JSON_OBJECT) {
		code = pn_v8_nodes_take(n, json, first, err);
		n->at = parent;
		return code;
	}
	code = pn_json_take_int(&id, json, first, err);
	if (code)
		return code;
	n->children = pn_grow(n->children, &n->child_cap, n->child_count + 2,
			      sizeof(*n->children));
	n->children[n->child_count++] = parent;
	n->children[n->child_count++] = id;
	return 0;
}

static int take_children(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_child, err);
}

int pn_v8_nodes_take(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		FRAME_FIELDS,
		{"callFrame", take_frame},
		{"id", take_id},
		{"parent", take_parent},
		{"hitCount", take_hits},
		{"selfSize", take_size},
		{"children", take_children},
		{0},
	};
	struct pn_v8_nodes *n = to;
	uint32_t parent = n->at;

	n->nodes = pn_grow(n->nodes, &n->cap, n->count + 1, sizeof(*n->nodes));
	n->nodes[n->count] = (struct pn_v8_node){
		.id = -1,
		.parent_id = -1,
		.parent = parent,
		.location = PN_NONE,
		.tree = PN_NONE,
	};
	n->at = (uint32_t)n->count++;
	return pn_json_walk_object(n, json, first, fields, err);
}

static int take_item(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	((struct pn_v8_nodes *)to)->at = PN_NONE;
	return pn_v8_nodes_take(to, json, first, err);
}

int pn_v8_nodes_take_list(void *to, struct pn_json *json,
			  enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_item, err);
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

static void name_node(struct pn_v8_nodes *n, struct pn_v8_node *node)
{
	struct pn_frame frame = {
		.file = node->file,
		.mapping = PN_NONE,
		.start_line = node->line,
		.line = node->line,
		.column = node->column,
	};

	if (!node->name)
		node->name = pn_strtab_add_text(&n->p->strings, "(anonymous)");
	frame.name = node->name;
	node->kind = kind_of(pn_profile_text(n->p, node->name));
	node->location = pn_frames_location(&n->frames, n->p, &frame);
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

int pn_v8_nodes_sample(uint32_t *tree, bool *ran, uint32_t *before,
		       struct pn_v8_nodes *n, int64_t id, struct pn_error *err)
{
	const struct pn_v8_node *node;
	uint32_t at;
	int code = pn_v8_nodes_find(&at, n, id, err);

	if (code)
		return code;
	node = &n->nodes[at];
	*ran = node->kind != PN_V8_IDLE && node->kind != PN_V8_ROOT;
	*tree = node->tree;
	if (!*ran)
		*before = PN_NONE;
	else if (node->kind == PN_V8_ON_TOP)
		*tree = pn_call_tree_child(&n->tree, *before, node->location);
	else
		*before = *tree;
	return 0;
}
