/*
 * One forward and backward pass. Rows of floats, one for each state: the first
 * commit of a segment, a later one; with a slow state each twice. They hold
 * what their commit and those before let expect, not scaled: the row's sum
 * divides when the next one is made.
 */
#include "detect/history/pass.h"

#include "base/alloc.h"
#include "detect/history/lanes.h"
#include "detect/history/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROW_BYTES (32u << 20) /* of all rows that are kept */
#define SMALL 1e-200
/* Of many levels only those are looked at on which a commit may be: beside the
 * ones before it, and near its value. */
#ifdef PN_HISTORY_DOUBLE
#define MANY_LEVELS PN_GRID_MAX_LEVELS
#else
#define MANY_LEVELS 48
#endif
#define NOTHING 2e-7f /* share of a row: at its ends levels with less go */

#define LANES PN_LANES
typedef PN_REAL lanes PN_LANES_VECTOR;

/* Of a block of commits. A row has states x stride floats, of which those of
 * the commit's range are set. */
struct rows {
	PN_REAL *seen; /* states 2 or 4: first, later, and both slow */
	struct pn_emission_rows *densities;
	PN_REAL *own; /* of those that the emission does not keep */
	PN_REAL *sums;
};

struct chain {
	const struct pn_grid *g;
	const struct pn_noise *noise;
	size_t levels, slow; /* slow: 2 with the slow state, else 1 */
	size_t stride;	     /* levels filled up to whole lanes */
	struct pn_emission emission;
	PN_REAL *wander_up; /* share that goes up by `apart`, of each level */
	size_t apart;
	struct pn_spread_pairs pairs;
	PN_REAL chance;		      /* of a change */
	PN_REAL *level_values;	      /* the levels */
	PN_REAL *sums, *work, *mixed; /* scratch */
	struct pn_levels *ranges;     /* of each commit */
	size_t block;		      /* commits whose rows are kept */
	struct rows rows;
	PN_REAL *marks;	  /* row and sum before each block */
	double mean;	  /* expected level of the row made last */
	double *means_at; /* at the marks */
};

static lanes load(const PN_REAL *from)
{
	return PN_LANES_AT(const lanes, from);
}

static void store(PN_REAL *to, lanes value)
{
	PN_LANES_AT(lanes, to) = value;
}

static PN_REAL sum_of(lanes value)
{
	return (value[0] + value[2]) + (value[1] + value[3]);
}

static struct pn_levels either(struct pn_levels a, struct pn_levels b)
{
	return (struct pn_levels){a.from < b.from ? a.from : b.from,
				  a.to > b.to ? a.to : b.to};
}

/* No row has anything outside of its range: what it has not yet, up to `to`. */
static void extend(const struct chain *c, PN_REAL *rows, size_t states,
		   struct pn_levels has, struct pn_levels to)
{
	size_t k;

	for (k = 0; k < states; k++, rows += c->stride) {
		if (to.from < has.from)
			memset(rows + to.from, 0,
			       (size_t)(has.from - to.from) * sizeof(*rows));
		if (to.to > has.to)
			memset(rows + has.to, 0,
			       (size_t)(to.to - has.to) * sizeof(*rows));
	}
}

/* Levels give a share to those beside them. */
static void wander(PN_REAL *restrict row, const struct chain *c,
		   struct pn_levels in)
{
	PN_REAL *restrict from = c->work;
	const PN_REAL *up = c->wander_up;
	size_t l, d = c->apart, most = in.to;

	most = most < c->levels ? most : c->levels;
	memcpy(from + in.from, row + in.from,
	       (size_t)(in.to - in.from) * sizeof(*row));
	for (l = in.from; l + d < most; l++) {
		PN_REAL step = up[l] * (from[l] - from[l + d]);

		row[l] -= step;
		row[l + d] += step;
	}
}

static void begin(struct chain *c, PN_REAL *row,
		  const struct pn_emission_rows *of)
{
	double enter = c->noise->enter, leave = c->noise->leave;
	PN_REAL slow = c->slow > 1 ? (PN_REAL)(enter / (enter + leave)) : 0;
	size_t l, n = c->stride, s = c->slow;
	PN_REAL levels = (PN_REAL)c->levels;

	memset(row, 0, 2 * s * n * sizeof(*row));
	for (l = 0; l < c->levels; l++)
		row[s * n + l] = (1 - slow) / levels * of->later[l];
	for (l = 0; s > 1 && l < c->levels; l++)
		row[s * n + n + l] = slow / levels * of->slow[l];
}

