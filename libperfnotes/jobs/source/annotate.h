/* A file of a commit, and what its lines cost in profiles of it. */
#ifndef PN_SOURCE_ANNOTATE_H
#define PN_SOURCE_ANNOTATE_H

#include "analysis/source/annotated.h"
#include "jobs/source/side.h"

/* The old side is 0, the new one 1; of one profile that is 1 alone. */
struct pn_annotate {
	struct pn_annotate_side side[2];
	struct pn_annotated annotated;
};

/* PN_ENOTFOUND: there is no such profile, or the commit of side 1 has no such
 * file. PN_EINVAL: `file` lies outside of the repository, or the values are of
 * other units. `out` is released in any case. */
int pn_annotate(struct pn_annotate *out, const struct pn_lookup *lookup,
		const struct pn_annotate_call *call, struct pn_error *err);
void pn_annotate_release(struct pn_annotate *annotate);

#endif
