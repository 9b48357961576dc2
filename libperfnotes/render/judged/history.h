/* The changes of a history, as text or as a line of JSON. */
#ifndef PN_JUDGED_HISTORY_H
#define PN_JUDGED_HISTORY_H

#include "base/buf.h"
#include "detect/history/history.h"

/* Their places, one a line, or with `one_line` parted by blanks. */
void pn_change_points_text(struct pn_buf *out,
			   const struct pn_change_points *history,
			   bool one_line);
void pn_change_points_json(struct pn_buf *out,
			   const struct pn_change_points *history);

#endif
