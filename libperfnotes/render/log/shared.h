/* What the configuration got so that profiles are shared, in words. */
#ifndef PN_LOG_SHARED_H
#define PN_LOG_SHARED_H

#include "base/buf.h"
#include "model/shared.h"

/* Lines for standard error: what was done, and warnings. Not escaped. */
void pn_shared_text(struct pn_buf *out, const struct pn_shared *shared);
void pn_shared_dangers(struct pn_buf *out, const struct pn_shared *shared);

#endif
