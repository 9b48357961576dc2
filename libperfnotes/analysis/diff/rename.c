/* Functions that go by another name on the new side. */
#include "analysis/diff/rename.h"

#include "analysis/post/neighbours.h"
#include "base/alloc.h"
#include "model/symbols.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE 0.05 /* scores that are no reason for either of two */

struct search {
	struct pn_diff_row *rows;
	size_t count;
	const struct pn_diff *diff;
	/* rows that are gone and ones that are new; compared by callers */
	uint32_t sides[2][PN_RENAME_MAX];
	size_t side_counts[2];
	struct pn_neighbours around[2];
	struct candidate *candidates;
	size_t candidate_count;
};

/* What may be one: a gone row and a new one, and how like they are. */
struct candidate {
	uint32_t gone, new; /* rows */
	double score;
};

static bool is_gone(const struct pn_diff_row *row)
{
	return row->before && !row->after;
}

static bool is_new(const struct pn_diff_row *row)
{
	return row->after && !row->before;
}

static double share_of(double value, double sum)
{
	return sum != 0 ? fabs(value / sum) : 0;
}

static double old_share(const struct search *s, uint32_t row)
{
	return share_of(s->rows[row].old_total, s->diff->old_sum);
}

static double new_share(const struct search *s, uint32_t row)
{
	return share_of(s->rows[row].new_total, s->diff->new_sum);
}

/* By how much two of them differ, of the larger one: 0 to 1. */
static double distance_of(double a, double b)
{
	double larger = a > b ? a : b;

	return larger > 0 ? fabs(a - b) / larger : 0;
}

/* As shares, or as they were measured: where other functions got faster, what
 * stayed has a larger share than it had. */
static double cost_distance(const struct search *s, uint32_t gone, uint32_t new)
{
	double shares = distance_of(old_share(s, gone), new_share(s, new));
	double costs =
		distance_of(fabs(s->rows[gone].old_total),
			    fabs(s->rows[new].new_total / s->diff->factor));

	return shares < costs ? shares : costs;
}

static void join(struct search *s, uint32_t gone, uint32_t new)
{
	struct pn_diff_row *to = &s->rows[gone], *from = &s->rows[new];

	to->old_name = to->name;
	to->name = from->name;
	to->after = from->after;
	to->new_self = from->new_self;
	to->new_total = from->new_total;
	to->delta += from->delta;
	to->state = PN_DIFF_RENAMED;
	from->after = NULL; /* neither gone nor new: nothing */
}

/* A gone or new row by its normal name. */
struct named {
	const char *text;
	uint32_t row;
	bool gone;
};

static int cmp_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = strcmp(a->text, b->text);

	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* The name of the function itself, "" when there is none. */
static const char *function_name(const struct search *s,
				 const struct pn_diff_row *row)
{
	const struct pn_report *report =
		row->after ? s->diff->after : s->diff->before;
	uint32_t node = row->after ? row->after->node : row->before->node;

	return pn_profile_text(report->profile, report->nodes.items[node].name);
}

static size_t list_names(struct named *out, struct pn_arena *arena,
			 const struct search *s)
{
	struct pn_buf text = {0};
	const char *name;
	size_t i, n = 0;

	for (i = 0; i < s->count; i++) {
		const struct pn_diff_row *row = &s->rows[i];

		if (!is_gone(row) && !is_new(row))
			continue;
		name = function_name(s, row);
		pn_buf_clear(&text);
		pn_symbol_normal(&text, name, strlen(name));
		if (!text.len)
			continue;
		out[n].text = pn_arena_copy(arena, text.data, text.len);
		out[n].row = (uint32_t)i;
		out[n++].gone = is_gone(row);
	}
	pn_buf_release(&text);
	return n;
}

