/*
 * One forward and backward pass. Rows of floats, one for each state: the first
 * commit of a segment, a later one; with a slow state each twice. They hold
 * what their commit and those before let expect, not scaled: the row's sum
 * divides when the next one is made.
 */
#include "detect/history/pass.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OUTLIERS 0.01		  /* share of the broad density of outliers */
#define MAX_ROW_BYTES (32u << 20) /* of all rows that are kept */
#define LEAST_SHARE 1e-6f	  /* of a residual that is counted */
#define SMALL 1e-200

/* Of a block of commits. A row has states x levels floats. */
struct rows {
	float *seen;  /* states 2 or 4: first, later, and both slow */
	float *later; /* density of the value in a later commit, or slow too */
	float *first; /* in the first commit of a segment; may be `later` */
	float *sums;
};

struct chain {
	const struct pn_grid *g;
	const struct pn_noise *noise;
	size_t levels, slow; /* slow: 2 with the slow state, else 1 */
	float *density;	     /* tables, scaled */
	double log_scale;    /* what was taken off them */
	int *shifts;	     /* by the residual before; NULL: none */
	float *wander_up;    /* share that goes up by `apart` levels, of each */
	size_t apart;
	float chance, weights[7];   /* of a change; of sums of levels */
	float *sums, *work, *mixed; /* scratch */
	size_t block;		    /* commits whose rows are kept */
	struct rows rows;
	float *marks;	  /* row and sum before each block */
	double mean;	  /* expected level of the row made last */
	double *means_at; /* at the marks */
};

static int clip(int residual, int reach)
{
	return residual < -reach ? -reach
				 : (residual > reach ? reach : residual);
}

/* out = scale * (prior of a step from each level) . x */
static void spread(float *restrict out, const struct chain *c,
		   const float *restrict x, float scale)
{
	const struct pn_grid *g = c->g;
	const uint16_t *a0 = g->above[0], *a1 = g->above[1], *a2 = g->above[2];
	const uint16_t *b0 = g->below[0], *b1 = g->below[1], *b2 = g->below[2];
	float *restrict sums = c->sums;
	float w0 = (float)g->weights[0] * scale;
	float w1 = (float)(g->weights[1] - g->weights[0]) * scale;
	float w2 = (float)(g->weights[2] - g->weights[1]) * scale, all, sum = 0;
	size_t l;

	sums[0] = 0;
	for (l = 0; l < c->levels; l++)
		sums[l + 1] = sum += x[l];
	all = (float)g->weights[2] * scale * sum;
	for (l = 0; l < c->levels; l++)
		out[l] = all + w0 * (sums[b0[l]] - sums[a0[l]]) +
			 w1 * (sums[b1[l]] - sums[a1[l]]) +
			 w2 * (sums[b2[l]] - sums[a2[l]]);
}

/* Levels give a share to those beside them. */
static void wander(float *restrict row, const struct chain *c)
{
	float *restrict from = c->work;
	const float *up = c->wander_up;
	size_t l, d = c->apart;

	memcpy(from, row, c->levels * sizeof(*row));
	for (l = 0; l + d < c->levels; l++) {
		float step = up[l] * (from[l] - from[l + d]);

		row[l] -= step;
		row[l + d] += step;
	}
}

/* Densities of the value of commit t at each level. */
static void emit(const struct chain *c, float *later, float *first, size_t t)
{
	const struct pn_grid *g = c->g;
	int reach = g->reach, cell = g->cells[t], l, before, shift;
	size_t part = c->noise->part_count > 1 ? g->parts[t] : 0;
	const float *table =
		c->density + part * (2 * (size_t)reach + 1) + reach;
	int levels = (int)c->levels, gap = c->noise->gap;

	if (!c->shifts || !t) {
		for (l = 0; l < levels; l++)
			later[l] = table[clip(cell - g->levels[l], reach)];
	} else {
		before = g->cells[t - 1];
		shift = c->shifts[clip((int)rint(before - c->mean), reach)];
		for (l = 0; l < levels; l++) {
			int r = cell - g->levels[l];
			int s = c->shifts[clip(before - g->levels[l], reach)];

			later[l] = table[clip(r - s, reach)];
			first[l] = table[clip(r - shift, reach)];
		}
	}
	if (c->shifts && !t)
		memcpy(first, later, c->levels * sizeof(*later));
	for (l = 0; c->slow > 1 && l < levels; l++)
		later[levels + l] =
			table[clip(cell - g->levels[l] - gap, reach)];
}

