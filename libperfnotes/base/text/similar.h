/* How alike two names are. */
#ifndef PN_TEXT_SIMILAR_H
#define PN_TEXT_SIMILAR_H

#include <stddef.h>

struct pn_buf;
struct pn_error;

#define PN_SIMILAR_MAX 31 /* bytes of a name: longer ones are not alike */

/* Edit distance of two short names where a swap of neighbours costs one:
 * Damerau, Comm. ACM 7 (1964), in its restricted form. PN_SIMILAR_MAX when one
 * is longer than that. */
size_t pn_edit_distance(const char *a, const char *b);

/* The nearest of some names, looked at one by one. */
struct pn_similar {
	const char *name; /* what was typed */
	const char *found;
	size_t distance; /* of `found` */
};

/* Take note of one of the names. *found stays NULL unless one is near: a third
 * of what was typed may be wrong, at most three bytes. The first of equal ones
 * stays. */
void pn_similar_look(struct pn_similar *similar, const char *name);

/* Append "; did you mean 'x'?" to a text of names that have ", " between them,
 * and quotes of a shell around them where they need some, when one of these is
 * near to `name`, `len` bytes. */
void pn_similar_say(struct pn_buf *names, const char *name, size_t len);

/* There is no such view, order, ...: `what` of that name. `names` appends those
 * that there are. Returns PN_ENOTFOUND. */
int pn_unknown_name(const char *what, const char *name,
		    void (*names)(struct pn_buf *out, const char *between),
		    struct pn_error *err);

#endif
