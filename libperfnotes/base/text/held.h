/*
 * Text that is not printed before all of it is known, and may be too long for
 * memory: from 16 MB on it waits in a file without a name (tmpfile(3)). A
 * zeroed struct is empty.
 */
#ifndef PN_TEXT_HELD_H
#define PN_TEXT_HELD_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

#define PN_HELD_BYTES ((size_t)16 << 20) /* that stay in memory */

struct pn_held {
	FILE *file; /* NULL: none yet */
	size_t len; /* that the file holds of the text */
	bool full;  /* no more can be written to it */
};

/* Move the text to the file, and empty it, when it is long; where there is no
 * file, or no room for it, it stays. */
void pn_held_add(struct pn_held *held, struct pn_buf *text);
/* Print what was moved, unless something has failed, with this `code`; nothing
 * is held any more. Returns `code`, or PN_EIO when it cannot be read back; of
 * what cannot be printed the stream knows. */
int pn_held_end(struct pn_held *held, FILE *to, int code, struct pn_error *err);

#endif
