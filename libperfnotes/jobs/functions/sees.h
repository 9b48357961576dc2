/* Which files of the repository a profile sees. */
#ifndef PN_FUNCTIONS_SEES_H
#define PN_FUNCTIONS_SEES_H

#include "analysis/functions/impact.h"
#include "jobs/source/paths.h"

/*
 * Sets `files` and `knows_files` of a series. The profile knows its files where
 * it has one of the repository, and no function without a file is in a binary
 * that has such a one, or in no binary that is known: it could be ours. But
 * start-up code: by its name or, where a call graph tells, by running once for
 * next to nothing beside all that is ours.
 */
void pn_series_sees(struct pn_impact_series *out, const struct pn_nodes *nodes,
		    const struct pn_source_paths *paths);

#endif
