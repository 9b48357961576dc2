/* Ticks by stack, and samples that are shared out among their lines. */
#include "model/timeline/ticks.h"

#include "base/alloc.h"
#include "base/slots.h"

#include <stdlib.h>
#include <string.h>

#define WEIGHT_MAX (INT64_C(1) << 31) /* of a stack: a value times it fits */

void pn_ticks_add(struct pn_profile *p, uint32_t stack, int64_t line,
		  int64_t count)
{
	p->ticks = pn_grow(p->ticks, &p->tick_cap, p->tick_count + 1,
			   sizeof(*p->ticks));
	p->ticks[p->tick_count++] = (struct pn_tick){stack, line, count};
}

void pn_ticks_clear(struct pn_profile *p)
{
	free(p->ticks);
	p->ticks = NULL;
	p->tick_count = p->tick_cap = 0;
}

int pn_ticks_check(const struct pn_profile *p, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < p->tick_count; i++)
		if (p->ticks[i].stack >= p->stack_count ||
		    p->ticks[i].line < 0 || p->ticks[i].count <= 0)
			return pn_error_set(err, PN_EINVAL,
					    "tick %zu has a bad stack, line "
					    "or count",
					    i);
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct pn_tick *a = left, *b = right;

	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

void pn_ticks_unite(struct pn_profile *p)
{
	struct pn_tick *last;
	size_t i, n = 0;

	if (!p->tick_count)
		return;
	qsort(p->ticks, p->tick_count, sizeof(*p->ticks), compare);
	for (i = 0; i < p->tick_count; i++) {
		last = n ? &p->ticks[n - 1] : NULL;
		if (!last || compare(last, &p->ticks[i]) != 0)
			p->ticks[n++] = p->ticks[i];
		else if (__builtin_add_overflow(last->count, p->ticks[i].count,
						&last->count))
			last->count = INT64_MAX;
	}
	p->tick_count = n;
}

/* A tick as a share of its stack. */
struct share {
	int64_t before, after, all; /* counts up to here, and of the stack */
	uint32_t stack;		    /* with the line; PN_NONE: not yet */
};

__extension__ typedef __int128 wide;

struct spread {
	struct pn_profile *p;
	const struct pn_tick *ticks; /* by stack */
	struct share *shares;
	size_t count;
	/* samples of each stack that has ticks, and the next of each sample's;
	 * PN_NONE: none */
	uint32_t *samples, *next;
	wide sums[PN_MAX_VALUE_TYPES]; /* of the stack's samples so far */
	struct pn_slots slots;	       /* of `made` */
	struct made {
		uint32_t leaf, location;
		int64_t line;
	} * made;
	size_t made_count, made_cap;
};

/* The ticks from `at` on up to `end` are of one stack; their counts are cut to
 * what can be reckoned with. */
static void weigh(struct spread *s, size_t at, size_t end)
{
	double all = 0;
	int64_t sum = 0, divisor = 1;
	size_t i;

	for (i = at; i < end; i++)
		all += (double)s->ticks[i].count;
	while (all / (double)divisor > (double)WEIGHT_MAX / 2)
		divisor *= 2;
	for (i = at; i < end; i++) {
		s->shares[i].before = sum;
		sum += s->ticks[i].count / divisor;
		s->shares[i].after = sum;
		s->shares[i].stack = PN_NONE;
	}
	for (i = at; i < end; i++)
		s->shares[i].all = sum;
}

/* The leaf of a stack in another line. */
static uint32_t location_in(struct spread *s, uint32_t leaf, int64_t line)
{
	struct pn_profile *p = s->p;
	const uint64_t words[] = {leaf, (uint64_t)line};
	uint32_t row, hash = pn_slots_hash(&s->slots, words, 2);
	struct pn_location location = p->locations[leaf];
	struct pn_line *lines;
	size_t at;

	for (at = pn_slots_first(&s->slots, hash);
	     pn_slots_row(&row, &s->slots, &at, hash);)
		if (s->made[row].leaf == leaf && s->made[row].line == line)
			return s->made[row].location;
	lines = pn_malloc((location.line_count + 1) * sizeof(*lines));
	if (location.line_count)
		memcpy(lines, p->lines + location.line_first,
		       location.line_count * sizeof(*lines));
	if (location.line_count) {
		lines->line = line;
		lines->column = 0;
	}
	s->made = pn_grow(s->made, &s->made_cap, s->made_count + 1,
			  sizeof(*s->made));
	pn_slots_add(&s->slots, hash, (uint32_t)s->made_count);
	s->made[s->made_count].leaf = leaf;
	s->made[s->made_count].line = line;
	s->made[s->made_count].location = pn_profile_add_location(
		p, &location, lines, location.line_count);
	free(lines);
	return s->made[s->made_count++].location;
}

