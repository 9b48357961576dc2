/* The verdict on two samples, as a line of text or of JSON. */
#ifndef PN_JUDGED_PAIR_H
#define PN_JUDGED_PAIR_H

#include "base/buf.h"
#include "detect/pair.h"

/* Verdict, ratio, its interval, p and the least effect, parted by blanks; "-"
 * for what is not known. */
void pn_pair_text(struct pn_buf *out, const struct pn_pair_verdict *pair);
void pn_pair_json(struct pn_buf *out, const struct pn_pair_verdict *pair);

#endif