/* The slow state is entered and left: rows of one age, both states. `out` may
 * be `row`. */
static void mix(const struct chain *c, PN_REAL *out, const PN_REAL *row,
		struct pn_levels in, bool back)
{
	PN_REAL enter = (PN_REAL)c->noise->enter,
		leave = (PN_REAL)c->noise->leave;
	PN_REAL to = back ? enter : leave, from = back ? leave : enter;
	PN_REAL stay = 1 - enter, stay_slow = 1 - leave;
	size_t l, n = c->stride;
	lanes usual, slow;

	for (l = in.from; l < in.to; l += LANES) {
		usual = load(row + l);
		slow = load(row + n + l);
		store(out + l, stay * usual + to * slow);
		store(out + n + l, from * usual + stay_slow * slow);
	}
}

/* Multiplies by the densities; adds to the sum of all. */
static void weigh(lanes *sum, PN_REAL *restrict row,
		  PN_REAL *restrict row_later, const PN_REAL *first,
		  const PN_REAL *later, struct pn_levels in)
{
	lanes a, b;
	size_t l;

	for (l = in.from; l < in.to; l += LANES) {
		a = load(row + l) * load(first + l);
		b = load(row_later + l) * load(later + l);
		store(row + l, a);
		store(row_later + l, b);
		*sum += a + b;
	}
}

/* out = share * first + stay * later */
static void unite(PN_REAL *restrict out, const PN_REAL *first, PN_REAL share,
		  const PN_REAL *later, PN_REAL stay, struct pn_levels in)
{
	size_t l;

	for (l = in.from; l < in.to; l += LANES)
		store(out + l,
		      share * load(first + l) + stay * load(later + l));
}

/* The row of commit t from the one before, which has `had` and is extended, and
 * its sum. Returns its sum. */
static PN_REAL forward(struct chain *c, PN_REAL *restrict row, PN_REAL *before,
		       PN_REAL sum_before, const struct pn_emission_rows *of,
		       size_t t)
{
	size_t n = c->stride, s = c->slow, k;
	struct pn_levels had = c->ranges[t - 1], in = c->ranges[t];
	const PN_REAL *old_first = before, *old_later = before + s * n;
	PN_REAL scale = 1 / sum_before, stay = (1 - c->chance) * scale;
	PN_REAL *new_later = row + s * n;
	lanes sum = {0};

	extend(c, before, 2 * s, had, in);
	if (s > 1) {
		mix(c, c->mixed, before, either(had, in), false);
		mix(c, c->mixed + 2 * n, before + 2 * n, either(had, in),
		    false);
		old_first = c->mixed;
		old_later = c->mixed + 2 * n;
	}
	for (k = 0; k < s; k++) {
		pn_spread(row + k * n, NULL, c->g, c->sums, &c->pairs,
			  old_later + k * n, c->chance * scale, had, in);
		unite(new_later + k * n, old_first + k * n, scale,
		      old_later + k * n, stay, in);
		if (c->wander_up && !k)
			wander(new_later, c, in);
		weigh(&sum, row + k * n, new_later + k * n,
		      k ? of->slow : of->first, k ? of->slow : of->later, in);
	}
	return sum_of(sum);
}

static PN_REAL mass_of(const struct chain *c, const PN_REAL *row, size_t level)
{
	lanes sum = {0};
	size_t k;

	for (k = 0; k < 2 * c->slow; k++)
		sum += load(row + k * c->stride + level);
	return sum_of(sum);
}

/* Ends of the row on which nearly nothing is go. */
static void trim(const struct chain *c, struct pn_levels *in,
		 const PN_REAL *row, PN_REAL sum)
{
	PN_REAL least = NOTHING * sum;

	if (c->levels <= MANY_LEVELS)
		return;
	while (in->from + LANES < in->to && mass_of(c, row, in->from) < least)
		in->from += LANES;
	while (in->from + LANES < in->to &&
	       mass_of(c, row, (size_t)in->to - LANES) < least)
		in->to -= LANES;
}