static void begin(struct chain *c, float *row, const float *later)
{
	double enter = c->noise->enter, leave = c->noise->leave;
	float slow = c->slow > 1 ? (float)(enter / (enter + leave)) : 0;
	size_t l, n = c->levels, s = c->slow;

	memset(row, 0, 2 * s * n * sizeof(*row));
	for (l = 0; l < n; l++)
		row[s * n + l] = (1 - slow) / (float)n * later[l];
	for (l = 0; s > 1 && l < n; l++)
		row[s * n + n + l] = slow / (float)n * later[n + l];
}

/* The slow state is entered and left: rows of one age, both states. */
static void mix(const struct chain *c, float *restrict out,
		const float *restrict row, bool back)
{
	float enter = (float)c->noise->enter, leave = (float)c->noise->leave;
	float to = back ? enter : leave, from = back ? leave : enter;
	size_t l, n = c->levels;

	for (l = 0; l < n; l++) {
		float usual = row[l], slow = row[n + l];

		out[l] = (1 - enter) * usual + to * slow;
		out[n + l] = from * usual + (1 - leave) * slow;
	}
}

/* The row of commit t from the one before and its sum. Returns its sum. */
static float forward(struct chain *c, float *row, const float *before,
		     float sum_before, const float *later, const float *first)
{
	size_t n = c->levels, s = c->slow, l, k;
	const float *old_first = before, *old_later = before + s * n;
	float scale = 1 / sum_before, stay = (1 - c->chance) * scale, sum = 0;
	float *new_later = row + s * n;

	if (s > 1) {
		mix(c, c->mixed, before, false);
		mix(c, c->mixed + 2 * n, before + 2 * n, false);
		old_first = c->mixed;
		old_later = c->mixed + 2 * n;
	}
	for (k = 0; k < s; k++)
		spread(row + k * n, c, old_later + k * n, c->chance * scale);
	for (l = 0; l < s * n; l++)
		new_later[l] = old_first[l] * scale + stay * old_later[l];
	if (c->wander_up)
		wander(new_later, c);
	for (l = 0; l < s * n; l++) {
		row[l] *= first[l];
		new_later[l] *= later[l];
		sum += row[l] + new_later[l];
	}
	return sum;
}

static double mean_of(const struct chain *c, const float *row, float sum)
{
	size_t n = c->levels, l;
	double mean = 0;

	for (l = 0; l < n; l++)
		mean += (double)((row[l] + row[n + l]) / sum) * c->g->levels[l];
	return mean;
}

static size_t row_floats(const struct chain *c)
{
	return 2 * c->slow * c->levels;
}

/* Rows of the commits from `from` to before `to`. Adds to the evidence when
 * that is wanted. */
static void forward_block(struct chain *c, size_t from, size_t to,
			  double *log_evidence)
{
	size_t floats = row_floats(c), half = floats / 2, t, i;
	const struct rows *r = &c->rows;
	double product = 1;

	for (t = from; t < to; t++) {
		float *row, *later = r->later + (t - from) * half;
		float *first = r->first == r->later
				       ? later
				       : r->first + (t - from) * half;

		i = t - from;
		row = r->seen + (i + 1) * floats;
		emit(c, later, first, t);
		if (!t) {
			begin(c, row, later);
			r->sums[1] = 0;
			for (i = 0; i < floats; i++)
				r->sums[1] += row[i];
			i = 0;
		} else {
			r->sums[i + 1] = forward(c, row, row - floats,
						 r->sums[i], later, first);
		}
		if (c->shifts)
			c->mean = mean_of(c, row, r->sums[i + 1]);
		product *= r->sums[i + 1];
		if (log_evidence && product < SMALL) {
			*log_evidence += log(product);
			product = 1;
		}
	}
	if (log_evidence)
		*log_evidence += log(product);
}

/* Row 0 of the rows is the one before the block. */
static void set_mark(struct chain *c, size_t block, size_t row, bool load)
{
	size_t floats = row_floats(c);
	float *mark = c->marks + block * (floats + 1);
	float *kept = c->rows.seen + row * floats;

	if (load) {
		memcpy(kept, mark, floats * sizeof(*mark));
		c->rows.sums[row] = mark[floats];
		c->mean = c->means_at[block];
	} else {
		memcpy(mark, kept, floats * sizeof(*mark));
		mark[floats] = c->rows.sums[row];
		c->means_at[block] = c->mean;
	}
}

