/* Memory in large pages. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/large.h"

#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE ((uintptr_t)2 << 20) /* most processors' */
/* Of less most would lie in pages that are not whole. */
#define LEAST (2 * PAGE)

/* The whole pages in it; returns how many bytes those are. */
static size_t pages_in(char **from, void *at, size_t size)
{
	uintptr_t first = ((uintptr_t)at + PAGE - 1) & ~(PAGE - 1);
	uintptr_t end = ((uintptr_t)at + size) & ~(PAGE - 1);

	*from = (char *)at + (first - (uintptr_t)at);
	return end > first ? end - first : 0;
}

#ifdef MADV_HUGEPAGE
static void advise(void *at, size_t size)
{
	char *from;
	size_t len = pages_in(&from, at, size);

	/* where there are none the usual ones are as good */
	madvise(from, len, MADV_HUGEPAGE);
}
#else
static void advise(void *at, size_t size)
{
	(void)at;
	(void)size;
}
#endif

void *pn_large_try(size_t size)
{
	void *at = malloc(size ? size : 1);

	if (at && size >= LEAST)
		advise(at, size);
	return at;
}

void *pn_large(size_t size)
{
	void *at = pn_large_try(size);

	if (!at)
		pn_alloc_failed(size);
	return at;
}

void pn_large_rest(void *at, size_t size)
{
	advise(at, size);
}

void pn_large_forget(void *at, size_t size)
{
#ifdef MADV_DONTNEED
	char *from;
	size_t len = pages_in(&from, at, size);

	if (len)
		madvise(from, len, MADV_DONTNEED);
#else
	(void)at;
	(void)size;
#endif
}
