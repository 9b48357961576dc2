/* What prune and gc have to say. */
#ifndef PN_LOG_PRUNED_H
#define PN_LOG_PRUNED_H

#include "analysis/history/pruned.h"
#include "base/buf.h"

/* One line, with its line feed. */
void pn_pruned_text(struct pn_buf *out, const struct pn_pruned_row *row);
void pn_compacted_text(struct pn_buf *out, const struct pn_compacted_row *row);

#endif
