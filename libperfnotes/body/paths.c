/*
 * Stacks in order of their frames from the root on have their longest common
 * beginning with a neighbour. A stack's own paths begin behind what it has in
 * common with any stack before it: that is the longest one with those two of
 * its neighbours that are left when all later ones are taken out.
 */
#include "body/paths.h"

#include "base/alloc.h"
#include "body/state.h"

#include <stdlib.h>
#include <string.h>

/* The paths that a stack is the first to have: all behind its first `kept`
 * frames. */
struct limb {
	uint32_t stack, kept;
	uint32_t first; /* row */
	uint32_t up;	/* rows from there to that of the caller, 0: a root */
};

struct pn_body_paths {
	const struct pn_profile *p;
	struct limb *limbs;
	size_t limb_count;
	size_t count;	/* of paths */
	uint64_t *ends; /* row + 1 and stack, in order of rows */
	size_t end_count;
};

/* A stack that is put in order; it keeps its number by which it came. */
struct item {
	const uint32_t *end; /* behind its root, which is its last frame */
	uint32_t len, number;
};

/* What is known of a stack, by its number. */
struct branch {
	uint32_t kept;	/* frames that stacks before it have, too */
	uint32_t owner; /* whose the last of those is */
	uint32_t first; /* row of its own first path */
};

static uint32_t len_of(const struct pn_profile *p, uint32_t stack)
{
	return p->stack_start[stack + 1] - p->stack_start[stack];
}

/* A frame of a stack, 0 for its root. */
static uint32_t frame_at(const struct pn_profile *p, uint32_t stack,
			 uint32_t depth)
{
	return p->frames[p->stack_start[stack + 1] - 1 - depth];
}

static uint32_t common(const struct item *a, const struct item *b)
{
	uint32_t n = 0, max = a->len < b->len ? a->len : b->len;

	while (n < max && *(a->end - 1 - n) == *(b->end - 1 - n))
		n++;
	return n;
}

