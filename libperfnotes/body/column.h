/* One column of a body: its words as bytes, as a change of the base's. */
#ifndef PN_BODY_COLUMN_H
#define PN_BODY_COLUMN_H

#include "base/buf.h"
#include "base/error.h"
#include "body/state.h"

#include <stddef.h>
#include <stdint.h>

/* The base's column: `words` NULL stands for `count` zeros. */
struct pn_body_old {
	const struct pn_body_words *words;
	size_t count;
};

/* That of a column in `base` (may be NULL). */
struct pn_body_old pn_body_old_column(const struct pn_body_state *base,
				      unsigned int column);

/* Append the section's bytes. */
void pn_body_column_write(struct pn_buf *out, const struct pn_body_words *now,
			  const struct pn_body_old *old);

/*
 * The column that a section's bytes stand for, NULL when empty; *block as
 * for pn_body_words_new. *budget is what may still be allocated, in bytes.
 * PN_EINVAL, PN_ELIMIT.
 */
int pn_body_column_read(struct pn_body_words **out,
			struct pn_body_block **block, const void *bytes,
			size_t len, const struct pn_body_old *old,
			uint64_t *budget, struct pn_error *err);

#endif
