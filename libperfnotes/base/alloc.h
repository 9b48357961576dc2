/*
 * Allocation that cannot fail: what can fail is a size, and a decoder checks
 * a size against a limit before it comes here.
 */
#ifndef PN_BASE_ALLOC_H
#define PN_BASE_ALLOC_H

#include <stddef.h>

/*
 * Called when memory has run out, with the size asked for; must not return.
 * The library's own definition is weak and aborts; a program defines its own.
 */
void pn_alloc_failed(size_t size);

void *pn_malloc(size_t size);
void *pn_calloc(size_t count, size_t size);
void *pn_realloc(void *old, size_t size);
/* count * size checked for overflow; the memory of `old` is moved. */
void *pn_realloc_array(void *old, size_t count, size_t size);
char *pn_strdup(const char *text);
char *pn_strndup(const char *text, size_t len);

/*
 * For a program, before it has allocated much: arrays of a megabyte and more go
 * back to the system as soon as they are freed. glibc would keep up to 32 MB
 * each once one of that size was freed, and leave holes where arrays grew. Of
 * smaller ones some stay: else each profile of many would fetch the pages anew
 * that the one before it gave back.
 */
void pn_alloc_give_back(void);

/* Where there is no room: see pn_grow. */
void *pn_grow_now(void *array, size_t *cap, size_t need, size_t size);

/*
 * Make room for `need` elements of `size` bytes in an array that has room for
 * *cap. Grows by half, so that n appends cost O(n). Returns the array.
 */
static inline void *pn_grow(void *array, size_t *cap, size_t need, size_t size)
{
	return need <= *cap ? array : pn_grow_now(array, cap, need, size);
}

#endif
