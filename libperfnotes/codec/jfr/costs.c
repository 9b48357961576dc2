/* JFR: what the events cost, by stack and labels; samples of that. */
#include "base/alloc.h"
#include "codec/call_tree.h"
#include "codec/jfr/jfr.h"
#include "codec/scan.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The period of ExecutionSample: "20 ms". */
static void take_setting(struct pn_jfr *d, const struct pn_jfr_values *v)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	uint32_t type = pn_jfr_type(&d->chunk, v->of[PN_JFR_ID]);
	struct pn_strtab *strings = &d->p->strings;
	uint32_t name, value;
	struct pn_scan s;
	double number;
	size_t i;

	if (type == PN_NONE ||
	    d->chunk.types[type].event != PN_JFR_EXECUTION_SAMPLE + 1)
		return;
	name = pn_jfr_string(d, v->of[PN_JFR_NAME]);
	if (strcmp(pn_strtab_text(strings, name), "period") != 0)
		return;
	value = pn_jfr_string(d, v->of[PN_JFR_VALUE]);
	s = pn_scan_of(pn_strtab_text(strings, value),
		       pn_strtab_len(strings, value));
	if (!pn_scan_number(&number, &s))
		return;
	pn_scan_trim(&s);
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (pn_scan_is(&s, units[i].name))
			pn_events_ns(&d->period_ns, number, units[i].ns);
}

static void take_machine(struct pn_jfr *d, const struct pn_jfr_values *v)
{
	struct pn_header *h = &d->p->header;

	if (!h->args && v->of[PN_JFR_ARGUMENTS]) {
		h->args = pn_jfr_string(d, v->of[PN_JFR_ARGUMENTS]);
		h->cmd = pn_strtab_add_text(&d->p->strings, "java");
	}
}

/* Ticks of the chunk's clock; false where that is beyond 64 bits. */
static bool ticks_ns(int64_t *out, const struct pn_jfr_chunk *c, int64_t ticks)
{
	int64_t per = (int64_t)c->ticks_per_second, ns;

	return !__builtin_mul_overflow(ticks / per, 1000000000, &ns) &&
	       !__builtin_add_overflow(
		       ns,
		       (int64_t)((double)(ticks % per) * (1e9 / (double)per)),
		       out);
}

static bool time_of(int64_t *out, const struct pn_jfr_chunk *c, uint64_t ticks)
{
	int64_t ns;

	return ticks_ns(&ns, c, (int64_t)(ticks - c->start_ticks)) &&
	       !__builtin_add_overflow(ns, (int64_t)c->start_ns, out);
}

static bool value_of(int64_t *out, const struct pn_jfr *d,
		     const struct pn_jfr_row *row,
		     const struct pn_jfr_values *v)
{
	uint64_t value = v->of[row->member];

	*out = 0;
	if (!row->value)
		return true;
	if (value > INT64_MAX)
		return false;
	*out = (int64_t)value;
	return !row->is_time || v->nanoseconds & 1u << row->member ||
	       ticks_ns(out, &d->chunk, *out);
}

/* The labels "thread" and "class". A set's number is the id of its pair in
 * d->sets, where 0 is "", the set without labels. */
static uint32_t label_set(struct pn_jfr *d, uint32_t thread, uint32_t class)
{
	const uint32_t pair[2] = {thread, class};
	struct pn_label labels[2];
	size_t had, n = 0;
	uint32_t set;

	if (!thread && !class)
		return 0;
	if (!d->sets.count)
		pn_strtab_add(&d->sets, "", 0);
	had = d->sets.count;
	set = pn_strtab_add(&d->sets, pair, sizeof(pair));
	if (d->sets.count == had)
		return set;
	memset(labels, 0, sizeof(labels));
	if (class) {
		labels[n].key = pn_strtab_add_text(&d->p->strings, "class");
		labels[n++].value.s = class;
	}
	if (thread) {
		labels[n].key = pn_strtab_add_text(&d->p->strings, "thread");
		labels[n++].value.s = thread;
	}
	return pn_profile_add_label_set(d->p, labels, n);
}

static struct pn_jfr_cost *cost_of(struct pn_jfr *d, uint32_t stack,
				   uint32_t labels, uint32_t event)
{
	const uint64_t key[2] = {(uint64_t)stack << 32 | labels, event};
	uint32_t hash = pn_slots_hash(&d->cost_slots, key, 2), row;
	struct pn_jfr_cost *c;
	size_t at;

	for (at = pn_slots_first(&d->cost_slots, hash);
	     pn_slots_row(&row, &d->cost_slots, &at, hash);) {
		c = &d->costs[row];
		if (c->stack == stack && c->labels == labels &&
		    c->event == event)
			return c;
	}
	d->costs = pn_grow(d->costs, &d->cost_cap, d->cost_count + 1,
			   sizeof(*d->costs));
	c = &d->costs[d->cost_count];
	*c = (struct pn_jfr_cost){stack, labels, event, 0, 0};
	pn_slots_add(&d->cost_slots, hash, (uint32_t)d->cost_count++);
	return c;
}

static int too_much(struct pn_jfr *d, const struct pn_jfr_row *row,
		    struct pn_error *err)
{
	return pn_error_set(err, PN_ERANGE,
			    "byte %" PRIu64 ": values of %s beyond 63 bits",
			    d->chunk.offset, row->event);
}

