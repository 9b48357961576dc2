/* The table of a difference, as text, JSON and CSV. */
#ifndef PN_RENDER_DIFF_H
#define PN_RENDER_DIFF_H

#include "analysis/diff/diff.h"
#include "render/renderer.h"

#include <stdio.h>

/* Forms other than JSON and CSV are text. `palette` may be NULL: no colours.
 * JSON: version, command, view, type, unit, old_total,
 * new_total, delta, relative, rows. */
void pn_print_diff(FILE *to, const struct pn_diff *diff,
		   const struct pn_palette *palette, enum pn_view_form form);
/* A table of pn_table_of_metric_diff; JSON: version, command, view, rows. */
void pn_print_metric_diff(FILE *to, const struct pn_table *table,
			  const struct pn_palette *palette,
			  enum pn_view_form form);

#endif
