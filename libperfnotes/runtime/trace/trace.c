/*
 * What runs with each call and each return. The clock is read as late as
 * possible on the way in and early on the way out; what lies between is
 * measured by trace_start.c and subtracted by who reads the record. Two
 * readings are most of what a call costs, and what depends on memory between
 * them costs most of the rest: so what a callee took goes off its caller at
 * once, calls are counted when they end, and all that is unusual is in
 * functions of its own.
 *
 * The handler of a signal may come in anywhere. A call whose machine stack lies
 * above that of an older one shows that the older one has been left by longjmp;
 * of equal ones, the younger is inlined into the older.
 */
#define _GNU_SOURCE /* syscall */
#include "runtime/sys.h"
#include "runtime/trace/trace_frame.h"
#include "runtime/trace/trace_state.h"

#include <signal.h>
#include <unistd.h>

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline))
#define COLD __attribute__((noinline, cold))
#define BARRIER() __asm__ volatile("" ::: "memory")

/* NULL: this thread is not followed, or not yet in this process. */
static inline struct pn_trace_thread *thread_here(void)
{
	struct pn_trace_thread *t = pn_trace_self;

	return !UNLIKELY(!t) && !UNLIKELY(!*pn_trace_is_ours) ? t : NULL;
}

/* The call as one that is known, with a look at the table. */
static struct pn_runtime_edge *get_edge(struct pn_trace_thread *t,
					uint64_t caller, uint64_t function,
					const char *name)
{
	size_t mask = ((size_t)1 << t->edges.bits) - 1;
	size_t at = pn_trace_hash(caller, function, t->edges.bits);
	struct pn_runtime_edge *e;

	for (; (e = t->edges.slots[at]) != NULL; at = (at + 1) & mask)
		if (e->function == function && e->caller == caller)
			return e;
	return pn_trace_add_edge(t, caller, function, name);
}

/* Where the call that was made last from this place is remembered. */
static inline struct pn_runtime_edge **recent(struct pn_trace_thread *t,
					      uint64_t function, uint64_t site)
{
	return &t->recent[(site ^ function >> 4) & (PN_TRACE_RECENT - 1)];
}

/* Filled twice: a signal's handler may have used the frame before it was
 * taken, and may look at it right afterwards. */
static PN_TRACE_ALWAYS void take_frame(struct pn_trace_thread *t,
				       struct pn_runtime_frame *f,
				       struct pn_runtime_edge *e,
				       uint64_t function, uintptr_t stack)
{
	f->function = function;
	f->edge = (uintptr_t)e;
	f->stack = stack;
	BARRIER();
	t->shared.top = (uintptr_t)f;
	BARRIER();
	f->function = function;
	f->edge = (uintptr_t)e;
	f->stack = stack;
	f->size = 0;
}

static PN_TRACE_ALWAYS void count_entry(struct pn_trace_thread *t,
					struct pn_runtime_frame *f,
					struct pn_runtime_edge *e)
{
	e->active++;
	pn_trace_node_at(e->node)->active++;
	f->before = t->shared.ended;
}

static void close_last(struct pn_trace_thread *t, int64_t now)
{
	pn_trace_close_frame(t, pn_trace_frame_at(t->shared.top), now,
			     pn_trace_flat);
}

/* A call at `stack` shows that those below it have been left; but the handler
 * of a signal that has a stack of its own says nothing of the other one. */
static void unwind_stale(struct pn_trace_thread *t, uintptr_t stack)
{
	stack_t own = {.ss_flags = SS_DISABLE};
	uintptr_t from = 0;

	pn_sys(SYS_sigaltstack, NULL, &own);
	if (own.ss_flags & SS_ONSTACK)
		from = (uintptr_t)own.ss_sp;
	pn_trace_unwind(t, from, stack);
}

extern __typeof__(__cyg_profile_func_enter) own_enter __attribute__((
	alias("__cyg_profile_func_enter"), visibility("hidden")));

/* Whether the program's calls come here: not to a tracer that is linked into
 * it. */
static bool is_called(void)
{
	void (*volatile called)(void *, void *) = __cyg_profile_func_enter;

	return called == own_enter;
}

static NOINLINE void traced(void)
{
	__cyg_profile_func_enter((void *)traced, NULL);
	BARRIER();
	__cyg_profile_func_exit((void *)traced, NULL);
}

static COLD struct pn_trace_thread *begin_thread(void)
{
	return is_called() ? pn_trace_begin(traced) : NULL;
}

static __attribute__((constructor)) void begin(void)
{
	if (!pn_trace_self)
		begin_thread();
}

