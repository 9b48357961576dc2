/* The capped signed-rank test, its estimate and its interval. */
#include "detect/duel/capped_rank.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Walsh averages that are nearer to each other are the same but for how they
 * were rounded. */
#define SAME 1e-13

void pn_capped_rank_release(struct pn_capped_rank *rank)
{
	if (!rank)
		return;
	free(rank->values);
	free(rank->walsh);
	free(rank->differences);
	free(rank->scores);
	free(rank->null_scores);
	free(rank->null);
	memset(rank, 0, sizeof(*rank));
}

static void set_walsh(struct pn_capped_rank *rank)
{
	size_t n = rank->count, i, j, all = 0, kept = 0;
	double *walsh, last;

	rank->walsh = pn_grow(rank->walsh, &rank->walsh_cap, n * (n + 1) / 2,
			      sizeof(*rank->walsh));
	walsh = rank->walsh;
	for (i = 0; i < n; i++)
		for (j = i; j < n; j++)
			walsh[all++] = (rank->values[i] + rank->values[j]) / 2;
	pn_quantile_sort(walsh, all);
	last = walsh[0];
	for (i = 0; i < all; i++) {
		double value = walsh[i];

		if (!i || value - last > SAME)
			walsh[kept++] = value;
		last = value;
	}
	rank->walsh_count = kept;
}

void pn_capped_rank_set(struct pn_capped_rank *rank, const double *values,
			size_t n)
{
	if (n > rank->cap) {
		rank->cap = n;
		rank->values = pn_realloc_array(rank->values, n,
						sizeof(*rank->values));
		rank->differences = pn_realloc_array(
			rank->differences, n, sizeof(*rank->differences));
		rank->scores = pn_realloc_array(rank->scores, n,
						sizeof(*rank->scores));
		rank->null_scores = pn_realloc_array(
			rank->null_scores, n, sizeof(*rank->null_scores));
	}
	memcpy(rank->values, values, n * sizeof(*values));
	pn_quantile_sort(rank->values, n);
	rank->count = n;
	set_walsh(rank);
}

/* The differences from a shift by size, without zeros. */
static void set_differences(struct pn_capped_rank *rank, double shift)
{
	const double *values = rank->values;
	size_t above = 0, below, n = 0;

	while (above < rank->count && values[above] - shift < 0)
		above++;
	below = above;
	while (above < rank->count && values[above] - shift == 0)
		above++;
	while (below || above < rank->count) {
		double down = below ? shift - values[below - 1] : INFINITY;
		double up =
			above < rank->count ? values[above] - shift : INFINITY;

		if (below && down <= up) {
			rank->differences[n++] = -down;
			below--;
		} else {
			rank->differences[n++] = up;
			above++;
		}
	}
	rank->scored = n;
}

/* Twice the mean rank of those that tie, so that it is whole; capped. */
static void set_scores(struct pn_capped_rank *rank)
{
	size_t n = rank->scored, i = 0, j;
	uint32_t cap =
		2 * (uint32_t)ceil(PN_CAPPED_RANK_SHARE * (double)n - 1e-9);

	while (i < n) {
		uint32_t score;

		for (j = i; j + 1 < n && fabs(rank->differences[j + 1]) ==
						 fabs(rank->differences[i]);)
			j++;
		score = (uint32_t)(i + j + 2);
		for (; i <= j; i++)
			rank->scores[i] = score < cap ? score : cap;
	}
}

struct sums {
	uint32_t positive, all;
};

static struct sums score(struct pn_capped_rank *rank, double shift)
{
	struct sums sums = {0};
	size_t i;

	set_differences(rank, shift);
	set_scores(rank);
	for (i = 0; i < rank->scored; i++) {
		sums.all += rank->scores[i];
		if (rank->differences[i] > 0)
			sums.positive += rank->scores[i];
	}
	return sums;
}

static bool is_known(const struct pn_capped_rank *rank)
{
	return rank->null_count && rank->null_scored == rank->scored &&
	       !memcmp(rank->null_scores, rank->scores,
		       rank->scored * sizeof(*rank->scores));
}

