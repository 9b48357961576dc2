/* The state of hooks, as text and as JSON. */
#ifndef PN_RUN_HOOKED_H
#define PN_RUN_HOOKED_H

#include "analysis/history/hooked.h"
#include "base/buf.h"

void pn_hooked_text(struct pn_buf *out, const struct pn_hooked *hooked);
void pn_hooked_json(struct pn_buf *out, const struct pn_hooked *hooked);

#endif
