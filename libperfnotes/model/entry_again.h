/* Lines that were all found good before: their ids, which are half of the cost
 * of a short line, are not computed again. */
#ifndef PN_MODEL_ENTRY_AGAIN_H
#define PN_MODEL_ENTRY_AGAIN_H

#include "model/entry.h"

/* See pn_entry_parse and pn_entries_parse. */
int pn_entry_parse_again(struct pn_entry *out, struct pn_arena *arena,
			 const char *line, size_t len, struct pn_error *err);
void pn_entries_parse_again(const struct pn_entry **out, size_t *count,
			    struct pn_arena *arena, const char *text,
			    size_t len);

#endif
