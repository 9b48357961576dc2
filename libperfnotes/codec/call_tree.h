/*
 * Call trees, for formats that have one (or whose calls open and close): a
 * node is a stack, made by its parent and a location. A zeroed struct is an
 * empty tree.
 */
#ifndef PN_CODEC_CALL_TREE_H
#define PN_CODEC_CALL_TREE_H

#include "base/error.h"
#include "model/profile.h"

/* Frames of all stacks that a tree may be spread out to: a chain of a million
 * nodes would have half a trillion. */
#define PN_CALL_TREE_FRAMES (1u << 24)
/* Frames of all samples: a view walks each sample's stack, and in a tree a
 * sample is a few bytes however deep it is. */
#define PN_CALL_TREE_WALK (UINT64_C(1) << 28)

struct pn_call_tree {
	struct pn_strtab keys;	     /* parent, location */
	uint32_t *parent, *location; /* by node */
	uint32_t *stack;	     /* by node: of the profile, or PN_NONE */
	uint32_t *depth;	     /* by node: 1 below the root */
	size_t count, cap;
	uint32_t empty; /* + 1: stack without frames, once it is there */
	size_t frames;	/* spread out so far */
	uint64_t walk;	/* frames of the stacks that were asked for */
};

void pn_call_tree_release(struct pn_call_tree *tree);
/* The child of `parent` (PN_NONE: the root) at `location`, added when new. */
uint32_t pn_call_tree_child(struct pn_call_tree *tree, uint32_t parent,
			    uint32_t location);
/* The stack of a node in `p`, for one sample, added when asked for the first
 * time; PN_NONE is the stack without frames. PN_ELIMIT. Nothing else may add
 * stacks. */
int pn_call_tree_stack(uint32_t *out, struct pn_call_tree *tree,
		       struct pn_profile *p, uint32_t node,
		       struct pn_error *err);

#endif
