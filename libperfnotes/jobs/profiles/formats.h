/* What formats there are, and which one a profile has. */
#ifndef PN_PROFILES_FORMATS_H
#define PN_PROFILES_FORMATS_H

#include "analysis/table.h"
#include "base/error.h"
#include "storage/lookup/lookup.h"

/* The table of codecs as rows: those that are about `word`, of which text says
 * how such a file is made, or all of them when it is NULL. Borrows both. */
void pn_formats_table(struct pn_table *out, const char *word);
/* Whether some format is about this word, see pn_codec_is_about. No word
 * without a letter is one: "-" is standard input, and signs and digits stand
 * in many a sentence. */
bool pn_formats_are_about(const char *word);

/* The name of the format that a file is recognised as. */
int pn_format_of_file(const char **out, const char *path, struct pn_error *err);
/* The same of what was found by `name`: what the index says of a stored
 * profile, or what a file is. Of the entry, or static. */
int pn_format_of_found(const char **out, const struct pn_found *found,
		       const char *name, struct pn_error *err);
/* "<name> TAB <format>", escaped for a terminal, a line. */
void pn_format_line(struct pn_buf *out, const char *name, const char *format);

#endif
