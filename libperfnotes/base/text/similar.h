/* How alike two names are. */
#ifndef PN_TEXT_SIMILAR_H
#define PN_TEXT_SIMILAR_H

#include <stddef.h>

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

#endif
