/* A bisection: where it is, in a line; what it found, as text and as JSON. */
#ifndef PN_JUDGED_BISECTED_H
#define PN_JUDGED_BISECTED_H

#include "analysis/why/bisected.h"
#include "base/buf.h"

/* "3e8ec01c33 88.1 ms; likeliest 3e8ec01c33 (62 %), 5 commits left; 12 runs, 4
 * builds, 31 s": behind a run of the commit `last` of the line. Without LF. */
void pn_bisected_step(struct pn_buf *out, const struct pn_bisected *b,
		      size_t last);
/* Lines, escaped for a terminal, of at most `columns` columns; 0: as long as
 * they are. */
void pn_bisected_text(struct pn_buf *out, const struct pn_bisected *b,
		      size_t columns);
void pn_bisected_json(struct pn_buf *out, const struct pn_bisected *b);

#endif
