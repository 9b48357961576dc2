/*
 * The call tracer: a shadow stack and a table of calls by caller and callee
 * for each thread, kept in the record (record.h). trace.c is what runs with
 * each call, trace_thread.c what runs with each that is new, trace_start.c
 * begins and calibrates.
 */
#ifndef PN_RUNTIME_TRACE_H
#define PN_RUNTIME_TRACE_H

#include "runtime/output.h"
#include "runtime/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block and how many of its elements are taken. */
struct pn_trace_block {
	void *elements;
	size_t used, count;
};

/* A thread's tables; it lies in the record, and begins with what is read
 * there. */
struct pn_trace_thread {
	struct pn_runtime_caller shared;
	struct pn_runtime_frame *root;
	struct pn_runtime_edge **edges; /* by pn_trace_hash: open addressing */
	struct pn_runtime_node **nodes;
	unsigned edge_bits, node_bits; /* 1 << bits of them */
	size_t edge_count, node_count, frame_count;
	struct pn_trace_block edge_block, node_block;
	struct pn_stream stream;
	uint64_t skipping;	      /* calls that are not followed, now */
	struct pn_trace_thread *next; /* that nobody uses */
	bool busy;		      /* in what is not made for signals */
};

extern __thread struct pn_trace_thread *pn_trace_self
	__attribute__((tls_model("initial-exec")));
/* Of the process. `is_ours` is 0 in a child that has no record yet. */
extern unsigned char *pn_trace_is_ours;
extern struct pn_runtime_trace *pn_trace_totals;
extern uint32_t pn_trace_clock;
extern bool pn_trace_flat;

static inline size_t pn_trace_hash(uint64_t caller, uint64_t function,
				   unsigned bits)
{
	/* 2^64 / golden ratio: Knuth, The Art of Computer Programming 3, 6.4 */
	return (size_t)((function ^ caller << 17 ^ caller >> 11) *
				UINT64_C(0x9e3779b97f4a7c15) >>
			(64 - bits));
}

/* The thread that calls, with a record if there was none; NULL when there is
 * nothing to trace. */
struct pn_trace_thread *pn_trace_begin(void);
/* The call as a new one; `name` of a region, else NULL. NULL: no room. */
struct pn_runtime_edge *pn_trace_add_edge(struct pn_trace_thread *thread,
					  uint64_t caller, uint64_t function,
					  const char *name);
/* A frame below the last one; NULL: no room. */
struct pn_runtime_frame *pn_trace_add_frame(struct pn_trace_thread *thread);
/* Calls above `stack` have ended without an exit. */
void pn_trace_unwind(struct pn_trace_thread *thread, uintptr_t stack);
/* Tables that somebody left, or new ones, for a thread that begins. */
struct pn_trace_thread *pn_trace_take_thread(void);
/* Leave them. */
void pn_trace_give_thread(struct pn_trace_thread *thread);
/* In a child, where none of them is ours. */
void pn_trace_forget_threads(void);

void pn_trace_calibrate(struct pn_trace_thread *thread);
int64_t pn_trace_slow_clock(void);

/* Ticks of the clock that was chosen. */
static inline int64_t pn_trace_now(void)
{
#if defined(__x86_64__)
	if (__builtin_expect(pn_trace_clock == PN_RUNTIME_TRACE_TSC, 1))
		return (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	int64_t ticks;

	if (__builtin_expect(pn_trace_clock == PN_RUNTIME_TRACE_TSC, 1)) {
		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
		return ticks;
	}
#endif
	return pn_trace_slow_clock();
}

/* gcc's and clang's names for -finstrument-functions. */
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);
int git_perf_region_begin(const char *name);
int git_perf_region_end(const char *name);

#endif
