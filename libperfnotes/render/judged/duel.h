/* The outcome of a duel, as a line of text or of JSON. */
#ifndef PN_JUDGED_DUEL_H
#define PN_JUDGED_DUEL_H

#include "base/buf.h"
#include "detect/duel/duel.h"

/* Decision, ratio, the ends of its interval and the number of pairs, parted by
 * tabs, as "no change" is two words; "-" for what is not known. */
void pn_duel_text(struct pn_buf *out, const struct pn_duel_look *last);

/* `looks` are all of the duel; of each side so many runs failed. */
void pn_duel_json(struct pn_buf *out, const struct pn_duel_look *looks,
		  size_t count, const size_t failed[2]);

#endif