static int take_cost(struct pn_jfr *d, uint32_t event,
		     const struct pn_jfr_values *v, struct pn_error *err)
{
	const struct pn_jfr_row *row = &pn_jfr_rows[event];
	struct pn_event e = {.type = event};
	struct pn_jfr_cost *cost;
	uint32_t name, class;
	int64_t value;
	int code = pn_jfr_stack(&e.stack, d, v->of[PN_JFR_STACK], err);

	if (code)
		return code;
	if (!value_of(&value, d, row, v))
		return too_much(d, row, err);
	e.thread = pn_jfr_thread(&name, d, v->of[PN_JFR_THREAD]);
	class = pn_jfr_class(d, v->of[PN_JFR_CLASS]);
	cost = cost_of(d, e.stack, label_set(d, name, class), event);
	cost->count++;
	if (__builtin_add_overflow(cost->value, value, &cost->value))
		return too_much(d, row, err);
	d->seen |= UINT64_C(1) << event;
	if (row->member == PN_JFR_DURATION && row->value)
		e.duration_ns = value;
	if (time_of(&e.time_ns, &d->chunk, v->of[PN_JFR_START_TIME]))
		pn_events_add(d->p, &e);
	return 0;
}

int pn_jfr_take_event(struct pn_jfr *d, const struct pn_jfr_type *type,
		      struct pn_jfr_bytes bytes, struct pn_error *err)
{
	uint64_t at = d->chunk.offset + (size_t)(bytes.at - d->chunk.bytes);
	struct pn_jfr_values v;

	pn_jfr_take(&v, &bytes, &d->chunk, type);
	if (bytes.bad)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64
				    ": an event is shorter than "
				    "the metadata has it",
				    at);
	if (type->event == PN_JFR_SETTING + 1)
		take_setting(d, &v);
	else if (type->event == PN_JFR_MACHINE + 1)
		take_machine(d, &v);
	else
		return take_cost(d, type->event - 1u, &v, err);
	return 0;
}

/* The columns of each row, and which of them events count in. */
struct columns {
	uint32_t count[PN_JFR_ROWS], value[PN_JFR_ROWS], event[PN_JFR_ROWS];
};

static uint32_t add_type(struct pn_profile *p, const char *name,
			 const char *unit, enum pn_role role)
{
	uint32_t at;

	if (!name)
		return PN_NONE;
	at = pn_profile_add_type(p, name, unit);
	p->types[at].role = (uint8_t)role;
	p->types[at].better = PN_BETTER_LESS;
	return at;
}

static void add_types(struct columns *out, struct pn_jfr *d)
{
	struct pn_profile *p = d->p;
	size_t i;

	for (i = 0; i < PN_JFR_ROWS; i++) {
		if (!(d->seen & UINT64_C(1) << i))
			continue;
		out->count[i] = add_type(p, pn_jfr_rows[i].count, "count",
					 pn_jfr_rows[i].role);
		out->value[i] =
			add_type(p, pn_jfr_rows[i].value, pn_jfr_rows[i].unit,
				 pn_jfr_rows[i].role);
		out->event[i] = out->count[i] != PN_NONE ? out->count[i]
							 : out->value[i];
		if (!p->default_type)
			p->default_type = p->types[out->value[i] != PN_NONE
							   ? out->value[i]
							   : out->count[i]]
						  .type;
	}
}

/* The sample of a cost, added when new. */
static size_t sample_of(struct pn_slots *slots, struct pn_profile *p,
			const struct pn_jfr_cost *c, const union pn_value *none)
{
	const uint64_t key = (uint64_t)c->stack << 32 | c->labels;
	uint32_t hash = pn_slots_hash(slots, &key, 1), row;
	size_t at;

	for (at = pn_slots_first(slots, hash);
	     pn_slots_row(&row, slots, &at, hash);)
		if (p->samples[row].stack == c->stack &&
		    p->samples[row].labels == c->labels)
			return row;
	at = pn_profile_add_sample(p, c->stack, c->labels, none);
	pn_slots_add(slots, hash, (uint32_t)at);
	return at;
}

static int add_samples(struct pn_jfr *d, const struct columns *columns,
		       struct pn_error *err)
{
	struct pn_profile *p = d->p;
	union pn_value *none = pn_calloc(p->type_count, sizeof(*none));
	struct pn_slots slots = {0};
	uint64_t walk = 0;
	size_t i;

	for (i = 0; i < d->cost_count && walk <= PN_CALL_TREE_WALK; i++) {
		const struct pn_jfr_cost *c = &d->costs[i];
		size_t at = sample_of(&slots, p, c, none) * p->type_count;

		walk += p->stack_start[c->stack + 1] - p->stack_start[c->stack];
		if (columns->count[c->event] != PN_NONE)
			p->values[at + columns->count[c->event]].i = c->count;
		if (columns->value[c->event] != PN_NONE)
			p->values[at + columns->value[c->event]].i = c->value;
	}
	free(none);
	pn_slots_release(&slots);
	if (walk > PN_CALL_TREE_WALK)
		return pn_error_set(err, PN_ELIMIT,
				    "samples of more than %" PRIu64
				    " frames in all",
				    PN_CALL_TREE_WALK);
	return 0;
}

int pn_jfr_build(struct pn_jfr *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	struct columns columns;
	size_t i;

	if (!d->cost_count)
		return pn_error_set(err, PN_EINVAL,
				    "no event of what is read: samples, "
				    "allocations, locks; 'git perf formats "
				    "jfr' says how to record them");
	add_types(&columns, d);
	for (i = 0; i < p->events.count; i++)
		p->events.items[i].type =
			columns.event[p->events.items[i].type];
	if (d->period_ns && d->seen & 1u << PN_JFR_EXECUTION_SAMPLE) {
		p->period_type.type = pn_strtab_add_text(&p->strings, "time");
		p->period_type.unit =
			pn_strtab_add_text(&p->strings, "nanoseconds");
		p->period = d->period_ns;
	}
	return add_samples(d, &columns, err);
}
