/* Functions over commits, and who changed them: as text, escaped for a
 * terminal, and as JSON. */
#ifndef PN_FUNCTIONS_COURSE_H
#define PN_FUNCTIONS_COURSE_H

#include "analysis/functions/blame.h"
#include "base/buf.h"
#include "render/palette.h"

#include <stdbool.h>

/*
 * For each function its course as blocks and a line for each commit that was
 * measured, newest first, with the change it made; `brief`: for those with a
 * change only. For a terminal of so many columns, 0: any.
 */
void pn_function_course_text(struct pn_buf *out, const struct pn_blame *blame,
			     const struct pn_palette *palette, bool brief,
			     size_t columns);
/* The last change of each function: a line for the function, one for the
 * commit. */
void pn_function_blame_text(struct pn_buf *out, const struct pn_blame *blame,
			    const struct pn_palette *palette, size_t columns);
/* The object of --json, with LF; of a log with the figures of each commit. */
void pn_function_course_json(struct pn_buf *out, const struct pn_blame *blame,
			     bool is_log);

#endif