/* One gone and one new function of a normal name. */
static void join_equal_names(struct search *s)
{
	struct named *names =
		pn_realloc_array(NULL, s->count + 1, sizeof(*names));
	struct pn_arena arena = {0};
	size_t i, end, n = list_names(names, &arena, s);

	if (n)
		qsort(names, n, sizeof(*names), cmp_named);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n; end++)
			if (strcmp(names[i].text, names[end].text) != 0)
				break;
		if (end - i == 2 && names[i].gone != names[i + 1].gone) {
			uint32_t gone = names[i + names[i + 1].gone].row;
			uint32_t new = names[i + names[i].gone].row;

			if (cost_distance(s, gone, new) <= PN_RENAME_COST)
				join(s, gone, new);
		}
	}
	pn_arena_release(&arena);
	free(names);
}

struct choice {
	const struct pn_diff_row *row;
};

static int cmp_costs(const void *left, const void *right)
{
	const struct pn_diff_row *a = ((const struct choice *)left)->row;
	const struct pn_diff_row *b = ((const struct choice *)right)->row;
	double x = fabs(a->old_total + a->new_total);
	double y = fabs(b->old_total + b->new_total);

	if (x != y)
		return x > y ? -1 : 1;
	return (a > b) - (a < b);
}

/* The most expensive rows of a side that the other one does not have. */
static void choose(struct search *s, int side)
{
	struct choice *list =
		pn_realloc_array(NULL, s->count + 1, sizeof(*list));
	size_t i, n = 0;

	for (i = 0; i < s->count; i++) {
		const struct pn_diff_row *row = &s->rows[i];
		double share = side ? new_share(s, (uint32_t)i)
				    : old_share(s, (uint32_t)i);

		if ((side ? is_new(row) : is_gone(row)) &&
		    share >= PN_RENAME_SHARE && *function_name(s, row))
			list[n++].row = row;
	}
	if (n)
		qsort(list, n, sizeof(*list), cmp_costs);
	s->side_counts[side] = n < PN_RENAME_MAX ? n : PN_RENAME_MAX;
	for (i = 0; i < s->side_counts[side]; i++)
		s->sides[side][i] = (uint32_t)(list[i].row - s->rows);
	free(list);
}

/* Nodes that are one row have that row's number on both sides. */
static void look_around(struct search *s, int side)
{
	const struct pn_report *report =
		side ? s->diff->after : s->diff->before;
	size_t i, count = report->nodes.count;
	uint32_t *identity =
		pn_realloc_array(NULL, count + 1, sizeof(*identity));
	uint32_t *asked = pn_realloc_array(NULL, count + 1, sizeof(*asked));
	const struct pn_report_node *node;

	memset(identity, 255, (count + 1) * sizeof(*identity));
	memset(asked, 255, (count + 1) * sizeof(*asked));
	for (i = 0; i < s->count; i++) {
		node = side ? s->rows[i].after : s->rows[i].before;
		if (node)
			identity[node->node] = (uint32_t)i;
	}
	for (i = 0; i < s->side_counts[side]; i++) {
		const struct pn_diff_row *row = &s->rows[s->sides[side][i]];

		node = side ? row->after : row->before;
		asked[node->node] = (uint32_t)i;
	}
	pn_neighbours_init(&s->around[side], report, asked,
			   s->side_counts[side], identity);
	free(identity);
	free(asked);
}

/* Sums of shares, callers and callees each of their own sum. */
struct likeness {
	double smaller, larger;
	size_t common; /* callers and callees */
};

static void sums(double out[2], const struct pn_neighbours *all, size_t of)
{
	size_t i;

	out[0] = out[1] = 0;
	for (i = all->first[of]; i < all->first[of + 1]; i++)
		out[all->items[i].key & 1] +=
			fabs((double)all->items[i].weight);
}

static void compare_one(struct likeness *out, double a, double b)
{
	out->smaller += a < b ? a : b;
	out->larger += a < b ? b : a;
}

static struct likeness compare(const struct search *s, size_t gone, size_t new)
{
	const struct pn_neighbours *a = &s->around[0], *b = &s->around[1];
	size_t i = a->first[gone], j = b->first[new];
	size_t i_end = a->first[gone + 1], j_end = b->first[new + 1];
	struct likeness out = {0, 0, 0};
	double of_a[2], of_b[2];

