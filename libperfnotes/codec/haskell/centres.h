/*
 * What GHC's profilers have in common: stacks of cost centres, what each took
 * and allocated. GHC User's Guide, "Profiling".
 */
#ifndef PN_HASKELL_CENTRES_H
#define PN_HASKELL_CENTRES_H

#include "codec/call_tree.h"
#include "codec/frames.h"
#include "codec/scan.h"

struct pn_centres {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_call_tree tree;
	int64_t tick_ns; /* time of a tick */
};

void pn_centres_release(struct pn_centres *centres);
/* "entries", "allocated" and "time", which is what it is about. */
void pn_centres_add_types(struct pn_centres *centres);
/* "work" of module "Main" at "H.hs:5:1-31", "H.hs:(7,1)-(9,56)". */
uint32_t pn_centres_location(struct pn_centres *centres, struct pn_scan name,
			     struct pn_scan module, struct pn_scan place);
/* What the stack of `node` itself entered, allocated and took. Nothing is
 * added for zeros. */
int pn_centres_add(struct pn_centres *centres, uint32_t node, int64_t entries,
		   int64_t bytes, int64_t ticks, struct pn_error *err);

#endif
