/* Lists of collectors and postprocessors with the options that each has. */
#ifndef PN_RENDER_OPTIONS_H
#define PN_RENDER_OPTIONS_H

#include "base/buf.h"
#include "model/option.h"

#include <stdbool.h>
#include <stddef.h>

/* A line each and one for each option: with `apart` its summary in a line of
 * its own, where options are long. Lines of at most so many columns, no more
 * than 80; 0: 80. */
void pn_options_text(struct pn_buf *out, const struct pn_with_options *rows,
		     size_t count, bool apart, size_t columns);
/* A document of `command`, whose member `member` is the list. */
void pn_options_json(struct pn_buf *out, const struct pn_with_options *rows,
		     size_t count, const char *command, const char *member);

#endif
