/* What is wrong with what is stored, as text and as JSON. */
#ifndef PN_LOG_CHECKED_H
#define PN_LOG_CHECKED_H

#include "base/buf.h"
#include "model/checked.h"

/* Escaped for a terminal; names the first unused bodies only. */
void pn_checked_text(struct pn_buf *out, const struct pn_checked *checked);
void pn_checked_json(struct pn_buf *out, const struct pn_checked *checked);
/* What was mended, lines for standard error. */
void pn_mended_text(struct pn_buf *out, const struct pn_mended *mended);

#endif