/* Residuals that are expected: of states with this offset. */
static void count_residuals(const struct chain *c, double *residuals,
			    const float *shares, size_t t, int offset)
{
	const struct pn_grid *g = c->g;
	int reach = g->reach, cell = g->cells[t];
	size_t part = c->noise->part_count > 1 ? g->parts[t] : 0, l;
	double *table = residuals + part * (2 * (size_t)reach + 1) + reach;

	for (l = 0; l < c->levels; l++) {
		int r = cell - g->levels[l] - offset;

		if (!(shares[l] > LEAST_SHARE))
			continue;
		if (c->shifts && t)
			r -= c->shifts[clip(g->cells[t - 1] - g->levels[l],
					    reach)];
		table[clip(r, reach)] += (double)shares[l];
	}
}

/* What is known of commit t when all are seen. */
static void look(struct pn_pass *out, const struct chain *c, const float *row,
		 const float *ahead, size_t t)
{
	size_t n = c->levels, s = c->slow, l, k;
	const float *row_later = row + s * n, *ahead_later = ahead + s * n;
	float *shares = c->work, first = 0, all = 0, scale;
	double level = 0, slow = 0;

	for (l = 0; l < s * n; l++) {
		float a = row[l] * ahead[l];

		shares[l] = a + row_later[l] * ahead_later[l];
		first += a;
		all += shares[l];
	}
	scale = 1 / all;
	for (l = 0; l < s * n; l++)
		shares[l] *= scale;
	for (k = 0; k < s; k++)
		for (l = 0; l < n; l++)
			level += (double)(shares[k * n + l] *
					  (float)c->g->levels[l]);
	for (l = 0; s > 1 && l < n; l++)
		slow += (double)shares[n + l];
	out->change[t] = t ? (double)(first * scale) : 0;
	out->level[t] = level;
	if (out->slow)
		out->slow[t] = slow;
	for (k = 0; out->residuals && k < s; k++)
		count_residuals(c, out->residuals, shares + k * n, t,
				k ? c->noise->gap : 0);
}

/* What the commits from t on let expect of the one before, from what those
 * behind t do. In place. */
static void backward(struct chain *c, float *ahead, const float *later,
		     const float *first, float sum)
{
	size_t n = c->levels, s = c->slow, l, k;
	float *ahead_later = ahead + s * n, scale = 1 / sum;
	float stay = 1 - c->chance;
	float *spreading = c->mixed;

	for (l = 0; l < s * n; l++) {
		ahead[l] *= first[l] * scale;
		ahead_later[l] *= later[l] * scale;
	}
	if (c->wander_up)
		wander(ahead_later, c);
	for (k = 0; k < s; k++)
		spread(spreading + k * n, c, ahead + k * n, c->chance);
	for (l = 0; l < s * n; l++) {
		ahead[l] = ahead_later[l];
		ahead_later[l] = spreading[l] + stay * ahead_later[l];
	}
	if (s > 1) {
		memcpy(c->mixed, ahead, row_floats(c) * sizeof(*ahead));
		mix(c, ahead, c->mixed, true);
		mix(c, ahead + 2 * n, c->mixed + 2 * n, true);
	}
}

static void backward_block(struct pn_pass *out, struct chain *c, float *ahead,
			   size_t from, size_t to)
{
	size_t floats = row_floats(c), half = floats / 2, t;
	const struct rows *r = &c->rows;

	for (t = to; t-- > from;) {
		size_t i = t - from;

		look(out, c, r->seen + (i + 1) * floats, ahead, t);
		if (t)
			backward(c, ahead, r->later + i * half,
				 r->first + i * half, r->sums[i + 1]);
	}
}

/* Tables of densities, the greatest of all near 1, with outliers in. */
static void set_density(struct chain *c)
{
	const struct pn_noise *noise = c->noise;
	size_t size = noise->part_count * (2 * (size_t)c->g->reach + 1), i;
	double most = -INFINITY, outlier;

	for (i = 0; i < size; i++)
		most = fmax(most, noise->log_density[i]);
	outlier = OUTLIERS * exp(log(c->g->floor) - most);
	c->density = pn_realloc_array(NULL, size, sizeof(*c->density));
	for (i = 0; i < size; i++)
		c->density[i] =
			(float)((1 - OUTLIERS) *
					exp(noise->log_density[i] - most) +
				outlier);
	c->log_scale = most;
}

/* By how much a residual shifts the one that follows; large ones, which are
 * outliers, by less or not at all. */
