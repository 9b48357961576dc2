/* The table of a difference, as text and as JSON. */
#ifndef PN_RENDER_DIFF_H
#define PN_RENDER_DIFF_H

#include "analysis/diff/diff.h"

#include <stdio.h>

/* JSON: version, command, view, type, unit, old_total, new_total, delta,
 * relative, rows. */
void pn_print_diff(FILE *to, const struct pn_diff *diff, bool json);
/* A table of pn_table_of_metric_diff; JSON: version, command, view, rows. */
void pn_print_metric_diff(FILE *to, const struct pn_table *table, bool json);

#endif
