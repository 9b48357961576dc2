/* Any table as text and as JSON. */
#ifndef PN_RENDER_PRINT_TABLE_H
#define PN_RENDER_PRINT_TABLE_H

#include "analysis/table.h"
#include "render/sink.h"

/* A line of titles and a line for each row, texts escaped. */
void pn_print_table(struct pn_sink *out, const struct pn_table *table);
/* The same in lines of at most `room` columns (0: not known), where figures and
 * a little of each text fit: texts are cut. */
void pn_print_table_within(struct pn_sink *out, const struct pn_table *table,
			   size_t room);
/* Columns that its lines take at the least, but for names, which are whole up
 * to `name` of them. */
size_t pn_print_table_least(const struct pn_table *table, size_t name);
/* What stands in a cell, escaped, in place of what `out` had. */
void pn_cell_as_text(struct pn_buf *out, const struct pn_column *column,
		     const struct pn_cell *cell);
/* The value of a member: an array of objects, absent cells left out. */
void pn_print_table_json(struct pn_sink *out, const struct pn_table *table);
/* A table that is all of an answer: as text, or as the member `key` of the
 * command's object, for people, too. */
void pn_print_list(FILE *to, const struct pn_table *table, const char *command,
		   const char *key, bool json);

#endif
