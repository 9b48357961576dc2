/* What a change touches: as text, escaped for a terminal, and as JSON. */
#ifndef PN_FUNCTIONS_TOUCHES_H
#define PN_FUNCTIONS_TOUCHES_H

#include "analysis/functions/impact.h"
#include "base/buf.h"
#include "render/palette.h"

/* A sentence for each series, and a line for each function. */
void pn_impact_text(struct pn_buf *out, const struct pn_impact *impact,
		    const struct pn_palette *palette);
/* The object of --json, with LF. */
void pn_impact_json(struct pn_buf *out, const struct pn_impact *impact);

#endif
