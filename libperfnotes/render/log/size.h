/* What notes and bodies take, as text and as JSON. */
#ifndef PN_LOG_SIZE_H
#define PN_LOG_SIZE_H

#include "analysis/history/size.h"
#include "base/buf.h"

/* Escaped for a terminal; no line is longer than `columns`, at most 80; 0: 80.
 */
void pn_size_text(struct pn_buf *out, const struct pn_size *size,
		  size_t columns);
void pn_size_json(struct pn_buf *out, const struct pn_size *size);

#endif
