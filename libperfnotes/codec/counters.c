/* Counters of traces. */
#include "codec/counters.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "model/timeline/curves.h"

#include <math.h>
#include <stdlib.h>

/* Beyond that sums and differences may be no double any more. */
#define VALUE_MAX 1e300

struct pn_told {
	double ms, value;
	uint32_t counter, order; /* in the file */
};

/* Names of counters, as they are made. */
struct naming {
	struct pn_counters *of;
	struct pn_buf text;	/* of the name that is made */
	struct pn_strtab names; /* without processes; ids as strings have */
	uint32_t *ids;		/* by counter: of `names` */
	uint32_t *process;	/* by id: of the first one */
	bool *several;		/* by id: others have others */
	struct pn_strtab taken;
};

void pn_counters_release(struct pn_counters *c)
{
	free(c->items);
	free(c->told);
	pn_strtab_release(&c->keys);
}

bool pn_counters_full(const struct pn_counters *c)
{
	return c->count >= PN_COUNTERS_MAX;
}

uint32_t pn_counters_at(struct pn_counters *c, const struct pn_counter *of)
{
	const uint32_t key[] = {of->process, of->name, of->unit, of->series};
	uint32_t id;

	if (pn_strtab_find(&id, &c->keys, key, sizeof(key)))
		return id - 1;
	if (pn_counters_full(c))
		return PN_COUNTERS_NONE;
	c->items = pn_grow(c->items, &c->cap, c->count + 1, sizeof(*c->items));
	c->items[c->count++] = *of;
	return pn_strtab_add(&c->keys, key, sizeof(key)) - 1;
}

void pn_counters_add(struct pn_counters *c, uint32_t counter, double ms,
		     double value)
{
	if (counter >= c->count || c->told_count >= UINT32_MAX ||
	    !(fabs(ms) <= VALUE_MAX) || !(fabs(value) <= VALUE_MAX))
		return;
	c->told = pn_grow(c->told, &c->told_cap, c->told_count + 1,
			  sizeof(*c->told));
	c->told[c->told_count] =
		(struct pn_told){ms, value, counter, (uint32_t)c->told_count};
	c->told_count++;
}

static int by_time(const void *a, const void *b)
{
	const struct pn_told *l = a, *r = b;

	if (l->counter != r->counter)
		return l->counter < r->counter ? -1 : 1;
	if (l->ms != r->ms)
		return l->ms < r->ms ? -1 : 1;
	return (l->order > r->order) - (l->order < r->order);
}

/* Whether the counters of a name have several series, by string. */
static bool *find_series(const struct pn_counters *c)
{
	size_t strings = c->p->strings.count + 1, i;
	uint32_t *first = pn_calloc(strings, sizeof(*first));
	bool *several = pn_calloc(strings, sizeof(*several));

	for (i = 0; i < c->count; i++) {
		const struct pn_counter *of = &c->items[i];

		/* no string is the last number */
		if (!first[of->name])
			first[of->name] = of->series + 1;
		several[of->name] |= first[of->name] != of->series + 1;
	}
	free(first);
	return several;
}

/* "<name>" and, unless it says no more, " <series>", of each. */
static void begin_names(struct naming *n)
{
	struct pn_counters *c = n->of;
	bool *several = find_series(c);
	size_t i;

	pn_strtab_add(&n->names, "", 0);
	for (i = 0; i < c->count; i++) {
		const struct pn_counter *of = &c->items[i];
		uint32_t id;

		pn_buf_clear(&n->text);
		pn_buf_add_text(&n->text, pn_profile_text(c->p, of->name));
		if (of->series && (several[of->name] || !of->plain))
			pn_buf_printf(&n->text, " %s",
				      pn_profile_text(c->p, of->series));
		id = pn_strtab_add(&n->names, n->text.data, n->text.len);
		n->ids[i] = id;
		if (!n->process[id])
			n->process[id] = of->process + 1;
		n->several[id] |= n->process[id] != of->process + 1;
	}
	free(several);
}

static bool is_taken(const struct naming *n)
{
	uint32_t id;

	return pn_strtab_find(&id, &n->taken, n->text.data, n->text.len);
}

/* The name of counter i, which no other one has: with its process where others
 * have others; else with its unit, or a number. */
static uint32_t name_of(struct naming *n, size_t i)
{
	const struct pn_counters *c = n->of;
	const struct pn_counter *of = &c->items[i];
	uint32_t id = n->ids[i];
	size_t len, number;

	pn_buf_clear(&n->text);
	pn_buf_add(&n->text, pn_strtab_text(&n->names, id),
		   pn_strtab_len(&n->names, id));
	if (n->several[id] && of->process)
		pn_buf_printf(&n->text, " (%s)",
			      pn_profile_text(c->p, of->process));
	if (of->unit && is_taken(n))
		pn_buf_printf(&n->text, " [%s]",
			      pn_profile_text(c->p, of->unit));
	len = n->text.len;
	for (number = 2; is_taken(n); number++) {
		n->text.len = len;
		pn_buf_printf(&n->text, " #%zu", number);
	}
	pn_strtab_add(&n->taken, n->text.data, n->text.len);
	return pn_strtab_add(&c->p->strings, n->text.data, n->text.len);
}

static void add_curves(struct naming *n)
{
	struct pn_counters *c = n->of;
	uint32_t along = pn_strtab_add_text(&c->p->strings, "ms");
	size_t i;

	for (i = 0; i < c->told_count; i++) {
		const struct pn_told *t = &c->told[i];

		if (!i || t[-1].counter != t->counter)
			pn_curves_add(c->p, name_of(n, t->counter),
				      c->items[t->counter].unit, along);
		pn_curves_add_point(c->p, t->ms, t->value);
	}
}

void pn_counters_finish(struct pn_counters *c)
{
	struct naming n = {.of = c};

	if (!c->told_count)
		return;
	qsort(c->told, c->told_count, sizeof(*c->told), by_time);
	n.ids = pn_calloc(c->count, sizeof(*n.ids));
	n.process = pn_calloc(c->count + 1, sizeof(*n.process));
	n.several = pn_calloc(c->count + 1, sizeof(*n.several));
	begin_names(&n);
	add_curves(&n);
	pn_buf_release(&n.text);
	pn_strtab_release(&n.names);
	pn_strtab_release(&n.taken);
	free(n.ids);
	free(n.process);
	free(n.several);
}
