/*
 * Large arrays whose size is known, filled once from their beginning: in pages
 * of some megabytes where the system has them, as each of 4 kB costs a
 * microsecond and more to get and to give back. Not for arrays that grow: the
 * system cuts such pages when it moves them, and that takes longer.
 */
#ifndef PN_BASE_LARGE_H
#define PN_BASE_LARGE_H

#include <stddef.h>

/* As pn_malloc. */
void *pn_large(size_t size);
/* The same, or NULL: of much more than will be used, which takes no memory
 * where nobody writes, but may not be had. */
void *pn_large_try(size_t size);
/* An array of usual pages, or its rest, will be used to its end after all. */
void pn_large_rest(void *at, size_t size);
/* A part of such an array that nobody looks at any more, until it is written
 * again or freed: most of it goes back to the system. */
void pn_large_forget(void *at, size_t size);

#endif
