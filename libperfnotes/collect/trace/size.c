/*
 * Samples of calls by size. Names are those of Perun's resources
 * (github.com/Perfexionists/perun, docs/profile.rst), so that its export has
 * them where its models look for them.
 */
#include "collect/trace/size.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

/* Greater ones become these. */
#define MAX_SIZE ((uint64_t)INT64_MAX)
#define MAX_CALLS (UINT64_C(1) << 53) /* what a double counts */

void pn_trace_points_add(struct pn_trace_points *points,
			 const struct pn_trace_point *point)
{
	points->list = pn_grow(points->list, &points->cap, points->count + 1,
			       sizeof(*points->list));
	points->list[points->count] = *point;
	if (point->size > MAX_SIZE)
		points->list[points->count].size = MAX_SIZE;
	points->count++;
}

static int compare(const void *left, const void *right)
{
	const struct pn_trace_point *a = left, *b = right;

	if (a->location != b->location)
		return a->location < b->location ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

/* Threads and processes have points of their own. */
static void unite(struct pn_trace_points *points)
{
	size_t n = 0, i;

	if (points->count)
		qsort(points->list, points->count, sizeof(*points->list),
		      compare);
	for (i = 0; i < points->count; i++) {
		struct pn_trace_point *to = n ? &points->list[n - 1] : NULL;

		if (!to || compare(to, &points->list[i])) {
			points->list[n++] = points->list[i];
			continue;
		}
		to->calls += points->list[i].calls;
		if (to->calls > MAX_CALLS)
			to->calls = MAX_CALLS;
		to->total_ns += points->list[i].total_ns;
	}
	points->count = n;
}

static uint32_t add_labels(struct pn_profile *p)
{
	struct pn_label labels[2] = {{.kind = PN_LABEL_STRING},
				     {.kind = PN_LABEL_STRING}};

	labels[0].key = pn_strtab_add_text(&p->strings, "subtype");
	labels[0].value.s = pn_strtab_add_text(&p->strings, "time delta");
	labels[1].key = pn_strtab_add_text(&p->strings, "type");
	labels[1].value.s = pn_strtab_add_text(&p->strings, "mixed");
	return pn_profile_add_label_set(p, labels, 2);
}

static void add_types(struct pn_profile *p)
{
	uint32_t amount = pn_profile_add_type(p, "amount", "ns");
	uint32_t calls = pn_profile_add_type(p, "calls", "count");

	pn_profile_add_type(p, "structure-unit-size", "");
	p->types[amount].better = PN_BETTER_LESS;
	p->types[amount].number = PN_NUMBER_DOUBLE;
	p->types[calls].better = PN_BETTER_LESS;
	p->default_type = p->types[amount].type;
}

/* Sums over all of each run. */
static void add_metrics(struct pn_profile *p,
			const struct pn_trace_points *points, size_t runs)
{
	double *total_ns = pn_calloc(runs, sizeof(*total_ns));
	double *calls = pn_calloc(runs, sizeof(*calls));
	size_t i;

	for (i = 0; i < points->count; i++) {
		const struct pn_trace_point *point = &points->list[i];

		if (point->run >= runs)
			continue;
		total_ns[point->run] += point->total_ns;
		calls[point->run] += (double)point->calls;
	}
	pn_profile_add_metric(p, "sized", "ns", PN_BETTER_LESS, total_ns, runs);
	pn_profile_add_metric(p, "calls", "count", PN_BETTER_LESS, calls, runs);
	free(total_ns);
	free(calls);
}

void pn_trace_points_put(struct pn_profile *p, struct pn_trace_points *points,
			 size_t run_count)
{
	uint32_t labels, stack = 0, last = PN_NONE;
	union pn_value row[3];
	size_t i;

	add_types(p);
	add_metrics(p, points, run_count);
	p->header.runs = 1;
	unite(points);
	labels = add_labels(p);
	for (i = 0; i < points->count; i++) {
		const struct pn_trace_point *point = &points->list[i];

		if (point->location != last) {
			last = point->location;
			stack = pn_profile_add_stack(p, &last, 1);
		}
		/* picoseconds are finer than any clock */
		row[0].d = round(point->total_ns / (double)point->calls * 1e3) /
			   1e3;
		row[1].i = (int64_t)point->calls;
		row[2].i = (int64_t)point->size;
		pn_profile_add_sample(p, stack, labels, row);
	}
}

void pn_trace_points_release(struct pn_trace_points *points)
{
	free(points->list);
	*points = (struct pn_trace_points){0};
}