static uint32_t stack_in(struct spread *s, size_t tick)
{
	struct pn_profile *p = s->p;
	uint32_t stack = s->ticks[tick].stack;
	size_t from = p->stack_start[stack];
	size_t depth = p->stack_start[stack + 1] - from;
	uint32_t *frames;

	if (s->shares[tick].stack != PN_NONE)
		return s->shares[tick].stack;
	s->shares[tick].stack = stack;
	if (!depth || !s->ticks[tick].line)
		return stack;
	frames = pn_malloc(depth * sizeof(*frames));
	memcpy(frames, p->frames + from, depth * sizeof(*frames));
	frames[0] = location_in(s, frames[0], s->ticks[tick].line);
	s->shares[tick].stack = pn_profile_add_stack(p, frames, depth);
	free(frames);
	return s->shares[tick].stack;
}

/* What one more value makes the share of a tick grow by: rounded down, of the
 * sum of all values so far, so that shares add up to the values. */
static int64_t part_of(const struct share *share, wide before, wide after)
{
	wide now, then;

	now = after * share->after / share->all -
	      after * share->before / share->all;
	then = before * share->after / share->all -
	       before * share->before / share->all;
	return (int64_t)(now - then);
}

/* The values of a row in one tick; false: none. */
static bool share_out(union pn_value *part, const struct spread *s,
		      const union pn_value *row, const struct share *share)
{
	const struct pn_profile *p = s->p;
	bool any = false;
	size_t c;

	for (c = 0; c < p->type_count; c++) {
		if (p->types[c].number == PN_NUMBER_DOUBLE) {
			part[c].d = row[c].d *
				    (double)(share->after - share->before) /
				    (double)share->all;
			any |= part[c].d != 0;
		} else {
			part[c].i = part_of(share, s->sums[c],
					    s->sums[c] + row[c].i);
			any |= part[c].i != 0;
		}
	}
	return any;
}

static void put(struct spread *s, size_t sample, bool taken, uint32_t stack,
		const union pn_value *part)
{
	struct pn_profile *p = s->p;
	size_t c, at, width = p->type_count;

	if (!taken) {
		p->samples[sample].stack = stack;
		memcpy(p->values + sample * width, part, width * sizeof(*part));
		return;
	}
	at = pn_profile_add_sample(p, stack, p->samples[sample].labels, part);
	for (c = 0; c < width; c++)
		if (!pn_profile_is_present(p, sample, c))
			pn_profile_set_absent(p, at, c);
}

/* A sample of the stack whose ticks are those from `at` on up to `end`. */
static void spread_sample(struct spread *s, size_t sample, size_t at,
			  size_t end)
{
	struct pn_profile *p = s->p;
	union pn_value row[PN_MAX_VALUE_TYPES], part[PN_MAX_VALUE_TYPES];
	size_t c, width = p->type_count;
	bool taken = false;

	memcpy(row, p->values + sample * width, width * sizeof(*row));
	for (; at < end; at++) {
		if (!share_out(part, s, row, &s->shares[at]))
			continue;
		put(s, sample, taken, stack_in(s, at), part);
		taken = true;
	}
	for (c = 0; c < width; c++)
		if (p->types[c].number == PN_NUMBER_INT)
			s->sums[c] += row[c].i;
}

static void list_samples(struct spread *s)
{
	const struct pn_profile *p = s->p;
	size_t i;

	s->samples = pn_malloc(p->stack_count * sizeof(*s->samples));
	memset(s->samples, 255, p->stack_count * sizeof(*s->samples));
	s->next = pn_malloc((p->sample_count + 1) * sizeof(*s->next));
	for (i = p->sample_count; i--;) {
		s->next[i] = s->samples[p->samples[i].stack];
		s->samples[p->samples[i].stack] = (uint32_t)i;
	}
}

void pn_ticks_spread(struct pn_profile *p)
{
	struct spread s = {.p = p};
	size_t at, end;
	uint32_t i, stack;

	pn_ticks_unite(p);
	s.ticks = p->ticks;
	s.count = p->type_count ? p->tick_count : 0;
	if (s.count) {
		s.shares = pn_calloc(s.count, sizeof(*s.shares));
		list_samples(&s);
	}
	for (at = 0; at < s.count; at = end) {
		stack = s.ticks[at].stack;
		for (end = at; end < s.count && s.ticks[end].stack == stack;)
			end++;
		weigh(&s, at, end);
		memset(s.sums, 0, sizeof(s.sums));
		for (i = s.samples[stack]; s.shares[at].all && i != PN_NONE;
		     i = s.next[i])
			spread_sample(&s, i, at, end);
	}
	free(s.shares);
	free(s.samples);
	free(s.next);
	free(s.made);
	pn_slots_release(&s.slots);
	pn_ticks_clear(p);
}