static void set_shifts(struct chain *c)
{
	int reach = c->g->reach, r;
	double rho = c->noise->correlation, f, away, weight;

	if (!(rho > 0))
		return;
	f = c->g->sd / sqrt(fmax(0.03, 1 - rho));
	c->shifts = pn_realloc_array(NULL, 2 * (size_t)reach + 1,
				     sizeof(*c->shifts));
	c->shifts += reach;
	for (r = -reach; r <= reach; r++) {
		away = fabs((double)r);
		weight = away <= 3.5 * f ? 1
					 : fmax(0, (6 * f - away) / (2.5 * f));
		c->shifts[r] = (int)rint(rho * r * weight);
	}
}

static void set_wander(struct chain *c)
{
	double variance = c->noise->wander * c->g->sd * c->g->sd / 2, share;
	const int32_t *levels = c->g->levels;
	size_t l, d;

	if (!(variance > 0))
		return;
	c->apart = 1;
	for (share = variance; share > 0.4;) {
		c->apart++;
		share = variance / (double)(c->apart * c->apart);
	}
	d = c->apart;
	c->wander_up = pn_calloc(c->levels, sizeof(*c->wander_up));
	for (l = 0; l + d < c->levels; l++)
		if (levels[l + d] == levels[l] + (int32_t)d)
			c->wander_up[l] = (float)share;
}

static void init(struct chain *c, const struct pn_grid *g,
		 const struct pn_noise *noise)
{
	size_t floats, most;

	*c = (struct chain){.g = g, .noise = noise};
	c->levels = g->level_count;
	c->slow = noise->enter > 0 ? 2 : 1;
	c->chance = (float)g->chance;
	set_density(c);
	set_shifts(c);
	set_wander(c);
	floats = row_floats(c);
	most = MAX_ROW_BYTES / (2 * floats * sizeof(float)) + 1;
	c->block = g->n < most ? g->n : most;
	c->sums = pn_realloc_array(NULL, c->levels + 1, sizeof(float));
	c->work = pn_realloc_array(NULL, floats, sizeof(float));
	c->mixed = pn_realloc_array(NULL, floats, sizeof(float));
	c->rows.seen =
		pn_realloc_array(NULL, (c->block + 1) * floats, sizeof(float));
	c->rows.later =
		pn_realloc_array(NULL, c->block * floats / 2, sizeof(float));
	c->rows.first = c->shifts
				? pn_realloc_array(NULL, c->block * floats / 2,
						   sizeof(float))
				: c->rows.later;
	c->rows.sums = pn_realloc_array(NULL, c->block + 1, sizeof(float));
	most = g->n / c->block + 1;
	c->marks = pn_realloc_array(NULL, most * (floats + 1), sizeof(float));
	c->means_at = pn_realloc_array(NULL, most, sizeof(double));
}

static void release(struct chain *c)
{
	if (c->rows.first != c->rows.later)
		free(c->rows.first);
	free(c->rows.later);
	free(c->rows.seen);
	free(c->rows.sums);
	free(c->density);
	if (c->shifts)
		free(c->shifts - c->g->reach);
	free(c->wander_up);
	free(c->sums);
	free(c->work);
	free(c->mixed);
	free(c->marks);
	free(c->means_at);
}

void pn_pass_run(struct pn_pass *out, const struct pn_grid *grid,
		 const struct pn_noise *noise)
{
	size_t blocks, block, from, to, i, n = grid->n, size;
	struct chain c;
	float *ahead;

	init(&c, grid, noise);
	size = noise->part_count * (2 * (size_t)grid->reach + 1);
	if (out->residuals)
		memset(out->residuals, 0, size * sizeof(*out->residuals));
	blocks = (n + c.block - 1) / c.block;
	out->log_evidence = c.log_scale * (double)n;
	for (block = 0; block < blocks; block++) {
		from = block * c.block;
		to = from + c.block < n ? from + c.block : n;
		if (block) {
			set_mark(&c, block, c.block, false);
			set_mark(&c, block, 0, true);
		}
		forward_block(&c, from, to, &out->log_evidence);
	}
	ahead = pn_realloc_array(NULL, row_floats(&c), sizeof(*ahead));
	for (i = 0; i < row_floats(&c); i++)
		ahead[i] = 1;
	for (block = blocks; block-- > 0;) {
		from = block * c.block;
		to = from + c.block < n ? from + c.block : n;
		if (block + 1 < blocks) {
			if (block)
				set_mark(&c, block, 0, true);
			forward_block(&c, from, to, NULL);
		}
		backward_block(out, &c, ahead, from, to);
	}
	free(ahead);
	release(&c);
}
