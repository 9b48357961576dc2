/*
 * Nodes told apart by the path of nodes that leads to them from the root, as
 * pprof's call_tree has it (google/pprof, internal/graph: newTree). A tree has
 * a node for nearly each frame of a profile, of which a picture shows those of
 * half a percent: what weighs less than is asked for is counted, not made.
 */
#ifndef PN_DRAWN_PATHS_H
#define PN_DRAWN_PATHS_H

#include "analysis/nodes.h"
#include "analysis/weight.h"

#define PN_PATHS_REST 0 /* the node of all that is not told apart */

/*
 * Make `nodes` those of paths, and have the profile's stacks lead to them: its
 * frames are new locations. With `least` above 0 the paths that weigh less are
 * in PN_PATHS_REST, and *too_light says how many would weigh anything; then no
 * weight may be negative or a mean, nor all together above INT64_MAX.
 * PN_EINVAL where a call graph has no stacks, PN_ELIMIT where there would be
 * more than two million lines of calls; then both are of no more use. Time
 * O(frames), memory four bytes a frame and 100 a path.
 */
int pn_paths_split(size_t *too_light, struct pn_profile *profile,
		   struct pn_nodes *nodes, const struct pn_weight *weight,
		   int64_t least, struct pn_error *err);

/*
 * Internal: by stack, how many of its nodes, from the root on, stand at the end
 * of a path that weighs `least`; *too_light: the paths that do not. To be
 * freed.
 */
uint32_t *pn_paths_weigh(size_t *too_light, const struct pn_profile *profile,
			 const struct pn_nodes *nodes,
			 const struct pn_weight *weight, int64_t least);

#endif
