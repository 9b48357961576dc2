/* Nodes by (parent, location); stacks only of the nodes that carry weight. */
#include "codec/call_tree.h"
#include "base/alloc.h"

#include <stdlib.h>

void pn_call_tree_release(struct pn_call_tree *tree)
{
	pn_strtab_release(&tree->keys);
	free(tree->parent);
	free(tree->location);
	free(tree->stack);
	free(tree->depth);
}

/* Room for one node more in each column. */
static void grow(struct pn_call_tree *tree)
{
	size_t cap = tree->cap;

	if (tree->count < cap)
		return;
	tree->parent = pn_grow(tree->parent, &tree->cap, tree->count + 1,
			       sizeof(*tree->parent));
	cap = tree->cap;
	tree->location =
		pn_realloc_array(tree->location, cap, sizeof(*tree->location));
	tree->stack = pn_realloc_array(tree->stack, cap, sizeof(*tree->stack));
	tree->depth = pn_realloc_array(tree->depth, cap, sizeof(*tree->depth));
}

uint32_t pn_call_tree_child(struct pn_call_tree *tree, uint32_t parent,
			    uint32_t location)
{
	uint32_t key[2] = {parent, location};
	uint32_t node = pn_strtab_add(&tree->keys, key, sizeof(key)) - 1;

	if (node < tree->count)
		return node; /* ids are dense, 0 is "" */
	grow(tree);
	tree->parent[node] = parent;
	tree->location[node] = location;
	tree->stack[node] = PN_NONE;
	tree->depth[node] = parent == PN_NONE ? 1 : tree->depth[parent] + 1;
	tree->count++;
	return node;
}

static uint32_t empty_stack(struct pn_call_tree *tree, struct pn_profile *p)
{
	if (!tree->empty)
		tree->empty = pn_profile_add_stack(p, NULL, 0) + 1;
	return tree->empty - 1;
}

int pn_call_tree_stack(uint32_t *out, struct pn_call_tree *tree,
		       struct pn_profile *p, uint32_t node,
		       struct pn_error *err)
{
	uint32_t *frames, depth, i, at;

	if (node == PN_NONE) {
		*out = empty_stack(tree, p);
		return 0;
	}
	depth = tree->depth[node];
	tree->walk += depth;
	if (tree->walk > PN_CALL_TREE_WALK)
		return pn_error_set(err, PN_ELIMIT,
				    "samples of more than %u frames together",
				    (unsigned int)PN_CALL_TREE_WALK);
	if (tree->stack[node] == PN_NONE) {
		if (depth > PN_MAX_STACK_DEPTH ||
		    depth > PN_CALL_TREE_FRAMES - tree->frames)
			return pn_error_set(err, PN_ELIMIT,
					    "stacks of more than %u frames "
					    "together",
					    PN_CALL_TREE_FRAMES);
		tree->frames += depth;
		frames = pn_realloc_array(NULL, depth, sizeof(*frames));
		for (i = 0, at = node; at != PN_NONE; at = tree->parent[at])
			frames[i++] = tree->location[at];
		tree->stack[node] = pn_profile_add_stack(p, frames, depth);
		free(frames);
	}
	*out = tree->stack[node];
	return 0;
}