/* Without ties all scores are even: half of the sums need no place. */
static uint32_t unit_of(const struct pn_capped_rank *rank)
{
	size_t i;

	for (i = 0; i < rank->scored; i++)
		if (rank->scores[i] % 2)
			return 1;
	return 2;
}

/* Every score is added or not, with the same chance. */
static void set_null(struct pn_capped_rank *rank, uint32_t all)
{
	size_t i, k, s, reached = 0;
	double *null;

	if (is_known(rank))
		return;
	rank->null_unit = unit_of(rank);
	rank->null_count = all / rank->null_unit + 1;
	rank->null = pn_grow(rank->null, &rank->null_cap, rank->null_count,
			     sizeof(*rank->null));
	null = rank->null;
	memset(null, 0, rank->null_count * sizeof(*null));
	null[0] = 1;
	for (i = 0; i < rank->scored; i++) {
		s = rank->scores[i] / rank->null_unit;
		reached += s;
		for (k = reached; k >= s; k--)
			null[k] = (null[k] + null[k - s]) / 2;
		for (k = 0; k < s; k++)
			null[k] /= 2;
	}
	memcpy(rank->null_scores, rank->scores,
	       rank->scored * sizeof(*rank->scores));
	rank->null_scored = rank->scored;
}

double pn_capped_rank_p(int *side, struct pn_capped_rank *rank, double shift)
{
	struct sums sums = score(rank, shift);
	double up = 0, down = 0;
	size_t k, at;

	*side = (2 * sums.positive > sums.all) - (2 * sums.positive < sums.all);
	if (!rank->scored)
		return 1;
	set_null(rank, sums.all);
	at = sums.positive / rank->null_unit;
	for (k = 0; k <= at; k++)
		down += rank->null[k];
	for (k = rank->null_count; k-- > at;)
		up += rank->null[k];
	return fmin(1, 2 * fmin(up, down));
}

double pn_capped_rank_margin_p(int *side, struct pn_capped_rank *rank,
			       double margin)
{
	int above, below;
	double up = pn_capped_rank_p(&above, rank, margin);
	double down = pn_capped_rank_p(&below, rank, -margin);

	if (above <= 0)
		up = 1;
	if (below >= 0)
		down = 1;
	if (up <= down) {
		*side = up < 1;
		return up;
	}
	*side = -1;
	return down;
}

/* All is constant between two Walsh averages: gap k is above walsh[k]. */
static double middle(const struct pn_capped_rank *rank, size_t gap)
{
	return (rank->walsh[gap + 1] + rank->walsh[gap]) / 2;
}

/* The first gap in which the upper side weighs no more than the lower one, or
 * with `less` less. */
static size_t first_gap(struct pn_capped_rank *rank, bool less)
{
	size_t low = 0, high = rank->walsh_count - 1;

	while (low < high) {
		size_t gap = low + (high - low) / 2;
		struct sums sums = score(rank, middle(rank, gap));

		if (less ? 2 * sums.positive < sums.all
			 : 2 * sums.positive <= sums.all)
			high = gap;
		else
			low = gap + 1;
	}
	return low;
}

double pn_capped_rank_estimate(struct pn_capped_rank *rank)
{
	size_t from = first_gap(rank, false), to = first_gap(rank, true);

	return (rank->walsh[from] + rank->walsh[to]) / 2;
}

/* The first gap that is not refused from below, or, from above, that is. */
static size_t first_end(struct pn_capped_rank *rank, double level, int from)
{
	size_t low = 0, high = rank->walsh_count - 1;

	while (low < high) {
		size_t gap = low + (high - low) / 2;
		int side;
		double p = pn_capped_rank_p(&side, rank, middle(rank, gap));
		bool refused = p <= level && side == from;

		if (refused == (from > 0))
			low = gap + 1;
		else
			high = gap;
	}
	return low;
}

void pn_capped_rank_interval(double *low, double *high,
			     struct pn_capped_rank *rank, double level)
{
	if (rank->walsh_count == 1) {
		*low = *high = rank->walsh[0];
		return;
	}
	if (ldexp(1, 1 - (int)rank->count) > level) {
		*low = -INFINITY;
		*high = INFINITY;
		return;
	}
	*low = rank->walsh[first_end(rank, level, 1)];
	*high = rank->walsh[first_end(rank, level, -1)];
}
