/* Merging profiles: events are of one run, and never put side by side. */
#include "model/timeline/events.h"
#include "analysis/merge/state.h"
#include "model/timeline/ticks.h"

#include <string.h>

#define THREADS_MAX 4096 /* each is looked for among the others */

/* The column of `out` that is the column of `in`: each is one. */
static uint32_t column_of(const struct pn_merge *m, uint32_t type)
{
	uint32_t i = 0;

	while (i + 1 < m->out.type_count && m->column[i] != type)
		i++;
	return i;
}

/* Costs of threads are values of the default column. */
static double factor_of_threads(const struct pn_merge *m)
{
	size_t type = pn_profile_default_type(m->in);

	return m->in->type_count ? m->factor[column_of(m, (uint32_t)type)] : 1;
}

static void copy_threads(struct pn_merge *m)
{
	const struct pn_events *in = &m->in->events;
	double factor = factor_of_threads(m);
	size_t i;

	for (i = 0; i < in->process_count; i++)
		pn_events_add_process(
			&m->out, pn_merge_string(m, in->processes[i].id),
			pn_merge_string(m, in->processes[i].name));
	for (i = 0; i < in->thread_count; i++) {
		pn_events_add_thread(&m->out, in->threads[i].process,
				     pn_merge_string(m, in->threads[i].id),
				     pn_merge_string(m, in->threads[i].name));
		m->out.events.threads[i].cost = in->threads[i].cost * factor;
	}
}

static const char *process_of(const struct pn_profile *p, size_t thread)
{
	uint32_t process = p->events.threads[thread].process;

	return process == PN_NONE
		       ? ""
		       : pn_profile_text(p, p->events.processes[process].id);
}

static bool has_thread(const struct pn_profile *p, const char *id)
{
	size_t i;

	for (i = 0; i < p->events.thread_count; i++)
		if (!strcmp(pn_profile_text(p, p->events.threads[i].id), id))
			return true;
	return false;
}

bool pn_merge_is_thread(const struct pn_merge *m)
{
	const struct pn_profile *a = &m->out, *b = m->in;
	size_t i;

	if (!a->events.thread_count || !b->events.thread_count ||
	    a->events.thread_count > THREADS_MAX ||
	    b->events.thread_count > THREADS_MAX || a->events.count ||
	    b->events.count || !*process_of(a, 0) || pn_profile_runs(a) > 1 ||
	    pn_profile_runs(b) > 1 ||
	    strcmp(pn_profile_text(a, a->header.cmd),
		   pn_profile_text(b, b->header.cmd)) != 0)
		return false;
	for (i = 0; i < a->events.thread_count; i++)
		if (strcmp(process_of(a, i), process_of(b, 0)) != 0)
			return false;
	for (i = 0; i < b->events.thread_count; i++)
		if (strcmp(process_of(b, i), process_of(a, 0)) != 0 ||
		    has_thread(a, pn_profile_text(b, b->events.threads[i].id)))
			return false;
	return true;
}

/* Those of one process, behind the ones before. */
static void join_threads(struct pn_merge *m)
{
	const struct pn_events *in = &m->in->events;
	double factor = factor_of_threads(m);
	uint32_t at;
	size_t i;

	for (i = 0; i < in->thread_count; i++) {
		at = pn_events_add_thread(
			&m->out, 0, pn_merge_string(m, in->threads[i].id),
			pn_merge_string(m, in->threads[i].name));
		m->out.events.threads[at].cost = in->threads[i].cost * factor;
	}
}

/* They add up. Of what is taken off nobody knows in which lines it was. */
void pn_merge_ticks(struct pn_merge *m)
{
	const struct pn_tick *ticks = m->in->ticks;
	size_t i;

	if (m->change.negate || m->change.base)
		pn_ticks_clear(&m->out);
	else
		for (i = 0; i < m->in->tick_count; i++)
			pn_ticks_add(&m->out, pn_merge_stack(m, ticks[i].stack),
				     ticks[i].line, ticks[i].count);
}

void pn_merge_events(struct pn_merge *m)
{
	const struct pn_events *in = &m->in->events;
	bool alone = !m->has_events && !m->change.negate && !m->change.base;
	size_t i;

	if (!in->count && !in->thread_count)
		return;
	if (m->joins_threads)
		join_threads(m);
	else if (!alone)
		pn_events_clear(&m->out);
	else
		copy_threads(m);
	for (i = 0; alone && i < in->count; i++) {
		struct pn_event event = in->items[i];

		event.type = column_of(m, event.type);
		event.stack = pn_merge_stack(m, event.stack);
		pn_events_add(&m->out, &event);
	}
	m->has_events = true;
}
