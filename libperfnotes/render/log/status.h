/* Where one is: as text, on one line, and as JSON. */
#ifndef PN_LOG_STATUS_H
#define PN_LOG_STATUS_H

#include "analysis/history/status.h"

/* Escaped for a terminal; the list of the commit's profiles is in `order`. */
void pn_status_text(struct pn_buf *out, const struct pn_status *status,
		    const struct pn_entry_order *order);
/* Counts only. */
void pn_status_line(struct pn_buf *out, const struct pn_status *status);
void pn_status_json(struct pn_buf *out, const struct pn_status *status);

#endif
