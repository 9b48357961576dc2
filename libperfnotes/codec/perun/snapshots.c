/*
 * Snapshots of a Perun profile as curves: what all resources of each add up
 * to, a curve a value type that is a cost. Which stacks they are of stays in
 * the samples' labels, so points have no parts. They lie at the snapshots'
 * times where these are numbers that grow, else at their numbers.
 */
#include "codec/perun/build.h"
#include "codec/perun/read.h"

#include "base/alloc.h"
#include "base/number.h"
#include "model/graph/totals.h"
#include "model/timeline/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct snapshot {
	int64_t number;
	double time;	 /* NaN: not told, or no number */
	uint32_t of_set; /* while they are sorted */
};

struct snapshots {
	struct snapshot *items; /* by number */
	size_t count;
	uint32_t *of_set; /* by label set: which item + 1; 0: none */
	bool timed;
};

static bool label_of(struct snapshot *out, const struct pn_profile *p,
		     uint32_t set)
{
	bool found = false;
	uint32_t i;

	*out = (struct snapshot){.time = NAN, .of_set = set};
	for (i = p->label_set_start[set]; i < p->label_set_start[set + 1];
	     i++) {
		const struct pn_label *l = &p->labels[i];
		const char *key = pn_profile_text(p, l->key), *text;

		if (!strcmp(key, "snapshot") && l->kind == PN_LABEL_INT) {
			out->number = l->value.i;
			found = true;
		} else if (!strcmp(key, "time") && l->kind == PN_LABEL_STRING) {
			text = pn_profile_text(p, l->value.s);
			if (!pn_number_double(&out->time, text, strlen(text)))
				out->time = NAN;
		}
	}
	return found;
}

static int by_number(const void *a, const void *b)
{
	const struct snapshot *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->of_set < y->of_set ? -1 : x->of_set > y->of_set;
}

/* Sets of one number are one snapshot; those of two times have none. */
static void unite(struct snapshots *s, size_t count)
{
	size_t i;

	qsort(s->items, count, sizeof(*s->items), by_number);
	for (i = 0; i < count; i++) {
		struct snapshot *had =
			s->count ? &s->items[s->count - 1] : NULL;

		if (!had || had->number != s->items[i].number)
			s->items[s->count++] = s->items[i];
		else if (!(had->time == s->items[i].time))
			had->time = NAN;
		s->of_set[s->items[i].of_set] = (uint32_t)s->count;
	}
	s->timed = true;
	for (i = 0; i < s->count; i++)
		s->timed &= isfinite(s->items[i].time) &&
			    (!i || s->items[i].time > s->items[i - 1].time);
}

static void find(struct snapshots *s, const struct pn_profile *p)
{
	uint32_t set;
	size_t count = 0;

	s->items = pn_calloc(p->label_set_count + 1, sizeof(*s->items));
	s->of_set = pn_calloc(p->label_set_count + 1, sizeof(*s->of_set));
	for (set = 0; set < p->label_set_count; set++)
		count += label_of(&s->items[count], p, set);
	unite(s, count);
}

static void add_curve(struct pn_profile *p, const struct snapshots *s,
		      size_t type)
{
	double *sums = pn_calloc(s->count + 1, sizeof(*sums));
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		/* of those without a snapshot item 0 */
		sums[s->of_set[p->samples[i].labels]] +=
			pn_profile_number(p, p->values, i, type);
	}
	pn_curves_add(
		p, p->types[type].type, p->types[type].unit,
		pn_strtab_add_text(&p->strings, s->timed ? "s" : "snapshot"));
	for (i = 0; i < s->count; i++)
		pn_curves_add_point(p,
				    s->timed ? s->items[i].time
					     : (double)s->items[i].number,
				    sums[i + 1]);
	free(sums);
}

void pn_perun_snapshots(struct pn_profile *p)
{
	struct snapshots s = {0};
	size_t i;

	find(&s, p);
	for (i = 0; s.count && i < p->type_count; i++)
		if (pn_totals_is_cost(p, i))
			add_curve(p, &s, i);
	free(s.items);
	free(s.of_set);
}
