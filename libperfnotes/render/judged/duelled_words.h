/* What the formats of a duel say alike. Names are not escaped. */
#ifndef PN_JUDGED_DUELLED_WORDS_H
#define PN_JUDGED_DUELLED_WORDS_H

#include "analysis/history/duelled.h"
#include "base/buf.h"

/* "count/time@small". */
void pn_duelled_name(struct pn_buf *out, const struct pn_duelled *row);
/* "wall", "processor time". */
const char *pn_duelled_title(const struct pn_duelled_metric *metric);
/* "+3.1 % [-0.4, +6.5]"; of an exact one no interval. */
void pn_duelled_effect(struct pn_buf *out, const struct pn_duel_look *look);
/* Why nothing was decided by runs: "head is not built: ...". */
void pn_duelled_fault(struct pn_buf *out, const struct pn_duelled *row);
/* The job's name, what was decided, by what, and what it took; NULL: why not.
 */
void pn_duelled_sentence(struct pn_buf *out, const struct pn_duelled *row,
			 const struct pn_duelled_metric *metric);

#endif
