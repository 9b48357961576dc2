/* Functions that go on under another name. */
#include "detect/functions/inside.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE 0.05 /* likenesses that are no reason for either of two */

struct search {
	struct pn_function_verdict *verdicts;
	const struct pn_function_costs *functions;
	size_t count;
	const double (*costs)[SIDES];
};

static bool is_open(const struct search *s, size_t i, int side)
{
	const struct pn_function_costs *f = &s->functions[i];

	return s->verdicts[i].partner == SIZE_MAX &&
	       (side == BASELINE ? f->baseline && !f->target
				 : f->target && !f->baseline);
}

static bool cost_alike(const struct search *s, size_t gone, size_t new)
{
	double a = s->costs[gone][BASELINE], b = s->costs[new][TARGET];

	return fabs(a - b) <= PN_FUNCTIONS_RENAME_COST * fmax(fabs(a), fabs(b));
}

static void join(struct search *s, size_t gone, size_t new)
{
	s->verdicts[gone].partner = new;
	s->verdicts[gone].is_old_name = true;
	s->verdicts[new].partner = gone;
}

struct named {
	const char *name;
	size_t function;
};

static int by_name(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order
		     : (a->function > b->function) -
			       (a->function < b->function);
}

/* The one of a side among those of one name, SIZE_MAX unless there is one. */
static size_t only_one(const struct search *s, const struct named *names,
		       size_t n, int side)
{
	size_t found = SIZE_MAX, i;

	for (i = 0; i < n; i++)
		if (is_open(s, names[i].function, side)) {
			if (found != SIZE_MAX)
				return SIZE_MAX;
			found = names[i].function;
		}
	return found;
}

static void match_names(struct search *s)
{
	struct named *names = pn_calloc(s->count, sizeof(*names));
	size_t n = 0, i, end;

	for (i = 0; i < s->count; i++)
		if (s->functions[i].name && *s->functions[i].name &&
		    (is_open(s, i, BASELINE) || is_open(s, i, TARGET)))
			names[n++] = (struct named){s->functions[i].name, i};
	if (n)
		qsort(names, n, sizeof(*names), by_name);
	for (i = 0; i < n; i = end) {
		size_t gone, new;

		for (end = i + 1; end < n; end++)
			if (strcmp(names[i].name, names[end].name) != 0)
				break;
		gone = only_one(s, names + i, end - i, BASELINE);
		new = only_one(s, names + i, end - i, TARGET);
		if (gone != SIZE_MAX && new != SIZE_MAX &&
		    cost_alike(s, gone, new))
			join(s, gone, new);
	}
	free(names);
}

struct costly {
	double cost;
	size_t function;
};

static int by_cost(const void *left, const void *right)
{
	const struct costly *a = left, *b = right;

	if (a->cost != b->cost)
		return a->cost < b->cost ? 1 : -1;
	return (a->function > b->function) - (a->function < b->function);
}

/* The most expensive ones of a side that have neighbours. */
static size_t list_side(size_t out[PN_FUNCTIONS_RENAME_MAX],
			const struct search *s, int side)
{
	struct costly *list = pn_calloc(s->count, sizeof(*list));
	size_t n = 0, i;

	for (i = 0; i < s->count; i++)
		if (s->functions[i].neighbour_count && is_open(s, i, side))
			list[n++] = (struct costly){s->costs[i][side], i};
	if (n)
		qsort(list, n, sizeof(*list), by_cost);
	if (n > PN_FUNCTIONS_RENAME_MAX)
		n = PN_FUNCTIONS_RENAME_MAX;
	for (i = 0; i < n; i++)
		out[i] = list[i].function;
	free(list);
	return n;
}

/* Jaccard's index of what is around two functions; 0 where it is no sign. */
static double likeness(const struct search *s, size_t gone, size_t new)
{
	const struct pn_function_costs *a = &s->functions[gone];
	const struct pn_function_costs *b = &s->functions[new];
	size_t i = 0, j = 0, both = 0;
	double all;

	while (i < a->neighbour_count && j < b->neighbour_count) {
		if (a->neighbours[i] == b->neighbours[j]) {
			both++;
			i++;
			j++;
		} else if (a->neighbours[i] < b->neighbours[j]) {
			i++;
		} else {
			j++;
		}
	}
	if (both < PN_FUNCTIONS_RENAME_NEIGHBOURS && !cost_alike(s, gone, new))
		return 0;
	all = (double)(a->neighbour_count + b->neighbour_count - both);
	return (double)both / all;
}

/* The one that is most like `one`; SIZE_MAX where none is, or two are. */
static size_t most_alike(const struct search *s, size_t one,
			 const size_t *others, size_t n, bool one_is_gone)
{
	double best = 0, second = 0, like;
	size_t found = SIZE_MAX, i;

	for (i = 0; i < n; i++) {
		like = one_is_gone ? likeness(s, one, others[i])
				   : likeness(s, others[i], one);
		if (like > best) {
			second = best;
			best = like;
			found = others[i];
		} else if (like > second) {
			second = like;
		}
	}
	if (best < PN_FUNCTIONS_RENAME_LIKENESS || best - second < CLOSE)
		return SIZE_MAX;
	return found;
}

static void match_neighbours(struct search *s)
{
	size_t gone[PN_FUNCTIONS_RENAME_MAX], new[PN_FUNCTIONS_RENAME_MAX];
	size_t of_gone[PN_FUNCTIONS_RENAME_MAX];
	size_t gone_count = list_side(gone, s, BASELINE);
	size_t new_count = list_side(new, s, TARGET), i;

	for (i = 0; i < gone_count; i++) {
		size_t other = most_alike(s, gone[i], new, new_count, true);

		of_gone[i] = other;
		if (other != SIZE_MAX &&
		    most_alike(s, other, gone, gone_count, false) != gone[i])
			of_gone[i] = SIZE_MAX;
	}
	for (i = 0; i < gone_count; i++)
		if (of_gone[i] != SIZE_MAX)
			join(s, gone[i], of_gone[i]);
}

void pn_function_match_renamed(struct pn_function_verdict *verdicts,
			       const struct pn_function_costs *functions,
			       size_t count, const double (*costs)[SIDES])
{
	struct search search = {verdicts, functions, count, costs};

	match_names(&search);
	match_neighbours(&search);
}
