/*
 * The allocator's names, in front of the program's own. Each calls the next
 * one that the loader finds, glibc's, musl's or another library's; a program
 * that has its allocator in itself never comes here.
 */
#define _GNU_SOURCE /* RTLD_NEXT, reallocarray, pvalloc */
#include "runtime/memory.h"
#include "runtime/unwind.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define EARLY 65536 /* glibc's dlsym takes a few hundred bytes at most */
#define ALIGN 16

static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	size_t (*usable_size)(void *);
	int (*dlclose)(void *);
} next;

static bool is_resolved, is_resolving;

/* What is asked for while the names above are looked up. */
static unsigned char early[EARLY] __attribute__((aligned(ALIGN)));
static size_t early_used;

static bool is_early(const void *p)
{
	return (const unsigned char *)p >= early &&
	       (const unsigned char *)p < early + EARLY;
}

static void *take_early(size_t size)
{
	size_t need = ALIGN + ((size + ALIGN - 1) & ~(size_t)(ALIGN - 1));
	unsigned char *at = early + early_used;

	if (size > EARLY || need > EARLY - early_used) {
		errno = ENOMEM;
		return NULL;
	}
	early_used += need;
	memcpy(at, &size, sizeof(size));
	return at + ALIGN;
}

static size_t early_size(const void *p)
{
	size_t size;

	memcpy(&size, (const unsigned char *)p - ALIGN, sizeof(size));
	return size;
}

#define RESOLVE(member, name)                                                  \
	do {                                                                   \
		void *found = dlsym(RTLD_NEXT, name);                          \
		memcpy(&next.member, &found, sizeof(found));                   \
	} while (0)

static void resolve(void)
{
	is_resolving = true;
	RESOLVE(malloc, "malloc");
	RESOLVE(calloc, "calloc");
	RESOLVE(realloc, "realloc");
	RESOLVE(free, "free");
	RESOLVE(posix_memalign, "posix_memalign");
	RESOLVE(aligned_alloc, "aligned_alloc");
	RESOLVE(memalign, "memalign");
	RESOLVE(valloc, "valloc");
	RESOLVE(pvalloc, "pvalloc");
	RESOLVE(usable_size, "malloc_usable_size");
	RESOLVE(dlclose, "dlclose");
	is_resolving = false;
	is_resolved = true;
}

/* False while we are looking them up ourselves. */
static inline bool is_ready(void)
{
	if (__builtin_expect(is_resolved, 1))
		return true;
	if (is_resolving)
		return false;
	resolve();
	return true;
}

static __attribute__((constructor)) void begin(void)
{
	is_ready();
	pn_memory_start();
}

static __attribute__((destructor)) void end(void)
{
	pn_memory_end();
}

/* Inlined: the frame is that of the function which the program called. */
static inline __attribute__((always_inline)) void *noted(void *p, size_t size)
{
	struct pn_unwind_at at = PN_UNWIND_CALLER();

	if (p)
		pn_memory_allocated(p, size, &at);
	return p;
}

/* All else in this object is hidden. */
#pragma GCC visibility push(default)

void *malloc(size_t size)
{
	if (!is_ready())
		return take_early(size);
	return noted(next.malloc(size), size);
}

void *calloc(size_t count, size_t size)
{
	if (!is_ready()) /* static memory is zero */
		return size && count > EARLY / size ? NULL
						    : take_early(count * size);
	return noted(next.calloc(count, size), count * size);
}

void free(void *p)
{
	if (!p || is_early(p))
		return;
	if (is_ready()) {
		pn_memory_freed(p);
		next.free(p);
	}
}

static void *move_early(void *p, size_t size)
{
	size_t old = early_size(p);
	void *to = malloc(size);

	if (to)
		memcpy(to, p, old < size ? old : size);
	return to;
}

void *realloc(void *p, size_t size)
{
	struct pn_block block = {.stack = 0};
	void *got;

	if (p && is_early(p))
		return move_early(p, size);
	if (!is_ready())
		return take_early(size);
	if (p)
		block = pn_memory_freed(p);
	got = next.realloc(p, size);
	/* nothing for nothing: glibc has freed it */
	if (!got && size)
		pn_memory_kept(&block);
	return noted(got, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
	int code = ENOMEM;

	if (is_ready() && next.posix_memalign)
		code = next.posix_memalign(out, align, size);
	if (!code)
		noted(*out, size);
	return code;
}

void *aligned_alloc(size_t align, size_t size)
{
	if (!is_ready() || !next.aligned_alloc)
		return NULL;
	return noted(next.aligned_alloc(align, size), size);
}

void *memalign(size_t align, size_t size)
{
	if (!is_ready() || !next.memalign)
		return NULL;
	return noted(next.memalign(align, size), size);
}

void *valloc(size_t size)
{
	if (!is_ready() || !next.valloc)
		return NULL;
	return noted(next.valloc(size), size);
}

void *pvalloc(size_t size)
{
	if (!is_ready() || !next.pvalloc)
		return NULL;
	return noted(next.pvalloc(size), size);
}

size_t malloc_usable_size(void *p)
{
	if (!p || !is_ready() || !next.usable_size)
		return 0;
	return is_early(p) ? early_size(p) : next.usable_size(p);
}

/* Other code may be loaded to where this was. */
int dlclose(void *handle)
{
	int code = -1;

	if (is_ready() && next.dlclose)
		code = next.dlclose(handle);
	pn_unwind_forget();
	return code;
}

#pragma GCC visibility pop
