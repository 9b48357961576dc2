/*
 * One forward and backward pass. Rows of floats, one for each state: the first
 * commit of a segment, a later one; with a slow state each twice. They hold
 * what their commit and those before let expect, not scaled: the row's sum
 * divides when the next one is made.
 */
#include "detect/history/pass.h"

#include "base/alloc.h"
#include "detect/history/advance.h"
#include "detect/history/shelf.h"
#include "detect/history/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROW_BYTES (32u << 20) /* of all rows that are kept */
/* Of many levels only those are looked at on which a commit may be: beside the
 * ones before it, and near its value. */
#ifdef PN_HISTORY_DOUBLE
#define MANY_LEVELS ((size_t)UINT16_MAX)
#else
#define MANY_LEVELS ((size_t)160)
#endif
#define TRIM_EACH 2   /* commits */
#define NOTHING 5e-8f /* share of a row: at its ends levels with less go */

#define RANGE PN_GRID_LANES /* ranges are of whole ones */

/* A commit whose rows are kept. */
struct commit {
	struct commit *before;
	const PN_REAL *row; /* of each state the levels of its range */
	struct pn_emission_rows densities;
	PN_REAL sum;
};

/* What is known where rows begin to be kept. */
struct mark {
	size_t at;	    /* the first commit behind it */
	const PN_REAL *row; /* whole, of the one before, whose sum: */
	PN_REAL sum, mean;
};

struct chain {
	const struct pn_grid *g;
	const struct pn_noise *noise;
	struct pn_emission emission;
	struct pn_advance advance;
	const struct pn_advance_calls *calls;
	size_t floats;		  /* of the whole rows of a commit */
	struct pn_levels *ranges; /* of each commit */
	bool many; /* levels: of each commit only those of a range */
	/* Whole rows of the last commit, its sum and expected level. */
	PN_REAL *now, sum, mean;
	/* Of many levels rows are made in one and the other. */
	PN_REAL *spare;
	struct pn_levels spare_has;
	PN_REAL *begin; /* of both */
	bool own;	/* densities may need room of their own */
	struct mark *marks;
	size_t mark_count, mark_cap;
	struct pn_shelf *shelf;
	size_t kept; /* of the memory, by all commits */
	PN_REAL *shares;
	/* All levels of each commit are looked at, in sweeps over so many. */
	bool whole;
	size_t piece;
	PN_REAL *swept; /* their rows */
	const struct pn_sweep_calls *sweeps;
	struct pn_emission_commit *commits;
};

static void begin(struct chain *c, PN_REAL *row,
		  const struct pn_emission_rows *of)
{
	double enter = c->noise->enter, leave = c->noise->leave;
	size_t l, n = c->advance.stride, s = c->advance.slow;
	PN_REAL slow = s > 1 ? (PN_REAL)(enter / (enter + leave)) : 0;
	PN_REAL levels = (PN_REAL)c->g->there_count;
	const PN_REAL *there = c->g->there;

	memset(row, 0, c->floats * sizeof(*row));
	c->sum = 0;
	for (l = 0; l < c->g->level_count; l++) {
		row[s * n + l] = (1 - slow) / levels * there[l] * of->later[l];
		c->sum += row[s * n + l];
	}
	for (l = 0; s > 1 && l < c->g->level_count; l++) {
		row[s * n + n + l] = slow / levels * there[l] * of->slow[l];
		c->sum += row[s * n + n + l];
	}
	c->mean = 0;
	for (l = 0; s == 1 && l < c->g->level_count; l++)
		c->mean += row[n + l] * c->advance.levels[l] / c->sum;
}

static PN_REAL mass_of(const struct chain *c, const PN_REAL *row, size_t level)
{
	PN_REAL parts[4] = {0};
	size_t k, i;

	row += level;
	for (k = 0; k < 2 * c->advance.slow; k++, row += c->advance.stride)
		for (i = 0; i < 4; i++)
			parts[i] += row[i] + row[i + 4];
	return (parts[0] + parts[2]) + (parts[1] + parts[3]);
}

