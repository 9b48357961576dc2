/* Totals of a profile as metrics. */
#include "model/graph/totals.h"

#include "base/alloc.h"
#include "model/runs.h"
#include "model/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RUNS 4096	/* values that a line may have; of more, the mean */
#define MAX_REPEATED 16 /* subtypes; those of the time collector are three */

/* Perun: columns that a cost may depend on (collectable keys but amount and
 * exclusive); their sums mean nothing. */
static const char *const positions[] = {
	"structure-unit-size", "call-order", "order",	  "address",
	"timestamp",	       "snapshot",   "edge-time", /* Racket: of edges
							     only */
};

bool pn_totals_is_cost(const struct pn_profile *p, size_t type)
{
	const char *name = pn_profile_text(p, p->types[type].type);
	size_t i;

	if (p->types[type].role == PN_ROLE_POSITION)
		return false;
	for (i = 0; i < sizeof(positions) / sizeof(*positions); i++)
		if (!strcmp(name, positions[i]))
			return false;
	return true;
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

/*
 * What a measurement of Perun's time collector is called: the value type that
 * the decoder made of "real" and the like, which older layouts tell by uid, or
 * its subtype. Other collectors count as such when they number the
 * measurements of each subtype; older layouts of this one did not do that, nor
 * tell a subtype.
 */
struct repeats {
	const struct pn_profile *profile;
	int order;
	uint32_t subtype; /* string, 0: no sample has one */
	bool by_time;	  /* the collector says so */
};

static bool find_repeats(struct repeats *out, const struct pn_profile *p)
{
	struct repeats r = {.profile = p, .order = type_named(p, "order")};

	r.by_time =
		!strcmp(pn_profile_text(p, p->header.collector.name), "time") &&
		!strcmp(pn_profile_text(p, p->header.kind), "time");
	if (!pn_strtab_find(&r.subtype, &p->strings, "subtype", 7))
		r.subtype = 0;
	*out = r;
	return r.by_time || (r.order >= 0 && p->label_set_start && r.subtype);
}

/* The value type that a sample is about, SIZE_MAX for none: "amount", or one
 * of those that amounts of several types become. */
static size_t type_of(const struct pn_profile *p, size_t sample)
{
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (pn_profile_is_present(p, sample, i) &&
		    pn_totals_is_cost(p, i) &&
		    strcmp(pn_profile_text(p, p->types[i].type), "exclusive") !=
			    0)
			return i;
	return SIZE_MAX;
}

/* 0 when it is no measurement of that kind. */
static uint32_t measured(const struct repeats *r, size_t sample)
{
	const struct pn_profile *p = r->profile;
	size_t type = type_of(p, sample);
	uint32_t name = 0;

	if (type == SIZE_MAX)
		return 0;
	if (r->by_time &&
	    strcmp(pn_profile_text(p, p->types[type].type), "amount") != 0)
		name = p->types[type].type;
	if (!name && r->subtype && p->label_set_start)
		name = label_of(p, sample, r->subtype);
	if (r->by_time)
		return name ? name : p->header.kind;
	return pn_profile_is_present(p, sample, (size_t)r->order) ? name : 0;
}

static void take_repeats(struct pn_metric *out, const struct repeats *r,
			 uint32_t name, double *room)
{
	const struct pn_profile *p = r->profile;
	size_t type = 0, have = 0, i;

	for (i = 0; i < p->sample_count; i++)
		if (measured(r, i) == name) {
			type = type_of(p, i);
			room[have++] = pn_profile_number(p, p->values, i, type);
		}
	memset(out, 0, sizeof(*out));
	out->name = name;
	out->unit = p->types[type].unit;
	out->better = PN_BETTER_LESS;
	set_values(out, room, have);
}

static struct pn_metric *repeated(size_t *count, const struct pn_profile *p)
{
	struct pn_metric *list = NULL;
	size_t i, k, n = 0, cap = 0;
	struct repeats r;
	double *room;

	*count = 0;
	if (!find_repeats(&r, p))
		return NULL;
	room = pn_malloc(p->sample_count * sizeof(*room));
	for (i = 0; i < p->sample_count; i++) {
		uint32_t name = measured(&r, i);

		for (k = 0; k < n && list[k].name != name; k++)
			;
		if (name && k < n)
			continue;
		if (!name || n == MAX_REPEATED) {
			pn_totals_free(list, n);
			list = NULL;
			n = 0;
			break;
		}
		list = pn_grow(list, &cap, n + 1, sizeof(*list));
		take_repeats(&list[n++], &r, name, room);
	}
	free(room);
	*count = n;
	return list;
}

/* What a value type sums up to in each run; the caller frees. */
static double *sums_by_run(const struct pn_profile *p, size_t type)
{
	uint32_t *of_set = pn_runs_of_sets(p), runs = pn_profile_runs(p), run;
	double *sums = pn_calloc(runs, sizeof(*sums));
	size_t i;

	for (i = 0; of_set && i < p->sample_count; i++) {
		run = of_set[p->samples[i].labels];
		if (run != PN_NONE)
			sums[run] += pn_profile_number(p, p->values, i, type);
	}
	for (i = 0; p->graph.self_by_run && i < p->graph.node_count; i++)
		for (run = 0; run < runs; run++)
			sums[run] += pn_profile_number(p, p->graph.self_by_run,
						       i * runs + run, type);
	free(of_set);
	return sums;
}

/* The sum of one value type over the whole profile: of each run where that is
 * known, else what it is by run. */
static void take_total(struct pn_metric *out, const struct pn_profile *p,
		       size_t type)
{
	uint32_t runs = pn_profile_runs(p);
	double *by_run, sum;

	out->name = p->types[type].type;
	out->unit = p->types[type].unit;
	out->better =
		p->types[type].better ? p->types[type].better : PN_BETTER_LESS;
	if (runs > 1 && runs <= MAX_RUNS && pn_runs_are_known(p)) {
		by_run = sums_by_run(p, type);
		set_values(out, by_run, runs);
		free(by_run);
		return;
	}
	sum = sum_of(p, p->values, p->sample_count, type) +
	      sum_of(p, p->graph.self, p->graph.node_count, type);
	if (p->types[type].role == PN_ROLE_SUM)
		sum /= runs;
	set_values(out, &sum, 1);
}

static struct pn_metric *find_totals(size_t *count, const struct pn_profile *p)
{
	size_t i, n = 0, first = pn_profile_default_type(p);
	struct pn_metric *list;

	if (p->metric_count)
		return copy_metrics(count, p);
	list = repeated(count, p);
	if (list)
		return list;
	list = pn_calloc(p->type_count, sizeof(*list));
	if (p->type_count && pn_totals_is_cost(p, first))
		take_total(&list[n++], p, first);
	for (i = 0; i < p->type_count; i++)
		if (i != first && pn_totals_is_cost(p, i))
			take_total(&list[n++], p, i);
	*count = n;
	return list;
}

/* What is not finite is unknown; false when that is a value. */
static bool make_finite(struct pn_metric *m)
{
	struct pn_summary *s = &m->summary;
	double *const numbers[] = {&s->min, &s->q1,   &s->median, &s->q3,
				   &s->max, &s->mean, &s->sd};
	size_t i;

	for (i = 0; i < m->value_count; i++)
		if (!isfinite(m->values[i]))
			return false;
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!isfinite(*numbers[i]))
			*numbers[i] = NAN;
	return true;
}

struct pn_metric *pn_totals_of(size_t *count, const struct pn_profile *p)
{
	size_t all, i, n = 0;
	struct pn_metric *list = find_totals(&all, p);

	for (i = 0; i < all; i++)
		if (make_finite(&list[i]))
			list[n++] = list[i];
		else
			free(list[i].values);
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

	if (p->header.kind)
		return pn_profile_text(p, p->header.kind);
	if (p->metric_count)
		unit = p->metrics[0].unit;
	else if (p->type_count)
		unit = p->types[pn_profile_default_type(p)].unit;
	text = pn_profile_text(p, unit);
	if (is_one_of(text, times))
		return "time";
	return is_one_of(text, sizes) ? "memory" : "mixed";
}
