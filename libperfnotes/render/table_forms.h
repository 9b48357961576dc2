/* Any table for spreadsheets and browsers. */
#ifndef PN_RENDER_TABLE_FORMS_H
#define PN_RENDER_TABLE_FORMS_H

#include "analysis/table.h"
#include "render/sink.h"

/*
 * RFC 4180, lines ended by LF: the keys of the columns that have one, a line a
 * row, numbers as JSON has them, what is absent is empty. Controls in texts are
 * written out.
 */
void pn_print_table_csv(struct pn_sink *out, const struct pn_table *table);
/* The element table of a page, whose script sorts and filters it: the columns
 * that have a title. At most `most` rows; returns how many are left out. */
size_t pn_print_table_html(struct pn_sink *out, const struct pn_table *table,
			   size_t most);

#endif
