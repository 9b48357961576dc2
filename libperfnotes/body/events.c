/* Events, threads, processes and ticks as columns, and back: row by row, as
 * they stand. */
#include "base/alloc.h"
#include "body/build.h"
#include "body/gather.h"

#include <string.h>

static uint64_t one_more(uint32_t index)
{
	return index == PN_NONE ? 0 : (uint64_t)index + 1;
}

static uint32_t one_less(uint64_t word)
{
	return word ? (uint32_t)(word - 1) : PN_NONE;
}

void pn_body_gather_events(struct pn_body_gather *g)
{
	const struct pn_events *e = &g->p->events;
	uint64_t **c = g->d.columns;
	size_t i;

	pn_body_draft_resize(&g->d, PN_BODY_EVENTS, e->count);
	pn_body_draft_resize(&g->d, PN_BODY_THREADS, e->thread_count);
	pn_body_draft_resize(&g->d, PN_BODY_PROCESSES, e->process_count);
	for (i = 0; i < e->count; i++) {
		const struct pn_event *event = &e->items[i];

		c[PN_BODY_EVENT_TIME][i] = (uint64_t)event->time_ns;
		c[PN_BODY_EVENT_DURATION][i] = (uint64_t)event->duration_ns;
		c[PN_BODY_EVENT_STACK][i] = g->stacks[event->stack];
		c[PN_BODY_EVENT_THREAD][i] = one_more(event->thread);
		c[PN_BODY_EVENT_TYPE][i] = event->type;
	}
	for (i = 0; i < e->thread_count; i++) {
		const struct pn_thread *t = &e->threads[i];

		c[PN_BODY_THREAD_PROCESS][i] = one_more(t->process);
		c[PN_BODY_THREAD_ID][i] = pn_body_gather_string(g, t->id);
		c[PN_BODY_THREAD_NAME][i] = pn_body_gather_string(g, t->name);
		memcpy(&c[PN_BODY_THREAD_COST][i], &t->cost, sizeof(t->cost));
	}
	for (i = 0; i < e->process_count; i++) {
		c[PN_BODY_PROCESS_ID][i] =
			pn_body_gather_string(g, e->processes[i].id);
		c[PN_BODY_PROCESS_NAME][i] =
			pn_body_gather_string(g, e->processes[i].name);
	}
}

static void build_threads(struct pn_body_build *b)
{
	struct pn_events *e = &b->p->events;
	size_t i, n = pn_body_rows(b->s, PN_BODY_THREADS);

	e->threads = pn_grow(NULL, &e->thread_cap, n, sizeof(*e->threads));
	for (i = 0; i < n; i++) {
		struct pn_thread *t = &e->threads[e->thread_count++];
		uint64_t cost = pn_body_at(b->s, PN_BODY_THREAD_COST, i);

		t->process =
			one_less(pn_body_at(b->s, PN_BODY_THREAD_PROCESS, i));
		t->id = pn_body_build_string(b, PN_BODY_THREAD_ID, i);
		t->name = pn_body_build_string(b, PN_BODY_THREAD_NAME, i);
		memcpy(&t->cost, &cost, sizeof(cost));
	}
	n = pn_body_rows(b->s, PN_BODY_PROCESSES);
	e->processes = pn_grow(NULL, &e->process_cap, n, sizeof(*e->processes));
	for (i = 0; i < n; i++) {
		struct pn_thread_group *p = &e->processes[e->process_count++];

		p->id = pn_body_build_string(b, PN_BODY_PROCESS_ID, i);
		p->name = pn_body_build_string(b, PN_BODY_PROCESS_NAME, i);
	}
}

void pn_body_build_events(struct pn_body_build *b)
{
	struct pn_events *e = &b->p->events;
	size_t i, n = pn_body_rows(b->s, PN_BODY_EVENTS);

	build_threads(b);
	e->items = pn_grow(NULL, &e->cap, n, sizeof(*e->items));
	for (i = 0; i < n; i++) {
		struct pn_event *event = &e->items[e->count++];
		uint64_t stack = pn_body_at(b->s, PN_BODY_EVENT_STACK, i);

		event->time_ns =
			(int64_t)pn_body_at(b->s, PN_BODY_EVENT_TIME, i);
		event->duration_ns =
			(int64_t)pn_body_at(b->s, PN_BODY_EVENT_DURATION, i);
		event->stack = pn_body_build_stack(b, stack);
		event->thread =
			one_less(pn_body_at(b->s, PN_BODY_EVENT_THREAD, i));
		event->type = (uint32_t)pn_body_at(b->s, PN_BODY_EVENT_TYPE, i);
	}
}

void pn_body_gather_ticks(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	uint64_t **c = g->d.columns;
	size_t i;

	pn_body_draft_resize(&g->d, PN_BODY_TICKS, p->tick_count);
	for (i = 0; i < p->tick_count; i++) {
		c[PN_BODY_TICK_STACK][i] = g->stacks[p->ticks[i].stack];
		c[PN_BODY_TICK_LINE][i] = (uint64_t)p->ticks[i].line;
		c[PN_BODY_TICK_COUNT][i] = (uint64_t)p->ticks[i].count;
	}
}

void pn_body_build_ticks(struct pn_body_build *b)
{
	struct pn_profile *p = b->p;
	size_t i, n = pn_body_rows(b->s, PN_BODY_TICKS);

	p->ticks = pn_grow(NULL, &p->tick_cap, n, sizeof(*p->ticks));
	for (i = 0; i < n; i++) {
		uint64_t stack = pn_body_at(b->s, PN_BODY_TICK_STACK, i);
		struct pn_tick *tick = &p->ticks[p->tick_count++];

		tick->stack = pn_body_build_stack(b, stack);
		tick->line = (int64_t)pn_body_at(b->s, PN_BODY_TICK_LINE, i);
		tick->count = (int64_t)pn_body_at(b->s, PN_BODY_TICK_COUNT, i);
	}
}
