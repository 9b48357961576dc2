/* What views of resources say above their pictures. */
#ifndef PN_RESOURCES_WORDS_H
#define PN_RESOURCES_WORDS_H

#include "analysis/resources/pivot.h"
#include "render/renderer.h"
#include "render/sink.h"

#define PN_RESOURCES_COLUMNS 80	       /* where nobody says how wide */
#define PN_RESOURCES_ROWS_OF_PAGE 2000 /* of a table: what people read */

/* "cpu.pb.gz: sum of cpu/nanoseconds per function", plain text. */
void pn_pivot_title(struct pn_buf *out, const struct pn_pivot *pivot,
		    const struct pn_view_input *in);
/* That figures are of one of several runs, a line; the member `runs`. Nothing
 * of one. */
void pn_runs_remark(struct pn_buf *out, uint32_t runs);
void pn_runs_json(struct pn_sink *out, uint32_t runs);
/* What is not to be seen, a line each. */
void pn_pivot_remarks(struct pn_buf *out, const struct pn_pivot *pivot);
/* Members of the JSON object: the keys, then the rows. */
void pn_pivot_json(struct pn_sink *out, const struct pn_pivot *pivot);
/* A value as people read it. */
void pn_resources_value(struct pn_buf *out, double value, const char *unit);
/* A text for a terminal, escaped: cut at `width` columns or filled up; the
 * same without blanks behind it; blanks at the end of all taken away. */
void pn_resources_text(struct pn_buf *out, const char *text, size_t width);
void pn_resources_line(struct pn_buf *out, const char *text, size_t width);
void pn_resources_trim(struct pn_buf *out);
/* The columns of a line of text. */
size_t pn_resources_columns(const struct pn_view_input *in);

/* A page: title, remarks, the picture that `draw` makes (NULL: none), and the
 * rows as a table. */
void pn_resources_page(struct pn_sink *out, const char *title,
		       const char *remarks, const struct pn_table *rows,
		       void (*draw)(struct pn_buf *out, const void *of),
		       const void *of);

#endif