/* Nothing is outside of the range. */
static void leave(const struct chain *c, PN_REAL *row, struct pn_levels had,
		  struct pn_levels in)
{
	size_t k;

	for (k = 0; k < 2 * c->advance.slow; k++, row += c->advance.stride)
		pn_levels_leave(row, had, in);
}

/* Ends of the row on which nearly nothing is go. */
static void trim(const struct chain *c, struct pn_levels *in, PN_REAL *row)
{
	PN_REAL least = NOTHING * c->sum;
	struct pn_levels had = *in;

	while (in->from + RANGE < in->to && mass_of(c, row, in->from) < least)
		in->from += RANGE;
	while (in->from + RANGE < in->to &&
	       mass_of(c, row, (size_t)in->to - RANGE) < least)
		in->to -= RANGE;
	leave(c, row, had, *in);
}

/* Where commit t may be. */
static void find_range(struct chain *c, size_t t)
{
	struct pn_levels *in = &c->ranges[t];
	size_t stride = c->advance.stride, low, high;
	size_t beside = (c->advance.apart + RANGE - 1) / RANGE * RANGE;

	*in = (struct pn_levels){0, (uint16_t)stride};
	if (!c->many || !t)
		return;
	pn_emission_near(&low, &high, &c->emission, t, (double)c->mean);
	low = low / RANGE * RANGE;
	high = (high + RANGE - 1) / RANGE * RANGE;
	*in = c->ranges[t - 1];
	in->from = (uint16_t)(in->from > beside ? in->from - beside : 0);
	in->to =
		(uint16_t)(in->to + beside < stride ? in->to + beside : stride);
	if (low < high)
		*in = pn_levels_either(
			*in, (struct pn_levels){(uint16_t)low, (uint16_t)high});
}

/* Of each state what is in the range. */
static const PN_REAL *keep_row(struct chain *c, struct pn_levels in)
{
	size_t width = (size_t)(in.to - in.from), k;
	PN_REAL *kept = pn_shelf_take(c->shelf, 2 * c->advance.slow * width);
	const PN_REAL *row = c->now + in.from;

	for (k = 0; k < 2 * c->advance.slow; k++)
		memcpy(kept + k * width, row + k * c->advance.stride,
		       width * sizeof(*row));
	return kept;
}

static void find_densities(struct chain *c, struct commit *commit, size_t t)
{
	size_t most = PN_EMISSION_ROWS * c->advance.stride, taken;
	PN_REAL *own = NULL;

	if (c->own)
		own = pn_shelf_take(c->shelf, most);
	taken = pn_emission_of(&commit->densities, own, &c->emission, t,
			       (double)c->mean, c->ranges[t].from,
			       c->ranges[t].to);
	if (own)
		pn_shelf_give_back(c->shelf, most - taken * c->advance.stride);
}

/* The rows of commit t from those of the one before. */
static void make_row(struct chain *c, PN_REAL *row,
		     const struct pn_emission_rows *densities, size_t t)
{
	if (t)
		c->sum =
			c->calls->row(row, c->emission.shifts ? &c->mean : NULL,
				      &c->advance, c->now, c->sum, densities,
				      c->ranges[t - 1], c->ranges[t]);
	else
		begin(c, row, densities);
}

/* Commit t behind the one before it. */
static struct commit *go_on(struct chain *c, struct commit *before, size_t t)
{
	struct commit *commit = pn_shelf_take_bytes(c->shelf, sizeof(*commit));
	PN_REAL *row = c->spare;

	commit->before = before;
	find_range(c, t);
	find_densities(c, commit, t);
	if (c->many) {
		leave(c, row, c->spare_has, c->ranges[t]);
		make_row(c, row, &commit->densities, t);
		if (!c->g->dense || t % TRIM_EACH == 1)
			trim(c, &c->ranges[t], row);
		c->spare = c->now;
		c->spare_has = c->ranges[t ? t - 1 : 0];
		c->now = row;
		commit->row = keep_row(c, c->ranges[t]);
	} else {
		row = pn_shelf_take(c->shelf, c->floats);
		make_row(c, row, &commit->densities, t);
		commit->row = c->now = row;
	}
	commit->sum = c->sum;
	return commit;
}