	sums(of_a, a, gone);
	sums(of_b, b, new);
	while (i < i_end || j < j_end) {
		uint64_t left = i < i_end ? a->items[i].key : UINT64_MAX;
		uint64_t right = j < j_end ? b->items[j].key : UINT64_MAX;
		uint64_t key = left < right ? left : right;
		double x = 0, y = 0;

		if (i < i_end && left == key)
			x = share_of((double)a->items[i++].weight,
				     of_a[key & 1]);
		if (j < j_end && right == key)
			y = share_of((double)b->items[j++].weight,
				     of_b[key & 1]);
		compare_one(&out, x, y);
		out.common += x > 0 && y > 0 && key != PN_NEIGHBOUR_SELF;
	}
	return out;
}

static void add_candidate(struct search *s, size_t gone, size_t new)
{
	struct likeness like = compare(s, gone, new);
	struct candidate *c = &s->candidates[s->candidate_count];
	double score, distance;

	c->gone = s->sides[0][gone];
	c->new = s->sides[1][new];
	distance = cost_distance(s, c->gone, c->new);
	if (!(like.larger > 0) || !like.common)
		return;
	score = like.smaller / like.larger;
	if (score < PN_RENAME_LIKENESS ||
	    (like.common < PN_RENAME_SURE && distance > PN_RENAME_COST))
		return;
	c->score = score - distance / 2;
	s->candidate_count++;
}

static int cmp_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->gone != b->gone)
		return a->gone < b->gone ? -1 : 1;
	return (a->new > b->new) - (a->new < b->new);
}

/* Whether another pair with one of these two is as good. */
static bool has_rival(const struct search *s, const struct candidate *best)
{
	const struct candidate *c = best + 1;
	const struct candidate *end = s->candidates + s->candidate_count;

	for (; c < end && best->score - c->score < CLOSE; c++)
		if ((c->gone == best->gone && is_new(&s->rows[c->new])) ||
		    (c->new == best->new &&is_gone(&s->rows[c->gone])))
			return true;
	return false;
}

/* The most alike first; one that could be two things is nobody's, and what
 * could be that one neither. */
static void join_best(struct search *s)
{
	unsigned char *doubtful = pn_calloc(s->count, 1);
	size_t i;

	for (i = 0; i < s->candidate_count; i++) {
		const struct candidate *c = &s->candidates[i];

		if (!is_gone(&s->rows[c->gone]) || !is_new(&s->rows[c->new]))
			continue;
		if (!doubtful[c->gone] && !doubtful[c->new] && !has_rival(s, c))
			join(s, c->gone, c->new);
		else
			doubtful[c->gone] = doubtful[c->new] = 1;
	}
	free(doubtful);
}

static void join_equal_callers(struct search *s)
{
	size_t gone, new;

	s->candidates = pn_realloc_array(
		NULL, s->side_counts[0] * s->side_counts[1] + 1,
		sizeof(*s->candidates));
	for (gone = 0; gone < s->side_counts[0]; gone++)
		for (new = 0; new < s->side_counts[1]; new ++)
			add_candidate(s, gone, new);
	if (s->candidate_count)
		qsort(s->candidates, s->candidate_count, sizeof(*s->candidates),
		      cmp_candidates);
	join_best(s);
	free(s->candidates);
}

static bool are_functions(const struct pn_report *report)
{
	return report->options.granularity == PN_BY_FUNCTIONS ||
	       report->options.granularity == PN_BY_FILEFUNCTIONS;
}

size_t pn_rename_rows(struct pn_diff_row *rows, size_t count,
		      const struct pn_diff *diff)
{
	struct search s = {.rows = rows, .count = count, .diff = diff};
	size_t i, n = 0;

	if (!are_functions(diff->before) || !are_functions(diff->after) ||
	    count >= PN_NONE)
		return count;
	join_equal_names(&s);
	choose(&s, 0);
	choose(&s, 1);
	if (s.side_counts[0] && s.side_counts[1]) {
		look_around(&s, 0);
		look_around(&s, 1);
		join_equal_callers(&s);
		pn_neighbours_release(&s.around[0]);
		pn_neighbours_release(&s.around[1]);
	}
	for (i = 0; i < count; i++)
		if (rows[i].before || rows[i].after)
			rows[n++] = rows[i];
	return n;
}
