/*
 * Functions that go by another name on the new side. Internal to the diff.
 *
 * Of functions that are gone and ones that are new, two are taken for one
 *
 *   - whose names are equal without what compilers append, when what they
 *     cost, or its share of the total, differs by at most PN_RENAME_COST of
 *     the larger;
 *   - or whose callers and callees are the same, by weight: with each caller's
 *     share of the calls, each callee's of the cost, and the own cost's, the
 *     sum of the smaller shares is at least PN_RENAME_LIKENESS of the sum of
 *     the larger (Ruzicka, Anali 1958: Jaccard's index with weights). Fewer
 *     than PN_RENAME_SURE in common do not say enough: then their costs must
 *     agree as above. They cost PN_RENAME_SHARE of the total or more on both
 *     sides: below, a profile of samples shows accidents.
 *
 * What could be either of two stays new and gone. At most PN_RENAME_MAX
 * functions a side, the most expensive ones, are compared by their callers.
 */
#ifndef PN_DIFF_RENAME_H
#define PN_DIFF_RENAME_H

#include "analysis/diff/diff.h"

#define PN_RENAME_LIKENESS 0.6
#define PN_RENAME_COST 0.3
#define PN_RENAME_SURE 3
#define PN_RENAME_SHARE 0.01
#define PN_RENAME_MAX 100

/*
 * `rows` hold all nodes of the diff's reports; of two that are one the gone
 * one becomes the renamed one and the new one goes. Returns how many are left,
 * in the same order. Time O(frames of both profiles + n log n).
 */
size_t pn_rename_rows(struct pn_diff_row *rows, size_t count,
		      const struct pn_diff *diff);

#endif
