/* The state of hooks, as text and as JSON. */
#ifndef PN_RUN_HOOKED_H
#define PN_RUN_HOOKED_H

#include "analysis/history/hooked.h"
#include "base/buf.h"

/* What hinders them is wrapped at `width` columns; 0: one line each. */
void pn_hooked_text(struct pn_buf *out, const struct pn_hooked *hooked,
		    size_t width);
/* What was done, or could not be, and what follows: lines for standard error.
 * The second is of the hook that sends profiles; the third of both sets. */
void pn_hooks_installed_text(struct pn_buf *out,
			     const struct pn_hooks_changed *changed);
void pn_hooks_pushing_text(struct pn_buf *out,
			   const struct pn_hooks_changed *changed);
void pn_hooks_removed_text(struct pn_buf *out,
			   const struct pn_hooks_changed *changed,
			   const struct pn_hooks_changed *pushing);
void pn_hooked_json(struct pn_buf *out, const struct pn_hooked *hooked);

#endif