/* Where commit t may be. */
static void find_range(struct chain *c, size_t t)
{
	struct pn_levels *in = &c->ranges[t];
	size_t beside = (c->apart + LANES) / LANES * LANES, low, high;

	*in = (struct pn_levels){0, (uint16_t)c->stride};
	if (c->levels <= MANY_LEVELS || !t)
		return;
	pn_emission_near(&low, &high, &c->emission, t, c->mean);
	low = low / LANES * LANES;
	high = (high + LANES - 1) / LANES * LANES;
	*in = c->ranges[t - 1];
	in->from = (uint16_t)(in->from > beside ? in->from - beside : 0);
	in->to = (uint16_t)(in->to + beside < c->stride ? in->to + beside
							: c->stride);
	if (low < high)
		*in = either(*in,
			     (struct pn_levels){(uint16_t)low, (uint16_t)high});
}

static double mean_of(const struct chain *c, const PN_REAL *row, PN_REAL sum,
		      struct pn_levels in)
{
	size_t n = c->stride, l;
	lanes mean = {0};

	for (l = in.from; l < in.to; l += LANES)
		mean += (load(row + l) + load(row + n + l)) *
			load(c->level_values + l);
	return (double)(sum_of(mean) / sum);
}

static size_t row_floats(const struct chain *c)
{
	return 2 * c->slow * c->stride;
}

/* Rows of the commits from `from` to before `to`. Adds to the evidence when
 * that is wanted. */
