/* Where one is: as text, on one line, and as JSON. */
#ifndef PN_LOG_STATUS_H
#define PN_LOG_STATUS_H

#include "analysis/history/status.h"
#include "render/palette.h"

/* Escaped for a terminal, in lines of `width` columns; 0: not known.
 * `all`: all metrics, and records by id and name. */
void pn_status_text(struct pn_buf *out, const struct pn_status *status,
		    const struct pn_palette *palette, bool all, size_t width);
/* Counts only. */
void pn_status_line(struct pn_buf *out, const struct pn_status *status);
void pn_status_json(struct pn_buf *out, const struct pn_status *status);

#endif
