/* Calls that have ended without an exit: by longjmp, an exception, or with
 * their thread. */
#include "runtime/trace/trace_frame.h"

void pn_trace_close_unwound(struct pn_trace_thread *t, int64_t now)
{
	pn_trace_close_frame(t, pn_trace_frame_at(t->shared.top), now,
			     pn_trace_flat);
	__atomic_fetch_add(&pn_trace_totals->unwound, 1, __ATOMIC_RELAXED);
}

void pn_trace_unwind(struct pn_trace_thread *t, uintptr_t from, uintptr_t stack)
{
	int64_t now = pn_trace_now();

	t->odd &= ~PN_TRACE_SKIPPING;
	while (pn_trace_frame_at(t->shared.top)->stack < stack &&
	       pn_trace_frame_at(t->shared.top)->stack >= from)
		pn_trace_close_unwound(t, now);
}
