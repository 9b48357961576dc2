/*
 * Writing speedscope's format: samples in their order where their times are
 * known, a profile a thread, as its view "Time Order" shows them. What a stack
 * cost is divided among its samples: as long as each took where that adds up to
 * it, else evenly. What has no time stands behind them.
 */
#include "codec/speedscope/ordered.h"

#include "base/alloc.h"
#include "model/timeline/shares.h"

#include <stdlib.h>
#include <string.h>

static void add_values(struct pn_share *stacks, const struct pn_profile *p,
		       size_t type)
{
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		union pn_value v = p->values[i * p->type_count + type];
		struct pn_share *s = &stacks[p->samples[i].stack];

		if (p->types[type].number == PN_NUMBER_DOUBLE)
			s->value.d += v.d;
		else if (__builtin_add_overflow(s->value.i, v.i, &s->value.i))
			s->value.i = v.i < 0 ? INT64_MIN : INT64_MAX;
	}
}

static int in_order(const void *a, const void *b)
{
	const struct pn_ordered_sample *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void take_events(struct pn_ordered *out, const struct pn_profile *p,
			size_t type, struct pn_share *stacks)
{
	const struct pn_events *events = &p->events;
	size_t i;

	for (i = 0; i < events->count; i++) {
		const struct pn_event *e = &events->items[i];
		struct pn_share *s = &stacks[e->stack];

		if (e->type != type || pn_share_number(s) == 0)
			continue;
		out->items[out->count] = (struct pn_ordered_sample){
			.stack = e->stack,
			.thread = e->thread,
			.time_ns = e->time_ns,
			.at = out->count,
			.value = pn_share_next(s, e->duration_ns),
		};
		out->count++;
	}
}

/* Stacks whose samples have no times. */
static void take_rest(struct pn_ordered *out, const struct pn_profile *p,
		      const struct pn_share *stacks)
{
	size_t i;

	for (i = 0; i < p->stack_count; i++) {
		if (stacks[i].events || pn_share_number(&stacks[i]) == 0)
			continue;
		out->items[out->count] = (struct pn_ordered_sample){
			.stack = (uint32_t)i,
			.thread = PN_NONE,
			.time_ns = INT64_MAX,
			.at = out->count,
			.value = stacks[i].value,
		};
		out->count++;
	}
}

bool pn_ordered_of(struct pn_ordered *out, const struct pn_profile *p,
		   size_t type)
{
	const bool real = p->types[type].number == PN_NUMBER_DOUBLE;
	const double unit_ns = pn_share_unit_ns(p, type);
	struct pn_share *stacks;
	size_t i, timed = 0;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < p->events.count; i++)
		timed += p->events.items[i].type == type;
	if (!timed)
		return false;
	stacks = pn_calloc(p->stack_count + 1, sizeof(*stacks));
	for (i = 0; i < p->stack_count; i++) {
		stacks[i].real = real;
		stacks[i].unit_ns = unit_ns;
	}
	add_values(stacks, p, type);
	for (i = 0; i < p->events.count; i++)
		if (p->events.items[i].type == type) {
			const struct pn_event *e = &p->events.items[i];

			stacks[e->stack].events++;
			stacks[e->stack].duration_ns += (double)e->duration_ns;
		}
	out->items = pn_calloc(timed + p->stack_count + 1, sizeof(*out->items));
	take_events(out, p, type, stacks);
	take_rest(out, p, stacks);
	qsort(out->items, out->count, sizeof(*out->items), in_order);
	free(stacks);
	return true;
}

void pn_ordered_release(struct pn_ordered *ordered)
{
	free(ordered->items);
	memset(ordered, 0, sizeof(*ordered));
}
