/* How many profiles went from one store to another, in words. */
#ifndef PN_LOG_MOVED_H
#define PN_LOG_MOVED_H

#include "base/buf.h"
#include "model/moved.h"

#include <stdbool.h>

/* Lines for standard error; of a dry run what would have been. */
void pn_takeover_text(struct pn_buf *out, const struct pn_takeover_counts *c,
		      bool dry_run);
/* `readers` of that layout are versions of Perun. */
void pn_handover_text(struct pn_buf *out, const struct pn_handover_counts *c,
		      const char *layout, const char *readers);

#endif