static void forward_block(struct chain *c, size_t from, size_t to,
			  double *log_evidence)
{
	size_t floats = row_floats(c), t, i;
	const struct rows *r = &c->rows;
	double product = 1;

	for (t = from; t < to; t++) {
		struct pn_emission_rows *of = &r->densities[t - from];
		PN_REAL *row;

		i = t - from;
		row = r->seen + (i + 1) * floats;
		find_range(c, t);
		pn_emission_of(of, r->own + i * PN_EMISSION_ROWS * c->stride,
			       &c->emission, t, c->mean, c->ranges[t].from,
			       c->ranges[t].to);
		if (!t) {
			begin(c, row, of);
			r->sums[1] = 0;
			for (i = 0; i < floats; i++)
				r->sums[1] += row[i];
			i = 0;
		} else {
			r->sums[i + 1] = forward(c, row, row - floats,
						 r->sums[i], of, t);
			trim(c, &c->ranges[t], row, r->sums[i + 1]);
		}
		if (c->emission.shifts)
			c->mean = mean_of(c, row, r->sums[i + 1], c->ranges[t]);
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
	PN_REAL *mark = c->marks + block * (floats + 1);
	PN_REAL *kept = c->rows.seen + row * floats;

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

/* shares = what is seen times what is ahead, of both ages; sums of all, of
 * first commits and of levels. */
struct seen {
	PN_REAL all, first, level;
};

static void multiply(struct seen *out, PN_REAL *restrict shares,
		     const PN_REAL *row, const PN_REAL *ahead,
		     const PN_REAL *levels, size_t later, struct pn_levels in)
{
	lanes all = {0}, first = {0}, level = {0}, a, b;
	size_t l;

	for (l = in.from; l < in.to; l += LANES) {
		a = load(row + l) * load(ahead + l);
		b = a + load(row + later + l) * load(ahead + later + l);
		first += a;
		all += b;
		level += b * load(levels + l);
		store(shares + l, b);
	}
	out->all = sum_of(all);
	out->first = sum_of(first);
	out->level = sum_of(level);
}

/* What is seen and what is ahead have no level in common that floats have:
 * nothing is learned from such a commit. */
static void see_nothing(struct pn_pass *out, const struct chain *c, size_t t)
{
	out->change[t] = 0;
	out->level[t] = c->g->cells[t];
	if (out->slow)
		out->slow[t] = 0;
}

/* What is known of commit t when all are seen. */
static void look(struct pn_pass *out, struct chain *c, const PN_REAL *row,
		 const PN_REAL *ahead, size_t t)
{
	size_t n = c->stride, s = c->slow;
	struct seen usual, slow = {0};
	struct pn_levels in = c->ranges[t];
	PN_REAL all, scale;

	multiply(&usual, c->work, row, ahead, c->level_values, s * n, in);
	if (s > 1)
		multiply(&slow, c->work + n, row + n, ahead + n,
			 c->level_values, s * n, in);
	all = usual.all + slow.all;
	scale = 1 / all;
	if (!(all > 0) || !isfinite(scale)) {
		see_nothing(out, c, t);
		return;
	}
	out->change[t] = t ? (double)((usual.first + slow.first) * scale) : 0;
	out->level[t] = (double)((usual.level + slow.level) * scale);
	if (out->slow)
		out->slow[t] = (double)(slow.all * scale);
	if (!out->residuals)
		return;
	pn_emission_count(&c->emission, c->work, scale, t, false, in.from,
			  in.to);
	if (s > 1)
		pn_emission_count(&c->emission, c->work + n, scale, t, true,
				  in.from, in.to);
}

/* What the commits from t on let expect of the one before, from what those
 * behind t do. In place. */
static void backward(struct chain *c, PN_REAL *restrict ahead,
		     const struct pn_emission_rows *of, PN_REAL sum, size_t t)
{
	size_t n = c->stride, s = c->slow, l, k;
	struct pn_levels in = c->ranges[t], to = c->ranges[t - 1];
	struct pn_levels all = either(in, to);
	PN_REAL *begins = c->mixed, scale = 1 / sum, stay = 1 - c->chance;
	lanes goes_on;

	for (k = 0; k < s; k++) {
		PN_REAL *row = ahead + k * n, *row_later = row + s * n;
		const PN_REAL *later = k ? of->slow : of->later;
		const PN_REAL *first = k ? of->slow : of->first;

		for (l = in.from; l < in.to; l += LANES) {
			goes_on = load(row_later + l) * load(later + l) * scale;
			store(begins + k * n + l,
			      load(row + l) * load(first + l) * scale);
			store(row + l, goes_on);
			store(row_later + l, stay * goes_on);
		}
	}
	extend(c, ahead, 2 * s, in, to);
	if (c->wander_up) {
		wander(ahead, c, all);
		wander(ahead + s * n, c, all);
	}
	for (k = 0; k < s; k++)
		pn_spread(ahead + (s + k) * n, ahead + (s + k) * n, c->g,
			  c->sums, &c->pairs, begins + k * n, c->chance, in,
			  to);
	if (s > 1) {
		mix(c, ahead, ahead, to, true);
		mix(c, ahead + 2 * n, ahead + 2 * n, to, true);
	}
}

static void backward_block(struct pn_pass *out, struct chain *c, PN_REAL *ahead,
			   size_t from, size_t to)
{
	size_t floats = row_floats(c), t;
	const struct rows *r = &c->rows;

	for (t = to; t-- > from;) {
		size_t i = t - from;

		look(out, c, r->seen + (i + 1) * floats, ahead, t);
		if (t)
			backward(c, ahead, &r->densities[i], r->sums[i + 1], t);
	}
}

static void set_wander(struct chain *c)
{
	double variance = c->noise->wander * c->g->sd * c->g->sd / 2, share;
	const int32_t *levels = c->g->levels, spacing = c->g->spacing;
	size_t l, d;

	if (!(variance > 0))
		return;
	c->apart = 1;
	variance /= (double)spacing * spacing;
	for (share = variance; share > 0.4;) {
		c->apart++;
		share = variance / (double)(c->apart * c->apart);
	}
	d = c->apart;
	c->wander_up = pn_calloc(c->stride, sizeof(*c->wander_up));
	for (l = 0; l + d < c->levels; l++)
		if (levels[l + d] == levels[l] + spacing * (int32_t)d)
			c->wander_up[l] = (PN_REAL)share;
}

/* Rows of a block, which lie in the room. */
static void take_rows(struct rows *out, const struct chain *c,
		      struct pn_pass_room *room)
{
	size_t densities = c->block * sizeof(*out->densities);
	size_t seen = (c->block + 1) * row_floats(c);
	size_t own = c->block * PN_EMISSION_ROWS * c->stride;
	size_t size = densities + (seen + own) * sizeof(PN_REAL);

	if (room->size < size) {
		free(room->bytes);
		room->bytes = pn_malloc(size);
		room->size = size;
	}
	out->densities = room->bytes;
	out->seen = (PN_REAL *)(void *)((char *)room->bytes + densities);
	out->own = out->seen + seen;
}

static void init(struct chain *c, const struct pn_grid *g,
		 const struct pn_noise *noise, struct pn_pass_room *room)
{
	size_t floats, most;

	*c = (struct chain){.g = g, .noise = noise};
	c->levels = g->level_count;
	c->stride = (c->levels + LANES - 1) / LANES * LANES;
	c->slow = noise->enter > 0 ? 2 : 1;
	c->chance = (PN_REAL)g->chance;
	pn_emission_init(&c->emission, g, noise, c->stride);
	set_wander(c);
	c->level_values = pn_calloc(c->stride, sizeof(*c->level_values));
	for (most = 0; most < c->levels; most++)
		c->level_values[most] = (PN_REAL)g->levels[most];
	floats = row_floats(c);
	most = MAX_ROW_BYTES / (2 * floats * sizeof(PN_REAL)) + 1;
	c->block = g->n < most ? g->n : most;
	c->sums = pn_realloc_array(NULL, PN_SPREAD_SCRATCH(c->stride),
				   sizeof(PN_REAL));
	c->work = pn_realloc_array(NULL, 2 * floats, sizeof(PN_REAL));
	c->mixed = c->work + floats;
	take_rows(&c->rows, c, room);
	c->rows.sums = pn_realloc_array(NULL, c->block + 1, sizeof(PN_REAL));
	c->ranges = pn_realloc_array(NULL, g->n, sizeof(*c->ranges));
	most = g->n / c->block + 1;
	c->marks = pn_realloc_array(NULL, most * (floats + 1), sizeof(PN_REAL));
	c->means_at = pn_realloc_array(NULL, most, sizeof(double));
}

static void release(struct chain *c)
{
	free(c->rows.sums);
	pn_emission_release(&c->emission);
	free(c->wander_up);
	free(c->ranges);
	free(c->level_values);
	free(c->sums);
	free(c->work);
	free(c->marks);
	free(c->means_at);
}

/* All blocks from the first on; in the end the rows are those of the last. */
static void go_forward(double *log_evidence, struct chain *c)
{
	size_t n = c->g->n, from;

	*log_evidence = c->emission.log_scale * (double)n;
	for (from = 0; from < n; from += c->block) {
		if (from) {
			set_mark(c, from / c->block, c->block, false);
			set_mark(c, from / c->block, 0, true);
		}
		forward_block(c, from,
			      from + c->block < n ? from + c->block : n,
			      log_evidence);
	}
}

static void go_back(struct pn_pass *out, struct chain *c)
{
	size_t n = c->g->n, blocks = (n + c->block - 1) / c->block, block, from,
	       to, i;
	PN_REAL *ahead = pn_realloc_array(NULL, row_floats(c), sizeof(*ahead));

	for (i = 0; i < row_floats(c); i++)
		ahead[i] = i % c->stride < c->levels;
	for (block = blocks; block-- > 0;) {
		from = block * c->block;
		to = from + c->block < n ? from + c->block : n;
		if (block + 1 < blocks) {
			if (block)
				set_mark(c, block, 0, true);
			forward_block(c, from, to, NULL);
		}
		backward_block(out, c, ahead, from, to);
	}
	free(ahead);
}

void pn_pass_run(struct pn_pass *out, const struct pn_grid *grid,
		 const struct pn_noise *noise, struct pn_pass_room *room)
{
	size_t size = noise->part_count * (2 * (size_t)grid->reach + 1);
	struct chain c;

	init(&c, grid, noise, room);
	if (out->residuals)
		memset(out->residuals, 0, size * sizeof(*out->residuals));
	go_forward(&out->log_evidence, &c);
	if (!(out->log_evidence < out->least)) {
		go_back(out, &c);
		if (out->residuals)
			pn_emission_counted(out->residuals, &c.emission);
	}
	release(&c);
}
