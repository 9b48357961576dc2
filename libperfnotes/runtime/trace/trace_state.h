/*
 * The call tracer: a shadow stack and a table of calls by caller and callee
 * for each thread, kept in the record (record.h). trace.c is what runs with
 * each call, trace_start.c begins and calibrates, trace_unwind.c ends calls
 * that had no exit, trace_size.c is what runs for a size that is stated,
 * trace_thread.c what runs with each call that is new, trace_state.c what all
 * of them share: each needs only what is named after it.
 */
#ifndef PN_TRACE_TRACE_STATE_H
#define PN_TRACE_TRACE_STATE_H

#include "runtime/output.h"
#include "runtime/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls that are not followed now are counted in `odd`, beside: */
#define PN_TRACE_FLAT (UINT64_C(1) << 63)
#define PN_TRACE_SLOW (UINT64_C(1) << 62) /* another clock */
#define PN_TRACE_SKIPPING (PN_TRACE_SLOW - 1)

#define PN_TRACE_RECENT 512 /* 4 kB, a power of two */

/* A block and how many of its elements are taken. */
struct pn_trace_block {
	void *elements;
	size_t used, count;
};

/* Elements by pn_trace_hash, with open addressing. */
struct pn_trace_index {
	void **slots; /* 1 << bits of them, or NULL */
	unsigned bits;
	size_t count;
};

/* A thread's tables; it lies in the record, and begins with what is read
 * there. */
struct pn_trace_thread {
	struct pn_runtime_caller shared;
	struct pn_runtime_frame *root;
	struct pn_trace_index edges, nodes, sizes;
	size_t frame_count;
	struct pn_trace_block edge_block, node_block, size_block;
	struct pn_stream stream;
	uint64_t odd; /* 0: nothing of what PN_TRACE_... below say */
	struct pn_trace_thread *next; /* that nobody uses */
	bool busy;		      /* in what is not made for signals */
	/* The call that was made last from a place; never NULL. */
	struct pn_runtime_edge *recent[PN_TRACE_RECENT];
};

/* Of trace_state.c. Said to be hidden where they are declared, so that each
 * call reads them without a look at a table of addresses. */
#pragma GCC visibility push(hidden)
extern __thread struct pn_trace_thread *pn_trace_self
	__attribute__((tls_model("initial-exec")));
/* Of the process. `is_ours` is 0 in a child that has no record yet. */
extern unsigned char *pn_trace_is_ours;
extern struct pn_runtime_trace *pn_trace_totals;
extern uint32_t pn_trace_clock;
extern bool pn_trace_flat;
#pragma GCC visibility pop
/* In ns, where the clock is not the processor's counter. */
int64_t pn_trace_slow_clock(void);

static inline size_t pn_trace_hash(uint64_t caller, uint64_t function,
				   unsigned bits)
{
	/* 2^64 / golden ratio: Knuth, The Art of Computer Programming 3, 6.4 */
	return (size_t)((function ^ caller << 17 ^ caller >> 11) *
				UINT64_C(0x9e3779b97f4a7c15) >>
			(64 - bits));
}

/* The thread that calls, with a record if there was none; NULL when there is
 * nothing to trace. `traced` does nothing but call our hooks: what a call of it
 * takes is what they cost. */
struct pn_trace_thread *pn_trace_begin(void (*traced)(void));
/* The call as a new one; `name` of a region, else NULL. NULL: no room. */
struct pn_runtime_edge *pn_trace_add_edge(struct pn_trace_thread *thread,
					  uint64_t caller, uint64_t function,
					  const char *name);
/* A frame below the last one; NULL: no room. */
struct pn_runtime_frame *pn_trace_add_frame(struct pn_trace_thread *thread);
/* Of a size that is not in the table; NULL: no room. */
struct pn_runtime_size *pn_trace_add_size(struct pn_trace_thread *thread,
					  uint64_t function, uint64_t size);
/* A call that stated its size ends; `size` as in its frame. */
void pn_trace_end_size(uint64_t size, int64_t elapsed, uint64_t nested);
/* Calls above `stack`, up to `from`, have ended without an exit. */
void pn_trace_unwind(struct pn_trace_thread *thread, uintptr_t from,
		     uintptr_t stack);
/* Tables that somebody left, or new ones, for a thread that begins. */
struct pn_trace_thread *pn_trace_take_thread(void);
/* Leave them, when all of its calls have ended. */
void pn_trace_give_thread(struct pn_trace_thread *thread);
/* In a child, where none of them is ours. */
void pn_trace_forget_threads(void);

#if defined(__x86_64__) || defined(__aarch64__)
static inline bool pn_trace_has_tsc(void)
{
	return pn_trace_clock == PN_RUNTIME_TRACE_TSC;
}
#else
static inline bool pn_trace_has_tsc(void)
{
	return false;
}
#endif

#if defined(__x86_64__)
static inline int64_t pn_trace_tsc(void)
{
	return (int64_t)__builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
static inline int64_t pn_trace_tsc(void)
{
	int64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}
#else
static inline int64_t pn_trace_tsc(void)
{
	return 0;
}
#endif

/* Ticks of the clock that was chosen. */
static inline int64_t pn_trace_now(void)
{
	if (pn_trace_has_tsc())
		return pn_trace_tsc();
	return pn_trace_clock == PN_RUNTIME_TRACE_NONE ? 0
						       : pn_trace_slow_clock();
}

/* gcc's and clang's names for -finstrument-functions. */
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);
int git_perf_region_begin(const char *name);
int git_perf_region_end(const char *name);
int git_perf_region_size(uint64_t size);

#endif