static void set_mark(struct chain *c, size_t at)
{
	struct mark *mark;
	PN_REAL *row = NULL;

	if (at) {
		row = pn_realloc_array(NULL, c->floats, sizeof(*row));
		memcpy(row, c->now, c->floats * sizeof(*row));
	}
	c->marks = pn_grow(c->marks, &c->mark_cap, c->mark_count + 1,
			   sizeof(*c->marks));
	mark = &c->marks[c->mark_count++];
	*mark = (struct mark){at, row, c->sum, c->mean};
}

static void return_to(struct chain *c, const struct mark *mark)
{
	struct pn_levels all = {0, (uint16_t)c->advance.stride};

	c->now = c->begin;
	c->spare = c->begin + c->floats;
	if (mark->row)
		memcpy(c->now, mark->row, c->floats * sizeof(*mark->row));
	c->sum = mark->sum;
	c->mean = mark->mean;
	c->spare_has = all;
}

/* All commits; in the end the rows of those behind the last mark are kept.
 * Returns the last one. */
static struct commit *go_forward(double *log_evidence, struct chain *c)
{
	struct commit *last = NULL;
	size_t n = c->g->n, t;
	double product = 1;

	*log_evidence = c->emission.log_scale * (double)n;
	set_mark(c, 0);
	for (t = 0; t < n; t++) {
		if (pn_shelf_taken(c->shelf) - c->kept > MAX_ROW_BYTES) {
			set_mark(c, t);
			pn_shelf_return(c->shelf, c->kept);
			last = NULL;
		}
		last = go_on(c, last, t);
		product *= (double)c->sum;
		if (product < PN_SWEEP_SMALL) {
			*log_evidence += log(product);
			product = 1;
		}
	}
	*log_evidence += log(product);
	return last;
}

static void find_all_densities(struct chain *c, size_t from, size_t to)
{
	size_t t;

	pn_shelf_return(c->shelf, c->kept);
	pn_emission_begin(c->commits, &c->emission, from, to);
	for (t = from; c->emission.shifts && t < to; t++)
		if (!c->commits[t].of.later)
			pn_emission_begin_own(
				&c->commits[t],
				pn_shelf_take(c->shelf, c->advance.stride),
				&c->emission, t);
}

static struct pn_sweep sweep_of(struct chain *c, const struct mark *mark)
{
	size_t to = mark->at + c->piece;

	return (struct pn_sweep){.emission = &c->emission,
				 .commits = c->commits,
				 .rows = c->swept,
				 .before = mark->row,
				 .sum = mark->sum,
				 .mean = mark->mean,
				 .product = 1,
				 .from = mark->at,
				 .to = to < c->g->n ? to : c->g->n,
				 .shares = c->shares};
}

/* Forward from a mark, as far as rows are kept. */
static void sweep(struct pn_sweep *w, struct chain *c)
{
	find_all_densities(c, w->from, w->to);
	if (!w->from) {
		begin(c, w->rows, &c->commits[0].of);
		c->commits[0].sum = w->sum = c->sum;
		w->mean = c->mean;
		w->product *= (double)c->sum;
		w->before = w->rows;
		w->rows += c->floats;
		w->from++;
	}
	c->sweeps->forward(w, &c->advance);
	c->sum = w->sum;
	c->mean = w->mean;
	c->now = (PN_REAL *)w->before;
}

static void sweep_forward(double *log_evidence, struct chain *c)
{
	double product = 1;
	struct pn_sweep w;
	size_t t;

	*log_evidence = c->emission.log_scale * (double)c->g->n;
	for (t = 0; t < c->g->n; t += c->piece) {
		set_mark(c, t);
		w = sweep_of(c, &c->marks[c->mark_count - 1]);
		w.product = product;
		w.log_evidence = *log_evidence;
		sweep(&w, c);
		product = w.product;
		*log_evidence = w.log_evidence;
	}
	*log_evidence += log(product);
}

