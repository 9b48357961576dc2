/* Things to be said that do not end the work: one line each, first in, first
 * out. */
#ifndef PN_PERUN_DOUBTS_H
#define PN_PERUN_DOUBTS_H

#include <stddef.h>

/* Zeroed: there is none. */
struct pn_doubts {
	char **lines;
	size_t count, cap, next;
};

void pn_doubts_add(struct pn_doubts *doubts, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The next one, good until one is added; NULL when all were taken. */
const char *pn_doubts_take(struct pn_doubts *doubts);
void pn_doubts_release(struct pn_doubts *doubts);

#endif
