/* Allocation that ends in one handler when memory has run out. */
#include "base/alloc.h"

#ifdef HAVE_MALLOPT
#include <malloc.h>
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Arrays double while they are small: many never get larger, and each step
 * costs as much as some dozens of elements. */
#define GROW_MIN 64
#define GROW_SMALL 128

__attribute__((weak)) void pn_alloc_failed(size_t size)
{
	(void)size;
	abort();
}

#ifdef HAVE_MALLOPT
void pn_alloc_give_back(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 16 << 20);
	mallopt(M_TOP_PAD, 1 << 20);
}
#else
void pn_alloc_give_back(void)
{
}
#endif

void *pn_malloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		pn_alloc_failed(size);
	return p;
}

void *pn_calloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		pn_alloc_failed(size);
	return p;
}

void *pn_realloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		pn_alloc_failed(size);
	return p;
}

void *pn_realloc_array(void *old, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		pn_alloc_failed(SIZE_MAX);
	return pn_realloc(old, count * size);
}

char *pn_strndup(const char *text, size_t len)
{
	char *copy = pn_malloc(len + 1);

	if (len)
		memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *pn_strdup(const char *text)
{
	return pn_strndup(text, strlen(text));
}

void *pn_grow_now(void *array, size_t *cap, size_t need, size_t size)
{
	size_t room = *cap;

	room += room < GROW_SMALL ? room + GROW_MIN : room / 2;
	if (room < need)
		room = need;
	array = pn_realloc_array(array, room, size);
	*cap = room;
	return array;
}
