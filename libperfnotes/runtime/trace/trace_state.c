/* What the tracer's parts share: whom a call is of, and the clock. */
#include "runtime/trace/trace_state.h"

#include <time.h>

__thread struct pn_trace_thread *pn_trace_self
	__attribute__((tls_model("initial-exec")));
unsigned char *pn_trace_is_ours;
struct pn_runtime_trace *pn_trace_totals;
uint32_t pn_trace_clock;
bool pn_trace_flat;

int64_t pn_trace_slow_clock(void)
{
	clockid_t id = CLOCK_MONOTONIC;
	struct timespec now;

	if (pn_trace_clock == PN_RUNTIME_TRACE_CPU)
		id = CLOCK_THREAD_CPUTIME_ID;
	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