static void sweep_back(struct pn_pass *out, struct chain *c, PN_REAL *ahead)
{
	size_t n = c->advance.stride, k, mark = c->mark_count;
	struct pn_sweep w;

	for (k = 0; k < 2 * c->advance.slow; k++)
		memcpy(ahead + k * n, c->g->there, n * sizeof(*ahead));
	while (mark-- > 0) {
		w = sweep_of(c, &c->marks[mark]);
		if (mark + 1 < c->mark_count)
			sweep(&w, c);
		w.from = c->marks[mark].at;
		w.rows = c->swept;
		w.ahead = ahead;
		c->sweeps->back(out, &w, &c->advance);
	}
}

/* The same of those behind a mark. */
static struct commit *go_again(struct chain *c, size_t mark)
{
	struct commit *last = NULL;
	size_t t;

	pn_shelf_return(c->shelf, c->kept);
	return_to(c, &c->marks[mark]);
	for (t = c->marks[mark].at; t < c->marks[mark + 1].at; t++)
		last = go_on(c, last, t);
	return last;
}

static void count(struct chain *c, size_t t, PN_REAL scale, bool slow)
{
	const PN_REAL *shares = c->shares + (slow ? c->advance.stride : 0);
	double *counts = pn_emission_counts(&c->emission, t, slow);
	size_t from = c->ranges[t].from, to = c->ranges[t].to;

	if (counts)
		c->calls->count(counts + from, shares + from, scale, to - from);
	else
		pn_emission_count(&c->emission, shares, scale, t, slow, from,
				  to);
}

/* What is known of commit t when all are seen. */
static void look(struct pn_pass *out, struct chain *c,
		 const struct commit *commit, PN_REAL *ahead, size_t t)
{
	bool learn = out->residuals;
	struct pn_seen seen;
	PN_REAL scale;

	c->calls->look(&seen, learn ? c->shares : NULL, out->level, &c->advance,
		       commit->row, ahead, commit->sum, &commit->densities,
		       c->ranges[t]);
	scale = pn_seen_keep(out, &seen, c->g, t);
	if (!learn || !(scale > 0))
		return;
	count(c, t, scale, false);
	if (c->advance.slow > 1)
		count(c, t, scale, true);
}

static void go_back(struct pn_pass *out, struct chain *c, struct commit *last,
		    PN_REAL *ahead)
{
	size_t n = c->advance.stride, k, t = c->g->n, mark = c->mark_count;

	for (k = 0; k < 2 * c->advance.slow; k++)
		memcpy(ahead + k * n, c->g->there, n * sizeof(*ahead));
	while (mark-- > 0) {
		if (mark + 1 < c->mark_count)
			last = go_again(c, mark);
		for (; last; last = last->before) {
			look(out, c, last, ahead, --t);
			if (t)
				c->calls->back(ahead, &c->advance, c->ranges[t],
					       c->ranges[t - 1]);
		}
	}
}

static const PN_REAL *wander_up(struct chain *c)
{
	double variance = c->noise->wander * c->g->sd * c->g->sd / 2, share;
	const PN_REAL *there = c->g->there;
	const int32_t *levels = c->g->levels, spacing = c->g->spacing;
	size_t l, d, row;
	PN_REAL *up;

	if (!(variance > 0))
		return NULL;
	c->advance.apart = 1;
	variance /= (double)spacing * spacing;
	for (share = variance; share > 0.4;) {
		c->advance.apart++;
		share = variance /
			(double)(c->advance.apart * c->advance.apart);
	}
	d = c->advance.apart;
	up = pn_shelf_take(c->shelf, c->advance.stride);
	memset(up, 0, c->advance.stride * sizeof(*up));
	for (l = 0, row = 0; l < c->g->level_count; l++) {
		/* so many are there, one beside the other, up to l */
		row = !there[l]					  ? 0
		      : l && levels[l] == levels[l - 1] + spacing ? row + 1
								  : 1;
		if (row > d)
			up[l - d] = (PN_REAL)share;
	}
	return up;
}

