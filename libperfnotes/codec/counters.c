/* Counters of traces. */
#include "codec/counters.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "model/timeline/curves.h"

#include <math.h>
#include <stdlib.h>

struct told {
	double ms, value;
	size_t order; /* in the file */
};

struct pn_counter {
	uint32_t process, name, unit;
	struct told *told;
	size_t count, cap;
};

void pn_counters_release(struct pn_counters *c)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		free(c->items[i].told);
	free(c->items);
	pn_strtab_release(&c->keys);
}

size_t pn_counters_at(struct pn_counters *c, uint32_t process, uint32_t name,
		      uint32_t unit)
{
	const uint32_t key[] = {process, name, unit};
	size_t at = pn_strtab_add(&c->keys, key, sizeof(key)) - 1;

	if (at < c->count)
		return at;
	c->items = pn_grow(c->items, &c->cap, c->count + 1, sizeof(*c->items));
	c->items[c->count++] = (struct pn_counter){
		.process = process, .name = name, .unit = unit};
	return at;
}

void pn_counters_add(struct pn_counters *c, size_t counter, double ms,
		     double value)
{
	struct pn_counter *to = &c->items[counter];

	if (!isfinite(ms) || !isfinite(value))
		return;
	to->told =
		pn_grow(to->told, &to->cap, to->count + 1, sizeof(*to->told));
	to->told[to->count] = (struct told){ms, value, to->count};
	to->count++;
}

static int by_time(const void *a, const void *b)
{
	const struct told *l = a, *r = b;

	if (l->ms != r->ms)
		return l->ms < r->ms ? -1 : 1;
	return (l->order > r->order) - (l->order < r->order);
}

static uint32_t with_process(struct pn_profile *p, const struct pn_counter *of)
{
	struct pn_buf text = {0};
	uint32_t id;

	pn_buf_printf(&text, "%s (%s)", pn_profile_text(p, of->name),
		      pn_profile_text(p, of->process));
	id = pn_strtab_add(&p->strings, text.data, text.len);
	pn_buf_release(&text);
	return id;
}

void pn_counters_finish(struct pn_counters *c)
{
	unsigned char *seen = pn_calloc(c->p->strings.count + 1, 1);
	uint32_t along, name;
	size_t i, k;

	for (i = 0; i < c->count; i++)
		if (seen[c->items[i].name] < 2)
			seen[c->items[i].name]++;
	along = pn_strtab_add_text(&c->p->strings, "ms");
	for (i = 0; i < c->count; i++) {
		struct pn_counter *of = &c->items[i];

		name = seen[of->name] > 1 && of->process
			       ? with_process(c->p, of)
			       : of->name;
		if (!of->count)
			continue;
		qsort(of->told, of->count, sizeof(*of->told), by_time);
		pn_curves_add(c->p, name, of->unit, along);
		for (k = 0; k < of->count; k++)
			pn_curves_add_point(c->p, of->told[k].ms,
					    of->told[k].value);
	}
	free(seen);
}