static int from_root(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	uint32_t n = common(a, b);

	if (n < a->len && n < b->len)
		return *(a->end - 1 - n) < *(b->end - 1 - n) ? -1 : 1;
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static struct item *sort_stacks(const struct pn_profile *p,
				const uint32_t *stacks, size_t count)
{
	struct item *items = pn_realloc_array(NULL, count, sizeof(*items));
	size_t i;

	for (i = 0; i < count; i++) {
		/* stacks may all be without frames */
		items[i].end =
			p->frames ? p->frames + p->stack_start[stacks[i] + 1]
				  : NULL;
		items[i].len = len_of(p, stacks[i]);
		items[i].number = (uint32_t)i;
	}
	qsort(items, count, sizeof(*items), from_root);
	return items;
}

/* Neighbours in order, with a place before the first and behind the last. */
struct ring {
	uint32_t *before, *behind;
	uint32_t *shared; /* frames in common with the one before */
	uint32_t *place;  /* by number */
};

static void ring_init(struct ring *r, const struct item *items, size_t count)
{
	size_t i;

	r->before = pn_realloc_array(NULL, (count + 2) * 4, 4);
	r->behind = r->before + count + 2;
	r->shared = r->behind + count + 2;
	r->place = r->shared + count + 2;
	for (i = 0; i < count + 2; i++) {
		r->before[i] = (uint32_t)(i ? i - 1 : 0);
		r->behind[i] = (uint32_t)(i + 1);
		r->shared[i] = i > 1 && i <= count
				       ? common(&items[i - 2], &items[i - 1])
				       : 0;
		if (i && i <= count)
			r->place[items[i - 1].number] = (uint32_t)i;
	}
}

/* For each stack what it shares with those before it, and the number of one
 * that does; from the last one, which then goes. */
static void find_shared(struct branch *out, const struct item *items,
			size_t count)
{
	struct ring r;
	size_t i;

	ring_init(&r, items, count);
	for (i = count; i-- > 0;) {
		uint32_t at = r.place[i], next = r.behind[at];
		bool later = r.shared[next] > r.shared[at];

		out[i].kept = later ? r.shared[next] : r.shared[at];
		out[i].owner =
			out[i].kept ? items[(later ? next : r.before[at]) - 1]
					      .number
				    : 0;
		r.behind[r.before[at]] = next;
		r.before[next] = r.before[at];
		if (!later)
			continue;
		r.shared[next] = r.shared[at];
	}
	free(r.before);
}

/* The stack whose own the frame is that another one has at a depth. */
static uint32_t owner_of(const struct branch *all, uint32_t number,
			 uint32_t depth)
{
	while (depth < all[number].kept)
		number = all[number].owner;
	return number;
}

static void add_limb(struct pn_body_paths *paths, struct branch *all,
		     uint32_t number, uint32_t stack)
{
	struct branch *b = &all[number];
	struct limb limb = {stack, b->kept, (uint32_t)paths->count, 0};
	const struct branch *owner;

	b->first = limb.first;
	if (b->kept) {
		owner = &all[b->owner];
		limb.up = limb.first -
			  (owner->first + (b->kept - 1 - owner->kept));
	}
	paths->limbs[paths->limb_count++] = limb;
	paths->count += len_of(paths->p, stack) - b->kept;
}

static int by_number(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* In order, so that each finds its callers. */
static void number_paths(struct pn_body_paths *paths, uint32_t *rows,
			 struct branch *all, const uint32_t *stacks,
			 size_t count)
{
	const struct pn_profile *p = paths->p;
	const struct branch *owner;
	uint32_t i, len;

	for (i = 0; i < count; i++) {
		len = len_of(p, stacks[i]);
		if (all[i].kept)
			all[i].owner =
				owner_of(all, all[i].owner, all[i].kept - 1);
		if (all[i].kept < len)
			add_limb(paths, all, i, stacks[i]);
		owner = all[i].kept < len ? &all[i] : &all[all[i].owner];
		rows[stacks[i]] =
			len ? owner->first + (len - 1 - owner->kept) + 1 : 0;
		paths->ends[paths->end_count++] =
			(uint64_t)rows[stacks[i]] << 32 | stacks[i];
	}
	qsort(paths->ends, paths->end_count, sizeof(*paths->ends), by_number);
}

struct pn_body_paths *pn_body_paths_new(uint32_t *rows,
					const struct pn_profile *profile,
					const uint32_t *stacks, size_t count)
{
	struct pn_body_paths *paths = pn_calloc(1, sizeof(*paths));
	struct branch *all = pn_realloc_array(NULL, count, sizeof(*all));
	struct item *items = sort_stacks(profile, stacks, count);

	find_shared(all, items, count);
	free(items);
	paths->p = profile;
	paths->limbs = pn_realloc_array(NULL, count, sizeof(*paths->limbs));
	paths->ends = pn_realloc_array(NULL, count, sizeof(*paths->ends));
	number_paths(paths, rows, all, stacks, count);
	free(all);
	return paths;
}

void pn_body_paths_free(struct pn_body_paths *paths)
{
	if (!paths)
		return;
	free(paths->limbs);
	free(paths->ends);
	free(paths);
}

size_t pn_body_paths_count(const struct pn_body_paths *paths)
{
	return paths->count;
}

bool pn_body_paths_frames(uint64_t *frames, const struct pn_body_paths *paths,
			  uint64_t limit)
{
	uint64_t row = 0, total = 0;
	uint32_t len, deepest = 0;
	size_t i;

	for (i = 0; i < paths->end_count; i++) {
		if (paths->ends[i] >> 32 == row)
			continue; /* the same path, or none */
		row = paths->ends[i] >> 32;
		len = len_of(paths->p, (uint32_t)paths->ends[i]);
		total += len;
		deepest = len > deepest ? len : deepest;
	}
	*frames = total;
	return deepest > PN_MAX_STACK_DEPTH || total > limit;
}

void pn_body_paths_mark(uint8_t *live, const struct pn_body_paths *paths)
{
	const struct pn_profile *p = paths->p;
	size_t i;
	uint32_t at;

	for (i = 0; i < paths->limb_count; i++)
		for (at = p->stack_start[paths->limbs[i].stack];
		     at < p->stack_start[paths->limbs[i].stack + 1]; at++)
			live[p->frames[at]] = 1;
}

/* Of two with the same path either one; the words are those of `ends`. */
uint32_t pn_body_paths_stack(const struct pn_body_paths *paths, uint64_t word)
{
	size_t low = 0, high = paths->end_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (paths->ends[middle] >> 32 < word)
			low = middle + 1;
		else
			high = middle;
	}
	return low < paths->end_count && paths->ends[low] >> 32 == word
		       ? (uint32_t)paths->ends[low]
		       : 0;
}

void pn_body_paths_lend(struct pn_profile *out,
			const struct pn_body_paths *paths)
{
	out->frames = paths->p->frames;
	out->frame_count = paths->p->frame_count;
	out->stack_start = paths->p->stack_start;
	out->stack_count = paths->p->stack_count;
}

void pn_body_paths_take_back(struct pn_profile *profile)
{
	profile->frames = NULL;
	profile->stack_start = NULL;
	profile->frame_count = profile->stack_count = 0;
}

void pn_body_paths_begin(struct pn_body_paths_cursor *cursor,
			 const struct pn_body_paths *paths, unsigned int column)
{
	cursor->paths = paths;
	cursor->column = column;
	cursor->limb = 0;
	cursor->depth = paths->limb_count ? paths->limbs[0].kept : 0;
}

size_t pn_body_paths_next(uint64_t *words, size_t max,
			  struct pn_body_paths_cursor *c)
{
	const struct pn_body_paths *paths = c->paths;
	const struct pn_profile *p = paths->p;
	size_t n = 0;

	while (n < max && c->limb < paths->limb_count) {
		const struct limb *limb = &paths->limbs[c->limb];
		uint32_t len = len_of(p, limb->stack);

		for (; n < max && c->depth < len; c->depth++)
			if (c->column == PN_BODY_PATH_LOCATION)
				words[n++] = frame_at(p, limb->stack, c->depth);
			else
				words[n++] =
					c->depth > limb->kept ? 1 : limb->up;
		if (c->depth == len && ++c->limb < paths->limb_count)
			c->depth = paths->limbs[c->limb].kept;
	}
	return n;
}

/* The limb that a row is of. */
static const struct limb *limb_of(const struct pn_body_paths *paths,
				  uint32_t row)
{
	size_t low = 0, high = paths->limb_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (paths->limbs[middle].first <= row)
			low = middle;
		else
			high = middle;
	}
	return &paths->limbs[low];
}

static bool leads_back(const struct pn_body_paths *paths, uint32_t row,
		       uint32_t stack)
{
	const struct pn_profile *p = paths->p;
	const struct limb *limb = limb_of(paths, row);
	uint32_t depth = len_of(p, stack);

	while (depth-- > 0) {
		uint32_t at = limb->kept + (row - limb->first);

		if (at >= len_of(p, limb->stack) ||
		    frame_at(p, limb->stack, at) != frame_at(p, stack, depth))
			return false;
		if (row > limb->first) {
			row--;
		} else {
			if (!limb->up != !depth || limb->up > row)
				return false;
			row -= limb->up;
			limb = limb_of(paths, row);
		}
	}
	return row == limb->first;
}

bool pn_body_paths_lead_back(const struct pn_body_paths *paths)
{
	size_t i;

	for (i = 0; i < paths->end_count; i++) {
		uint64_t row = paths->ends[i] >> 32;
		uint32_t stack = (uint32_t)paths->ends[i];

		if (row ? !leads_back(paths, (uint32_t)row - 1, stack)
			: len_of(paths->p, stack) != 0)
			return false;
	}
	return true;
}