/* Numbers that are 0. */
static PN_REAL *take(struct chain *c, size_t count)
{
	PN_REAL *out = pn_shelf_take(c->shelf, count);

	memset(out, 0, count * sizeof(*out));
	return out;
}

static void choose_calls(struct chain *c)
{
	c->calls = &pn_advance_narrow;
	c->sweeps = &pn_sweep_narrow;
#ifdef PN_HISTORY_HAS_WIDE
	if (!__builtin_cpu_supports("avx2"))
		return;
	c->calls = &pn_advance_wide;
	c->sweeps = &pn_sweep_wide;
#endif
}

/* Whether passes are sweeps, and memory for these: with a slow state, whose
 * rows are twice as long, as much as without. To get more of the system takes
 * longer than to compute rows a second time, and most of those passes are given
 * up before that. */
static void begin_sweeps(struct chain *c)
{
	const struct pn_grid *g = c->g;
	size_t piece = MAX_ROW_BYTES / (c->floats * sizeof(*c->swept));
	size_t most = (g->n + c->advance.slow - 1) / c->advance.slow;

	c->whole = !c->many && g->dense && g->spacing == 1 &&
		   pn_sweep_may(&c->advance);
	if (!c->whole)
		return;
	c->piece = piece < most ? piece : most;
	c->swept = pn_shelf_take(c->shelf, c->piece * c->floats);
	c->commits = pn_shelf_take_bytes(c->shelf, g->n * sizeof(*c->commits));
}

static void init(struct chain *c, const struct pn_grid *g,
		 const struct pn_noise *noise, struct pn_shelf *shelf)
{
	size_t n = PN_GRID_ROW(g->level_count), l;
	PN_REAL *levels;

	pn_shelf_return(shelf, 0);
	*c = (struct chain){.g = g, .noise = noise, .shelf = shelf};
	choose_calls(c);
	c->advance = (struct pn_advance){.grid = g,
					 .stride = n,
					 .slow = noise->enter > 0 ? 2 : 1,
					 .chance = (PN_REAL)g->chance,
					 .enter = (PN_REAL)noise->enter,
					 .leave = (PN_REAL)noise->leave};
	pn_emission_init(&c->emission, g, noise, n);
	c->advance.wander_up = wander_up(c);
	levels = take(c, n);
	for (l = 0; l < g->level_count; l++)
		levels[l] = (PN_REAL)g->levels[l];
	c->advance.levels = levels;
	c->advance.scratch = take(c, PN_ADVANCE_SCRATCH(n));
	c->floats = 2 * c->advance.slow * n;
	c->begin = take(c, 2 * c->floats);
	c->now = c->begin;
	c->spare = c->now + c->floats;
	c->many = g->there_count > MANY_LEVELS;
	c->own = !g->dense || c->emission.shifts;
	c->shares = take(c, 2 * n);
	c->ranges = pn_shelf_take_bytes(shelf, g->n * sizeof(*c->ranges));
}

static void release(struct chain *c)
{
	while (c->mark_count)
		free((void *)c->marks[--c->mark_count].row);
	free(c->marks);
	pn_emission_release(&c->emission);
}

void pn_pass_run(struct pn_pass *out, const struct pn_grid *grid,
		 const struct pn_noise *noise, struct pn_shelf *shelf)
{
	size_t size = noise->part_count * (2 * (size_t)grid->reach + 1);
	struct commit *last = NULL;
	struct chain c;
	PN_REAL *ahead;

	init(&c, grid, noise, shelf);
	ahead = take(&c, c.floats + RANGE);
	begin_sweeps(&c);
	c.kept = pn_shelf_taken(shelf);
	if (out->residuals)
		memset(out->residuals, 0, size * sizeof(*out->residuals));
	if (c.whole)
		sweep_forward(&out->log_evidence, &c);
	else
		last = go_forward(&out->log_evidence, &c);
	if (!(out->log_evidence < out->least)) {
		if (c.whole)
			sweep_back(out, &c, ahead);
		else
			go_back(out, &c, last, ahead);
		if (out->residuals)
			pn_emission_counted(out->residuals, &c.emission);
	}
	release(&c);
}
