/* A profile whose functions are told apart by who called them. Pure. */
#ifndef PN_MERGE_CALL_TREE_H
#define PN_MERGE_CALL_TREE_H

#include "base/error.h"
#include "model/profile.h"

/*
 * Make of each function one for each path of calls that it stands at the end
 * of, as pprof's -call_tree does, with names of their own, "f [1/3]"; one that
 * has a single path keeps its name. What is made of it as a call graph is a
 * tree then. Places without a function stay as they are. PN_EINVAL where there
 * are no stacks, PN_ELIMIT where the tree has more than two million calls; then
 * the profile is of no more use. Time and memory O(size of the tree). What a
 * picture shows of a tree is analysis/drawn/paths.h.
 */
int pn_call_tree(struct pn_profile *profile, struct pn_error *err);

#endif
