/* Totals of a profile as metrics. */
#include "model/totals.h"

#include "base/alloc.h"
#include "model/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Perun: columns that a cost may depend on (collectable keys but amount and
 * exclusive); their sums mean nothing. */
static const char *const positions[] = {
	"structure-unit-size", "call-order", "order", "address",
	"timestamp",	       "snapshot",
};

static bool is_cost(const struct pn_profile *p, size_t type)
{
	const char *name = pn_profile_text(p, p->types[type].type);
	size_t i;

	for (i = 0; i < sizeof(positions) / sizeof(*positions); i++)
		if (!strcmp(name, positions[i]))
			return false;
	return true;
}

static double number(const struct pn_profile *p, size_t type,
		     union pn_value value)
{
	return p->types[type].number == PN_NUMBER_INT ? (double)value.i
						      : value.d;
}

/* Integers are summed as such: a double keeps 53 bits only. */
static double sum_of(const struct pn_profile *p, const union pn_value *values,
		     size_t rows, size_t type)
{
	uint64_t whole = 0;
	double sum = 0;
	size_t i;

	for (i = 0; i < rows; i++) {
		union pn_value v = values[i * p->type_count + type];

		if (p->types[type].number == PN_NUMBER_INT)
			whole += (uint64_t)v.i;
		else
			sum += v.d;
	}
	return p->types[type].number == PN_NUMBER_INT ? (double)(int64_t)whole
						      : sum;
}

static void set_values(struct pn_metric *m, const double *values, size_t n)
{
	m->values = pn_malloc(n * sizeof(*values));
	memcpy(m->values, values, n * sizeof(*values));
	m->value_count = n;
	m->summary.n = n;
	pn_summary_of(&m->summary, values, n, NULL);
}

static struct pn_metric *copy_metrics(size_t *count, const struct pn_profile *p)
{
	struct pn_metric *list = pn_calloc(p->metric_count, sizeof(*list));
	size_t i;

	for (i = 0; i < p->metric_count; i++) {
		list[i] = p->metrics[i];
		list[i].values = NULL;
		list[i].value_count = 0;
		if (p->metrics[i].value_count)
			set_values(&list[i], p->metrics[i].values,
				   p->metrics[i].value_count);
	}
	*count = p->metric_count;
	return list;
}

static int type_named(const struct pn_profile *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (!strcmp(pn_profile_text(p, p->types[i].type), name))
			return (int)i;
	return -1;
}

/* The text of a label of a sample, 0 when it has none of that key. */
static uint32_t label_of(const struct pn_profile *p, size_t sample,
			 uint32_t key)
{
	uint32_t set = p->samples[sample].labels, i;

	for (i = p->label_set_start[set]; i < p->label_set_start[set + 1]; i++)
		if (p->labels[i].key == key &&
		    p->labels[i].kind == PN_LABEL_STRING)
			return p->labels[i].value.s;
	return 0;
}

/* The unit of a Perun subtype: header.units names "type" or "type(subtype)",
 * the decoder has put the one of `amount` there. */
static struct pn_metric *repeated(size_t *count, const struct pn_profile *p)
{
	int amount = type_named(p, "amount"), order = type_named(p, "order");
	struct pn_metric *list = NULL;
	size_t i, k, n = 0, cap = 0;
	double *values;
	uint32_t key;

	*count = 0;
	if (amount < 0 || order < 0 || !p->label_set_start ||
	    !pn_strtab_find(&key, &p->strings, "subtype", 7))
		return NULL;
	values = pn_malloc(p->sample_count * sizeof(*values));
	for (i = 0; i < p->sample_count; i++) {
		uint32_t name = label_of(p, i, key);
		size_t have = 0;

		if (!name || !pn_profile_is_present(p, i, (size_t)order))
			goto none;
		for (k = 0; k < n && list[k].name != name; k++)
			;
		if (k < n)
			continue;
		if (n == 16) /* subtypes of the time collector: three */
			goto none;
		for (k = i; k < p->sample_count; k++)
			if (label_of(p, k, key) == name)
				values[have++] =
					number(p, (size_t)amount,
					       p->values[k * p->type_count +
							 (size_t)amount]);
		list = pn_grow(list, &cap, n + 1, sizeof(*list));
		memset(&list[n], 0, sizeof(*list));
		list[n].name = name;
		list[n].unit = p->types[amount].unit;
		list[n].better = PN_BETTER_LESS;
		set_values(&list[n++], values, have);
	}
	free(values);
	*count = n;
	return list;
none:
	free(values);
	pn_totals_free(list, n);
	return NULL;
}

struct pn_metric *pn_totals_of(size_t *count, const struct pn_profile *p)
{
	struct pn_metric *list;
	size_t i, n = 0;
	double sum;

	if (p->metric_count)
		return copy_metrics(count, p);
	list = repeated(count, p);
	if (list)
		return list;
	list = pn_calloc(p->type_count, sizeof(*list));
	for (i = 0; i < p->type_count; i++) {
		if (!is_cost(p, i))
			continue;
		list[n].name = p->types[i].type;
		list[n].unit = p->types[i].unit;
		list[n].better = p->types[i].better ? p->types[i].better
						    : PN_BETTER_LESS;
		sum = sum_of(p, p->values, p->sample_count, i) +
		      sum_of(p, p->graph.self, p->graph.node_count, i);
		set_values(&list[n++], &sum, 1);
	}
	*count = n;
	return list;
}

void pn_totals_free(struct pn_metric *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(list[i].values);
	free(list);
}

static bool is_one_of(const char *unit, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(unit, *list))
			return true;
	return false;
}

const char *pn_totals_kind(const struct pn_profile *p)
{
	static const char *const times[] = {
		"ns",	       "us",	       "ms",	  "s",
		"nanoseconds", "microseconds", "seconds", "milliseconds",
		"nanosecond",  "microsecond",  "second",  "millisecond",
		"minutes",     "hours",	       NULL};
	static const char *const sizes[] = {"B",    "kB",    "MB",	  "GB",
					    "byte", "bytes", "kilobytes", NULL};
	uint32_t unit = 0;
	const char *text;
	size_t i;

	if (p->header.kind)
		return pn_profile_text(p, p->header.kind);
	if (p->metric_count)
		unit = p->metrics[0].unit;
	else if (p->type_count)
		unit = p->types[p->type_count - 1].unit;
	for (i = 0; !p->metric_count && i < p->type_count; i++)
		if (p->default_type && p->types[i].type == p->default_type)
			unit = p->types[i].unit;
	text = pn_profile_text(p, unit);
	if (is_one_of(text, times))
		return "time";
	return is_one_of(text, sizes) ? "memory" : "mixed";
}
