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

#ifdef MADV_HUGEPAGE
static void advise(void *at, size_t size)
{
	uintptr_t from = ((uintptr_t)at + PAGE - 1) & ~(PAGE - 1);
	uintptr_t to = ((uintptr_t)at + size) & ~(PAGE - 1);

	/* where there are none the usual ones are as good */
	if (size >= LEAST)
		madvise((char *)at + (from - (uintptr_t)at), to - from,
			MADV_HUGEPAGE);
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

	if (at)
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
