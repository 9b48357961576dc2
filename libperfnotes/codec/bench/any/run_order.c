/* Values by runs. */
#include "codec/bench/any/run_order.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

struct pn_run_value {
	uint32_t metric, run;
	double number; /* of the run, where it is one */
	bool is_number;
	size_t at;    /* among those of the metric */
	double value; /* once it is put in order */
};

void pn_run_order_release(struct pn_run_order *o)
{
	pn_strtab_release(&o->metrics);
	pn_strtab_release(&o->runs);
	free(o->values);
}

static uint32_t metric_of(struct pn_run_order *o, const char *name,
			  const char *unit)
{
	struct pn_buf key = {0};
	uint32_t id;

	pn_buf_add(&key, name, strlen(name) + 1);
	pn_buf_add_text(&key, unit);
	id = pn_strtab_add(&o->metrics, key.data, key.len);
	pn_buf_release(&key);
	return id;
}

void pn_run_order_add(struct pn_run_order *o, const char *name,
		      const char *unit, const char *run)
{
	struct pn_run_value v = {.metric = metric_of(o, name, unit),
				 .run = pn_strtab_add_text(&o->runs, run)};

	v.is_number = pn_number_double(&v.number, run, strlen(run));
	v.at = o->count;
	o->values =
		pn_grow(o->values, &o->cap, o->count + 1, sizeof(*o->values));
	o->values[o->count++] = v;
}

static int by_run(const void *a, const void *b)
{
	const struct pn_run_value *l = a, *r = b;

	if (l->is_number != r->is_number)
		return l->is_number ? -1 : 1;
	if (l->is_number && l->number < r->number)
		return -1;
	if (l->is_number && l->number > r->number)
		return 1;
	if (!l->is_number && l->run != r->run)
		return l->run < r->run ? -1 : 1;
	return (l->at > r->at) - (l->at < r->at);
}

static int by_metric(const void *a, const void *b)
{
	const struct pn_run_value *l = a, *r = b;

	if (l->metric != r->metric)
		return l->metric < r->metric ? -1 : 1;
	return (l->at > r->at) - (l->at < r->at);
}

/* Metrics are in order of first appearance, as their ids are. */
void pn_run_order_apply(const struct pn_run_order *o, struct pn_profile *p)
{
	struct pn_run_value *values, *of;
	size_t i, k, n;

	if (!o->count)
		return;
	values = pn_calloc(o->count, sizeof(*values));
	memcpy(values, o->values, o->count * sizeof(*values));
	qsort(values, o->count, sizeof(*values), by_metric);
	for (i = 0, of = values; i < p->metric_count; i++, of += n) {
		struct pn_metric *m = &p->metrics[i];

		n = m->value_count;
		if ((size_t)(values + o->count - of) < n)
			break;
		for (k = 0; k < n; k++)
			of[k].value = m->values[k];
		if (n)
			qsort(of, n, sizeof(*of), by_run);
		for (k = 0; k < n; k++)
			m->values[k] = of[k].value;
	}
	free(values);
}
