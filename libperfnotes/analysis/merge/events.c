/* Merging profiles: events are of one run, and never put side by side. */
#include "model/timeline/events.h"
#include "analysis/merge/state.h"

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

void pn_merge_events(struct pn_merge *m)
{
	const struct pn_events *in = &m->in->events;
	bool alone = !m->has_events && !m->change.negate && !m->change.base;
	size_t i;

	if (!in->count && !in->thread_count)
		return;
	if (!alone)
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
