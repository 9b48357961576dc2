/*
 * What runs with each call and each return. The clock is read as late as
 * possible on the way in and as early as possible on the way out; what lies
 * between is measured by trace_start.c and subtracted by who reads the record.
 *
 * A frame is claimed before it is filled, so that the handler of a signal that
 * comes in between takes the next one. A call whose machine stack lies above
 * that of an older one shows that the older one has been left by longjmp; of
 * equal ones, the younger is inlined into the older.
 */
#include "runtime/trace.h"

__thread struct pn_trace_thread *pn_trace_self
	__attribute__((tls_model("initial-exec")));
unsigned char *pn_trace_is_ours;
struct pn_runtime_trace *pn_trace_totals;
uint32_t pn_trace_clock;
bool pn_trace_flat;

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static inline struct pn_runtime_frame *frame_at(uint64_t address)
{
	return (struct pn_runtime_frame *)(uintptr_t)address;
}

static inline struct pn_runtime_edge *edge_at(uint64_t address)
{
	return (struct pn_runtime_edge *)(uintptr_t)address;
}

static inline struct pn_runtime_node *node_at(uint64_t address)
{
	return (struct pn_runtime_node *)(uintptr_t)address;
}

static inline struct pn_trace_thread *thread_here(void)
{
	struct pn_trace_thread *t = pn_trace_self;

	if (UNLIKELY(!t || !*pn_trace_is_ours))
		return pn_trace_begin();
	return t;
}

static inline struct pn_runtime_edge *get_edge(struct pn_trace_thread *t,
					       uint64_t caller,
					       uint64_t function,
					       const char *name)
{
	size_t mask = ((size_t)1 << t->edge_bits) - 1;
	size_t at = pn_trace_hash(caller, function, t->edge_bits);
	struct pn_runtime_edge *e;

	for (; (e = t->edges[at]) != NULL; at = (at + 1) & mask)
		if (e->function == function && e->caller == caller)
			return e;
	return pn_trace_add_edge(t, caller, function, name);
}

static inline void count_call(struct pn_runtime_edge *e)
{
	struct pn_runtime_node *n;

	e->calls++;
	if (pn_trace_flat)
		return;
	e->primitive += !e->active++;
	n = node_at(e->node);
	n->primitive += !n->active++;
}

static inline __attribute__((always_inline)) void
enter(uint64_t function, uintptr_t stack, const char *name)
{
	struct pn_trace_thread *t = thread_here();
	struct pn_runtime_frame *top, *f;
	struct pn_runtime_edge *e;

	if (UNLIKELY(!t))
		return;
	top = frame_at(t->shared.top);
	if (UNLIKELY(top->stack < stack)) {
		pn_trace_unwind(t, stack);
		top = frame_at(t->shared.top);
	}
	e = get_edge(t, pn_trace_flat ? 0 : top->function, function, name);
	f = frame_at(top->down);
	if (UNLIKELY(!f))
		f = pn_trace_add_frame(t);
	if (UNLIKELY(!e || !f || t->skipping)) {
		t->skipping++;
		return;
	}
	t->shared.top = (uintptr_t)f;
	f->function = function;
	f->edge = (uintptr_t)e;
	f->stack = stack;
	f->child = 0;
	f->direct = 0;
	f->nested = 0;
	count_call(e);
	f->start = pn_trace_now();
}

/* The last call ends. */
static inline void close_frame(struct pn_trace_thread *t, int64_t now)
{
	struct pn_runtime_frame *f = frame_at(t->shared.top);
	struct pn_runtime_frame *up = frame_at(f->up);
	struct pn_runtime_edge *e = edge_at(f->edge);
	struct pn_runtime_node *n = node_at(e->node);
	int64_t elapsed = now - f->start;

	e->self += elapsed - f->child;
	e->direct += f->direct;
	if (!pn_trace_flat) {
		if (!--e->active) {
			e->total += elapsed;
			e->nested += f->nested;
		}
		if (!--n->active) {
			n->total += elapsed;
			n->nested += f->nested;
		}
	}
	up->child += elapsed;
	up->direct++;
	up->nested += f->nested + 1;
	t->shared.last = now;
	t->shared.top = (uintptr_t)up;
}

static void close_unwound(struct pn_trace_thread *t, int64_t now)
{
	close_frame(t, now);
	__atomic_fetch_add(&pn_trace_totals->unwound, 1, __ATOMIC_RELAXED);
}

void pn_trace_unwind(struct pn_trace_thread *t, uintptr_t stack)
{
	int64_t now = pn_trace_now();

	t->skipping = 0;
	while (frame_at(t->shared.top)->stack < stack)
		close_unwound(t, now);
}

/* Calls that were left without an exit lie above the one that ends now; when
 * that is not there at all, it began before we did. */
static __attribute__((noinline)) bool find_frame(struct pn_trace_thread *t,
						 uint64_t function, int64_t now)
{
	struct pn_runtime_frame *f = frame_at(t->shared.top);

	while (f->edge && f->function != function)
		f = frame_at(f->up);
	if (!f->edge) {
		__atomic_fetch_add(&pn_trace_totals->unmatched, 1,
				   __ATOMIC_RELAXED);
		return false;
	}
	while (frame_at(t->shared.top) != f)
		close_unwound(t, now);
	return true;
}

static inline __attribute__((always_inline)) void leave(uint64_t function)
{
	int64_t now = pn_trace_now();
	struct pn_trace_thread *t = pn_trace_self;

	if (UNLIKELY(!t || !*pn_trace_is_ours))
		return;
	if (UNLIKELY(t->skipping)) {
		t->skipping--;
		return;
	}
	if (UNLIKELY(frame_at(t->shared.top)->function != function) &&
	    !find_frame(t, function, now))
		return;
	close_frame(t, now);
}

/* All else in this object is hidden. */
#pragma GCC visibility push(default)

void __cyg_profile_func_enter(void *function, void *site)
{
	(void)site;
	enter((uintptr_t)function, (uintptr_t)__builtin_frame_address(0), NULL);
}

void __cyg_profile_func_exit(void *function, void *site)
{
	(void)site;
	leave((uintptr_t)function);
}

int git_perf_region_begin(const char *name)
{
	enter((uintptr_t)name, (uintptr_t)__builtin_frame_address(0), name);
	return 0;
}

int git_perf_region_end(const char *name)
{
	leave((uintptr_t)name);
	return 0;
}

#pragma GCC visibility pop
