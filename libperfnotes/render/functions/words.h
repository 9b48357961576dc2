/* What log and blame of functions have in common. */
#ifndef PN_FUNCTIONS_WORDS_H
#define PN_FUNCTIONS_WORDS_H

#include "analysis/functions/blame.h"
#include "base/buf.h"
#include "render/palette.h"

/* A name, or the end of a path, escaped, in at most so many columns. */
void pn_functions_add_name(struct pn_buf *out, const char *text, size_t width);
void pn_functions_add_path(struct pn_buf *out, const char *text, size_t width);
/* A figure, and a share in percent, to the right of so many columns. */
void pn_functions_add_figure(struct pn_buf *out, double value, const char *unit,
			     size_t width);
void pn_functions_add_share(struct pn_buf *out, double share, size_t width);
/* How many columns a terminal has less than 80, as far as that is heeded. */
size_t pn_functions_less(size_t columns);
/* "fib/callgrind: Ir, 38 of 40 commits", and an empty line. */
void pn_functions_add_head(struct pn_buf *out, const struct pn_blame *blame,
			   const struct pn_function_history *series,
			   const struct pn_palette *palette, size_t less);
/* "+12%", "new", "gone", in its colour, to the right of so many columns. */
void pn_functions_add_change(struct pn_buf *out,
			     const struct pn_function_history *series,
			     const struct pn_function_change *change,
			     const struct pn_palette *palette, size_t width);
/* How many commits may have made it, at least 1. */
size_t pn_functions_span(const struct pn_function_change *change);
/* Why nothing is known of a change; "" where it is. */
void pn_functions_add_doubt(struct pn_buf *out, const struct pn_blame_row *row);

#endif
