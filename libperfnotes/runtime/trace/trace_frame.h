/* The tracer's frames: how a call ends. In a header, as it is part of each
 * return. */
#ifndef PN_TRACE_TRACE_FRAME_H
#define PN_TRACE_TRACE_FRAME_H

#include "runtime/trace/trace_state.h"

#define PN_TRACE_ALWAYS inline __attribute__((always_inline))

static inline struct pn_runtime_frame *pn_trace_frame_at(uint64_t address)
{
	return (struct pn_runtime_frame *)(uintptr_t)address;
}

static inline struct pn_runtime_edge *pn_trace_edge_at(uint64_t address)
{
	return (struct pn_runtime_edge *)(uintptr_t)address;
}

static inline struct pn_runtime_node *pn_trace_node_at(uint64_t address)
{
	return (struct pn_runtime_node *)(uintptr_t)address;
}

static PN_TRACE_ALWAYS void pn_trace_add_total(uint64_t *primitive,
					       int64_t *total, uint64_t *nested,
					       int64_t elapsed, uint64_t below)
{
	++*primitive;
	*total += elapsed;
	*nested += below;
}

/* The last call ends. What it took is taken off the one that made it. */
static PN_TRACE_ALWAYS void pn_trace_close_frame(struct pn_trace_thread *t,
						 struct pn_runtime_frame *f,
						 int64_t now, bool flat)
{
	struct pn_runtime_frame *up = pn_trace_frame_at(f->up);
	struct pn_runtime_edge *e = pn_trace_edge_at(f->edge), *above;
	struct pn_runtime_node *n;
	int64_t elapsed = now - f->start;
	uint64_t below, size = f->size;

	t->shared.top = (uintptr_t)up;
	t->shared.last = now;
	above = pn_trace_edge_at(up->edge);
	above->self -= elapsed;
	above->direct++;
	e->self += elapsed;
	e->calls++;
	if (flat)
		return;
	below = t->shared.ended++ - f->before;
	n = pn_trace_node_at(e->node);
	if (!--e->active)
		pn_trace_add_total(&e->primitive, &e->total, &e->nested,
				   elapsed, below);
	if (!--n->active)
		pn_trace_add_total(&n->primitive, &n->total, &n->nested,
				   elapsed, below);
	if (__builtin_expect(size != 0, 0))
		pn_trace_end_size(size, elapsed, below);
}

/* The last call ends; it was left without an exit. */
void pn_trace_close_unwound(struct pn_trace_thread *thread, int64_t now);

#endif
