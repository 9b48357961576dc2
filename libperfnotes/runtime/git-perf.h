/*
 * For programs that are measured by `git perf collect --collector=sample` or
 * `--collector=trace`: what they may tell sampler and tracer. No library has
 * to be linked; without a sampler or tracer each call does nothing and returns
 * -1. All may be called in any thread.
 *
 *	pn_sampler_label("request", "GET /");
 *	...
 *	pn_sampler_label("request", NULL);
 *
 *	pn_region_begin("parse");
 *	...
 *	pn_region_end("parse");
 *
 *	void sort(struct list *list)
 *	{
 *		pn_region_size(list->count);
 *		...
 *
 * With a C library older than glibc 2.34 link with -ldl.
 *
 * Nothing can be loaded into a program that is linked statically: link it with
 * libgit-perf-trace.a, and define PN_RUNTIME_LINKED before this header. Then
 * there is the tracer only.
 */
#ifndef PN_RUNTIME_GIT_PERF_H
#define PN_RUNTIME_GIT_PERF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is here is no function of the program: it is not traced. */
#define PN_RUNTIME_CALL                                                        \
	static inline __attribute__((no_instrument_function, unused))

#ifndef PN_RUNTIME_LINKED

#include <dlfcn.h>

/* A function of the sampler or tracer, looked for once; NULL: there is none. */
PN_RUNTIME_CALL void *pn_runtime_find(void **slot, const char *name)
{
	static char absent;
	void *found = __atomic_load_n(slot, __ATOMIC_RELAXED);

	if (!found) {
		found = dlsym(NULL, name); /* glibc's RTLD_DEFAULT */
		__atomic_store_n(slot, found ? found : (void *)&absent,
				 __ATOMIC_RELAXED);
	}
	return found == (void *)&absent ? NULL : found;
}

/*
 * Take no samples of any thread until pn_sampler_resume was called as often.
 * 0, or -1 when there is no sampler (or, of resume, no pause).
 */
PN_RUNTIME_CALL int pn_sampler_pause(void)
{
	static void *slot;
	void *found = pn_runtime_find(&slot, "git_perf_pause");
	int (*call)(void);

	memcpy(&call, &found, sizeof(call));
	return found ? call() : -1;
}

PN_RUNTIME_CALL int pn_sampler_resume(void)
{
	static void *slot;
	void *found = pn_runtime_find(&slot, "git_perf_resume");
	int (*call)(void);

	memcpy(&call, &found, sizeof(call));
	return found ? call() : -1;
}

/*
 * Samples of the calling thread get this label from here on, in place of one
 * with the same key; a value of NULL takes it off. A copy is kept. -1 when
 * there is no sampler or labels of a thread exceed 1,000 bytes together.
 */
PN_RUNTIME_CALL int pn_sampler_label(const char *key, const char *value)
{
	static void *slot;
	void *found = pn_runtime_find(&slot, "git_perf_label");
	int (*call)(const char *, const char *);

	memcpy(&call, &found, sizeof(call));
	return found ? call(key, value) : -1;
}

/*
 * The tracer counts and times what is between as it does a function of this
 * name, which is a text that stays where it is, and the same one both times.
 * Regions nest. -1 when there is no tracer.
 */
PN_RUNTIME_CALL int pn_region_begin(const char *name)
{
	static void *slot;
	void *found = pn_runtime_find(&slot, "git_perf_region_begin");
	int (*call)(const char *);

	memcpy(&call, &found, sizeof(call));
	return found ? call(name) : -1;
}

/* What began within it and has not ended ends, too. */
PN_RUNTIME_CALL int pn_region_end(const char *name)
{
	static void *slot;
	void *found = pn_runtime_find(&slot, "git_perf_region_end");
	int (*call)(const char *);

	memcpy(&call, &found, sizeof(call));
	return found ? call(name) : -1;
}

/*
 * The traced function or region that runs works on a structure of this many
 * elements: `git perf collect -c trace -O sizes` shows what calls take by it.
 * The last word before it ends counts. -1 when there is no tracer, when
 * nothing that is traced runs, or of calls without callers (-O flat).
 */
PN_RUNTIME_CALL int pn_region_size(uint64_t size)
{
	static void *slot;
	void *found = pn_runtime_find(&slot, "git_perf_region_size");
	int (*call)(uint64_t);

	memcpy(&call, &found, sizeof(call));
	return found ? call(size) : -1;
}

#else

int git_perf_region_begin(const char *name);
int git_perf_region_end(const char *name);
int git_perf_region_size(uint64_t size);

PN_RUNTIME_CALL int pn_sampler_pause(void)
{
	return -1;
}

PN_RUNTIME_CALL int pn_sampler_resume(void)
{
	return -1;
}

PN_RUNTIME_CALL int pn_sampler_label(const char *key, const char *value)
{
	(void)key;
	(void)value;
	return -1;
}

PN_RUNTIME_CALL int pn_region_begin(const char *name)
{
	return git_perf_region_begin(name);
}

PN_RUNTIME_CALL int pn_region_end(const char *name)
{
	return git_perf_region_end(name);
}

PN_RUNTIME_CALL int pn_region_size(uint64_t size)
{
	return git_perf_region_size(size);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