/* All that is not a call as there was one before. */
static COLD void enter_slowly(uint64_t function, uint64_t site, uintptr_t stack,
			      const char *name)
{
	struct pn_trace_thread *t = thread_here();
	struct pn_runtime_frame *top, *f;
	struct pn_runtime_edge *e;

	if (!t)
		t = begin_thread();
	if (!t)
		return;
	if (pn_trace_frame_at(t->shared.top)->stack < stack)
		unwind_stale(t, stack);
	top = pn_trace_frame_at(t->shared.top);
	e = get_edge(t, pn_trace_flat ? 0 : top->function, function, name);
	f = pn_trace_frame_at(top->down);
	if (!f)
		f = pn_trace_add_frame(t);
	if (!e || !f || t->odd & PN_TRACE_SKIPPING) {
		t->odd++;
		return;
	}
	*recent(t, function, site) = e;
	take_frame(t, f, e, function, stack);
	if (!pn_trace_flat)
		count_entry(t, f, e);
	f->start = pn_trace_now();
}

/* A call as there was one before. */
static PN_TRACE_ALWAYS bool enter_again(struct pn_trace_thread *t,
					uint64_t function, uint64_t site,
					uintptr_t stack, bool is_odd)
{
	bool flat = is_odd && pn_trace_flat;
	struct pn_runtime_edge *e = *recent(t, function, site);
	struct pn_runtime_frame *top = pn_trace_frame_at(t->shared.top);
	struct pn_runtime_frame *f = pn_trace_frame_at(top->down);

	if (UNLIKELY(top->stack < stack || !f || e->function != function ||
		     e->caller != (flat ? 0 : top->function)))
		return false;
	take_frame(t, f, e, function, stack);
	if (!flat)
		count_entry(t, f, e);
	f->start = is_odd ? pn_trace_now() : pn_trace_tsc();
	return true;
}

static NOINLINE void enter_odd(uint64_t function, uint64_t site,
			       uintptr_t stack, const char *name)
{
	struct pn_trace_thread *t = thread_here();

	if (!t || t->odd & PN_TRACE_SKIPPING ||
	    !enter_again(t, function, site, stack, true))
		enter_slowly(function, site, stack, name);
}

static PN_TRACE_ALWAYS void enter(uint64_t function, uint64_t site,
				  uintptr_t stack, const char *name)
{
	struct pn_trace_thread *t = thread_here();

	if (UNLIKELY(!t || t->odd))
		enter_odd(function, site, stack, name);
	else if (UNLIKELY(!enter_again(t, function, site, stack, false)))
		enter_slowly(function, site, stack, name);
}

/* Calls that were left without an exit lie above the one that ends now; when
 * that is not there at all, it began before we did. */
static COLD void leave_slowly(struct pn_trace_thread *t, uint64_t function,
			      int64_t now)
{
	struct pn_runtime_frame *f = pn_trace_frame_at(t->shared.top);

	if (t->odd & PN_TRACE_SKIPPING) {
		t->odd--;
		return;
	}
	while (f->up && f->function != function)
		f = pn_trace_frame_at(f->up);
	if (!f->up) {
		__atomic_fetch_add(&pn_trace_totals->unmatched, 1,
				   __ATOMIC_RELAXED);
		return;
	}
	while (pn_trace_frame_at(t->shared.top) != f)
		pn_trace_close_unwound(t, now);
	close_last(t, now);
}

static PN_TRACE_ALWAYS void leave_as(struct pn_trace_thread *t,
				     uint64_t function, int64_t now, bool flat)
{
	struct pn_runtime_frame *f = pn_trace_frame_at(t->shared.top);

	if (UNLIKELY(f->function != function || t->odd & PN_TRACE_SKIPPING))
		leave_slowly(t, function, now);
	else
		pn_trace_close_frame(t, f, now, flat);
}

static NOINLINE void leave_odd(uint64_t function)
{
	struct pn_trace_thread *t = thread_here();

	if (t)
		leave_as(t, function, pn_trace_now(), pn_trace_flat);
}

static PN_TRACE_ALWAYS void leave(uint64_t function)
{
	struct pn_trace_thread *t = thread_here();

	if (UNLIKELY(!t || t->odd))
		leave_odd(function);
	else
		leave_as(t, function, pn_trace_tsc(), false);
}

/* All else in this object is hidden. */
#pragma GCC visibility push(default)

void __cyg_profile_func_enter(void *function, void *site)
{
	enter((uintptr_t)function, (uintptr_t)site,
	      (uintptr_t)__builtin_frame_address(0), NULL);
}

void __cyg_profile_func_exit(void *function, void *site)
{
	(void)site;
	leave((uintptr_t)function);
}

int git_perf_region_begin(const char *name)
{
	enter((uintptr_t)name, 0, (uintptr_t)__builtin_frame_address(0), name);
	return 0;
}

int git_perf_region_end(const char *name)
{
	leave((uintptr_t)name);
	return 0;
}

#pragma GCC visibility pop
