/* Which lines of two texts are the same: git's own diff. */
#ifndef PN_FILES_MATCH_H
#define PN_FILES_MATCH_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* A line of either side, or one of both; numbers count from 1, 0 is none. */
struct pn_line_pair {
	uint32_t before, after;
};

/*
 * The lines of both texts in the order in which a diff shows them: what was
 * taken out stands before what came in its place. The caller frees *out.
 * Memory O(lines); PN_ELIMIT above 2^31 lines.
 */
int pn_lines_match(struct pn_line_pair **out, size_t *count, const char *before,
		   size_t before_len, const char *after, size_t after_len,
		   struct pn_error *err);

#endif
