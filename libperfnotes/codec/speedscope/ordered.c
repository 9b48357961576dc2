/*
 * Writing speedscope's format: samples in their order where their times are
 * known, a profile a thread, as its view "Time Order" shows them. What a stack
 * cost is divided among its samples: as long as each took where that adds up to
 * it, else evenly. What has no time stands behind them.
 */
#include "codec/speedscope/ordered.h"

#include "base/alloc.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct stack {
	union pn_value value;	       /* of all its samples */
	double duration_ns, passed_ns; /* of all, of those before */
	uint64_t events, written;
	int64_t given; /* of an integer value */
};

static void add_values(struct stack *stacks, const struct pn_profile *p,
		       size_t type)
{
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		union pn_value v = p->values[i * p->type_count + type];
		struct stack *s = &stacks[p->samples[i].stack];

		if (p->types[type].number == PN_NUMBER_DOUBLE)
			s->value.d += v.d;
		else if (__builtin_add_overflow(s->value.i, v.i, &s->value.i))
			s->value.i = v.i < 0 ? INT64_MIN : INT64_MAX;
	}
}

static double number_of(const struct pn_profile *p, size_t type,
			const struct stack *s)
{
	return p->types[type].number == PN_NUMBER_DOUBLE ? s->value.d
							 : (double)s->value.i;
}

/* The unit in ns; 0: it is no time. */
static double unit_ns(const struct pn_profile *p, size_t type)
{
	const char *unit = pn_profile_text(p, p->types[type].unit);
	const char *to;

	return pn_unit_comparable(unit, "ns")
		       ? pn_unit_scale(&to, 1, unit, "ns")
		       : 0;
}

/* How much of an integer has been given once `share` of it has: rounded as a
 * whole, so that no two parts round alike; never past it. */
static int64_t given_by(int64_t whole, double share)
{
	double given = round((double)whole * share);
	int64_t least = whole < 0 ? whole : 0, most = whole < 0 ? 0 : whole;

	if (given >= (double)most)
		return most;
	return given <= (double)least ? least : (int64_t)given;
}

/* The next part of what the stack cost; all parts make the whole. */
static union pn_value next_part(const struct pn_profile *p, size_t type,
				struct stack *s, int64_t duration_ns, double ns)
{
	double whole = number_of(p, type, s);
	bool timed = ns > 0 && s->duration_ns > 0 &&
		     fabs(s->duration_ns - whole * ns) <= 1e-6 * s->duration_ns;
	bool last = ++s->written == s->events;
	union pn_value part;
	int64_t given;

	s->passed_ns += (double)duration_ns;
	if (p->types[type].number == PN_NUMBER_DOUBLE) {
		part.d = timed ? (double)duration_ns / ns
			       : whole / (double)s->events;
		return part;
	}
	given = given_by(s->value.i,
			 timed ? s->passed_ns / s->duration_ns
			       : (double)s->written / (double)s->events);
	if (last)
		given = s->value.i;
	part.i = (int64_t)((uint64_t)given - (uint64_t)s->given);
	s->given = given;
	return part;
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
			size_t type, struct stack *stacks)
{
	const struct pn_events *events = &p->events;
	double ns = unit_ns(p, type);
	size_t i;

	for (i = 0; i < events->count; i++) {
		const struct pn_event *e = &events->items[i];
		struct stack *s = &stacks[e->stack];

		if (e->type != type || number_of(p, type, s) == 0)
			continue;
		out->items[out->count] = (struct pn_ordered_sample){
			.stack = e->stack,
			.thread = e->thread,
			.time_ns = e->time_ns,
			.at = out->count,
			.value = next_part(p, type, s, e->duration_ns, ns),
		};
		out->count++;
	}
}

/* Stacks whose samples have no times. */
static void take_rest(struct pn_ordered *out, const struct pn_profile *p,
		      size_t type, const struct stack *stacks)
{
	size_t i;

	for (i = 0; i < p->stack_count; i++) {
		if (stacks[i].events || number_of(p, type, &stacks[i]) == 0)
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
	struct stack *stacks;
	size_t i, timed = 0;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < p->events.count; i++)
		timed += p->events.items[i].type == type;
	if (!timed)
		return false;
	stacks = pn_calloc(p->stack_count + 1, sizeof(*stacks));
	add_values(stacks, p, type);
	for (i = 0; i < p->events.count; i++)
		if (p->events.items[i].type == type) {
			const struct pn_event *e = &p->events.items[i];

			stacks[e->stack].events++;
			stacks[e->stack].duration_ns += (double)e->duration_ns;
		}
	out->items = pn_calloc(timed + p->stack_count + 1, sizeof(*out->items));
	take_events(out, p, type, stacks);
	take_rest(out, p, type, stacks);
	qsort(out->items, out->count, sizeof(*out->items), in_order);
	free(stacks);
	return true;
}

void pn_ordered_release(struct pn_ordered *ordered)
{
	free(ordered->items);
	memset(ordered, 0, sizeof(*ordered));
}
