/* Events grow at their end; threads and processes are few. */
#include "model/timeline/events.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pn_events_add(struct pn_profile *p, const struct pn_event *event)
{
	struct pn_events *e = &p->events;

	e->items = pn_grow(e->items, &e->cap, e->count + 1, sizeof(*e->items));
	e->items[e->count++] = *event;
}

uint32_t pn_events_add_process(struct pn_profile *p, uint32_t id, uint32_t name)
{
	struct pn_events *e = &p->events;

	e->processes = pn_grow(e->processes, &e->process_cap,
			       e->process_count + 1, sizeof(*e->processes));
	e->processes[e->process_count].id = id;
	e->processes[e->process_count].name = name;
	return (uint32_t)e->process_count++;
}

uint32_t pn_events_add_thread(struct pn_profile *p, uint32_t process,
			      uint32_t id, uint32_t name)
{
	struct pn_events *e = &p->events;

	e->threads = pn_grow(e->threads, &e->thread_cap, e->thread_count + 1,
			     sizeof(*e->threads));
	e->threads[e->thread_count].process = process;
	e->threads[e->thread_count].id = id;
	e->threads[e->thread_count].name = name;
	e->threads[e->thread_count].cost = 0;
	return (uint32_t)e->thread_count++;
}

bool pn_events_ns(int64_t *out, double time, double unit_ns)
{
	double ns = time * unit_ns;

	if (!(fabs(ns) < 9e18))
		return false;
	*out = llround(ns);
	return true;
}

void pn_events_keep(struct pn_profile *p, const unsigned char *stays)
{
	struct pn_events *e = &p->events;
	size_t i, to = 0;

	for (i = 0; stays && i < e->count; i++)
		if (stays[e->items[i].stack])
			e->items[to++] = e->items[i];
	e->count = to;
}

void pn_events_clear(struct pn_profile *p)
{
	free(p->events.items);
	free(p->events.threads);
	free(p->events.processes);
	memset(&p->events, 0, sizeof(p->events));
}

static int bad(struct pn_error *err, const char *what, size_t at)
{
	return pn_error_set(err, PN_EINVAL,
			    "%s %zu refers to what is not there", what, at);
}

int pn_events_check(const struct pn_profile *p, struct pn_error *err)
{
	const struct pn_events *e = &p->events;
	size_t strings = p->strings.count ? p->strings.count : 1, i;

	for (i = 0; i < e->process_count; i++)
		if (e->processes[i].id >= strings ||
		    e->processes[i].name >= strings)
			return bad(err, "process", i);
	for (i = 0; i < e->thread_count; i++)
		if (e->threads[i].id >= strings ||
		    e->threads[i].name >= strings ||
		    (e->threads[i].process != PN_NONE &&
		     e->threads[i].process >= e->process_count))
			return bad(err, "thread", i);
	for (i = 0; i < e->count; i++)
		if (e->items[i].stack >= p->stack_count ||
		    e->items[i].type >= p->type_count ||
		    (e->items[i].thread != PN_NONE &&
		     e->items[i].thread >= e->thread_count))
			return bad(err, "event", i);
	return 0;
}
