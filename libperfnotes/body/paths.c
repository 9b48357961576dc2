/*
 * Stacks in order of their frames from the root on have their longest common
 * beginning with a neighbour. A stack's own paths begin behind what it has in
 * common with any stack before it: that is the longest one with those two of
 * its neighbours that are left when all later ones are taken out.
 */
#include "body/paths.h"

#include "base/alloc.h"
#include "body/state.h"
#include "body/tree.h"

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
	struct pn_body_tree *tree; /* the base's, or what was read */
	size_t had;		   /* its rows that count */
	bool begun;		   /* to be read into it */
	uint32_t *map;		   /* rows of locations, NULL: their numbers */
	const struct pn_profile *p;
	struct limb *limbs;
	size_t limb_count;
	size_t count;	/* of paths */
	uint64_t *ends; /* row + 1 and stack, in order of rows */
	size_t end_count;
};

/* A stack that is put in order, with the number by which it came. */
struct item {
	const uint32_t *end; /* behind its root, which is its last frame */
	uint32_t len, number;
};

/* What is known of a stack, by its number. */
struct branch {
	uint32_t kept;	/* frames that stacks before it have, too */
	uint32_t owner; /* whose the last of those is */
	uint32_t first; /* row of its own first path */
	uint32_t base;	/* row + 1 of the last of `kept`, 0: owner has it */
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

		out[i].base = 0;
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
	if (b->base) {
		limb.up = limb.first - (b->base - 1);
	} else if (b->kept) {
		owner = &all[b->owner];
		limb.up = limb.first -
			  (owner->first + (b->kept - 1 - owner->kept));
	}
	paths->limbs[paths->limb_count++] = limb;
	paths->count += len_of(paths->p, stack) - b->kept;
}

/* The row of a location of the profile. */
static uint32_t row_of(const struct pn_body_paths *paths, uint32_t location)
{
	return paths->map ? paths->map[location] : location;
}

/* What the base has of each stack, where that is not less than what those
 * before it have. */
static void find_base(struct branch *all, const struct pn_body_paths *paths,
		      const uint32_t *stacks, size_t count)
{
	const struct pn_profile *p = paths->p;
	struct pn_body_finder finder;
	uint64_t row, next;
	size_t i, fork;
	uint32_t kept;

	pn_body_finder_init(&finder, paths->tree, paths->had);
	for (i = 0; i < count; i++) {
		row = fork = 0;
		for (kept = 0; kept < len_of(p, stacks[i]); kept++) {
			next = pn_body_finder_step(
				&finder, &fork, row,
				row_of(paths, frame_at(p, stacks[i], kept)));
			if (!next)
				break;
			row = next;
		}
		if (!kept || kept < all[i].kept)
			continue;
		all[i].kept = kept;
		all[i].base = (uint32_t)row;
	}
	pn_body_finder_release(&finder);
}

/* The row + 1 of a stack's last path; it has one at least. */
static uint32_t end_of(const struct branch *all, uint32_t number, uint32_t len)
{
	const struct branch *own = &all[number];

	if (own->kept == len && own->base)
		return own->base;
	own = own->kept == len ? &all[own->owner] : own;
	return own->first + (len - 1 - own->kept) + 1;
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
	uint32_t i, len;

	for (i = 0; i < count; i++) {
		len = len_of(p, stacks[i]);
		if (all[i].kept && !all[i].base)
			all[i].owner =
				owner_of(all, all[i].owner, all[i].kept - 1);
		if (all[i].kept < len)
			add_limb(paths, all, i, stacks[i]);
		rows[stacks[i]] = len ? end_of(all, i, len) : 0;
		paths->ends[paths->end_count++] =
			(uint64_t)rows[stacks[i]] << 32 | stacks[i];
	}
	qsort(paths->ends, paths->end_count, sizeof(*paths->ends), by_number);
}

static void find_paths(struct pn_body_paths *paths, uint32_t *rows,
		       const uint32_t *stacks, size_t count)
{
	struct branch *all = pn_realloc_array(NULL, count, sizeof(*all));
	struct item *items = sort_stacks(paths->p, stacks, count);

	find_shared(all, items, count);
	free(items);
	if (paths->tree)
		find_base(all, paths, stacks, count);
	paths->limbs = pn_realloc_array(NULL, count, sizeof(*paths->limbs));
	paths->ends = pn_realloc_array(NULL, count, sizeof(*paths->ends));
	number_paths(paths, rows, all, stacks, count);
	free(all);
}

struct pn_body_paths *pn_body_paths_new(uint32_t *rows,
					const struct pn_profile *profile,
					const uint32_t *stacks, size_t count)
{
	struct pn_body_paths *paths = pn_calloc(1, sizeof(*paths));

	paths->p = profile;
	find_paths(paths, rows, stacks, count);
	return paths;
}

struct pn_body_paths *pn_body_paths_behind(uint32_t *rows,
					   const struct pn_profile *profile,
					   const uint32_t *stacks, size_t count,
					   const struct pn_body_paths *base,
					   const uint32_t *locations)
{
	struct pn_body_paths *paths = pn_body_paths_inherit(base);
	size_t n = profile->location_count;

	paths->p = profile;
	paths->map = pn_realloc_array(NULL, n + 1, sizeof(*paths->map));
	if (n)
		memcpy(paths->map, locations, n * sizeof(*paths->map));
	find_paths(paths, rows, stacks, count);
	return paths;
}

struct pn_body_paths *pn_body_paths_inherit(const struct pn_body_paths *base)
{
	struct pn_body_paths *paths = pn_calloc(1, sizeof(*paths));

	paths->tree =
		base ? pn_body_tree_share(base->tree) : pn_body_tree_new();
	paths->had = paths->count = base ? base->count : 0;
	return paths;
}

/* A tree behind whose rows no other body of the chain has put its own. */
static void begin_reading(struct pn_body_paths *paths)
{
	struct pn_body_tree *tree = paths->tree;

	if (!paths->begun &&
	    (tree->ups > paths->had || tree->locations > paths->had)) {
		paths->tree = pn_body_tree_copy(tree, paths->had);
		pn_body_tree_drop(tree);
	}
	paths->begun = true;
}

int pn_body_paths_read(struct pn_body_paths *paths, unsigned int column,
		       const unsigned char *bytes, size_t len, uint64_t *budget,
		       struct pn_error *err)
{
	begin_reading(paths);
	return pn_body_tree_read(paths->tree, paths->had, column, bytes, len,
				 budget, err);
}

int pn_body_paths_end(struct pn_body_paths *paths, size_t rows,
		      size_t locations, struct pn_error *err)
{
	int code = 0;

	if (paths->begun || rows != paths->had) {
		begin_reading(paths);
		code = pn_body_tree_end(paths->tree, paths->had, rows,
					locations, err);
	}
	/* what is read is what the next one inherits */
	if (!code)
		paths->had = paths->count = rows;
	return code;
}

void pn_body_paths_free(struct pn_body_paths *paths)
{
	if (!paths)
		return;
	pn_body_tree_drop(paths->tree);
	free(paths->map);
	free(paths->limbs);
	free(paths->ends);
	free(paths);
}

size_t pn_body_paths_count(const struct pn_body_paths *paths)
{
	return paths->count;
}

size_t pn_body_paths_inherited(const struct pn_body_paths *paths)
{
	return paths->had;
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
	uint32_t at, stack;

	for (i = 0; i < paths->end_count; i++) {
		stack = (uint32_t)paths->ends[i];
		for (at = p->stack_start[stack]; at < p->stack_start[stack + 1];
		     at++)
			live[row_of(paths, p->frames[at])] = 1;
	}
}

void pn_body_paths_number(uint32_t *numbers, const struct pn_body_paths *paths)
{
	uint32_t i;

	for (i = 0; paths->map && i < paths->p->location_count; i++)
		numbers[paths->map[i]] = i;
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
	pn_body_paths_begin_new(cursor, paths, column);
	cursor->row = 0;
}

void pn_body_paths_begin_new(struct pn_body_paths_cursor *cursor,
			     const struct pn_body_paths *paths,
			     unsigned int column)
{
	cursor->paths = paths;
	cursor->column = column;
	cursor->row = paths->had;
	cursor->fork = cursor->limb = 0;
	cursor->depth = paths->limb_count ? paths->limbs[0].kept : 0;
}

/* Those of the base. */
static size_t next_had(uint64_t *words, size_t max,
		       struct pn_body_paths_cursor *c)
{
	const struct pn_body_tree *tree = c->paths->tree;
	size_t n;

	for (n = 0; n < max && c->row < c->paths->had; n++, c->row++) {
		if (c->column == PN_BODY_PATH_LOCATION)
			words[n] = pn_body_tree_location(tree, c->row);
		else if (c->fork < tree->fork_count &&
			 tree->forks[c->fork].row == c->row)
			words[n] = tree->forks[c->fork++].up;
		else
			words[n] = 1;
	}
	return n;
}

size_t pn_body_paths_next(uint64_t *words, size_t max,
			  struct pn_body_paths_cursor *c)
{
	const struct pn_body_paths *paths = c->paths;
	const struct pn_profile *p = paths->p;
	size_t n = next_had(words, max, c);

	while (n < max && c->limb < paths->limb_count) {
		const struct limb *limb = &paths->limbs[c->limb];
		uint32_t len = len_of(p, limb->stack);

		for (; n < max && c->depth < len; c->depth++)
			if (c->column == PN_BODY_PATH_LOCATION)
				words[n++] =
					row_of(paths, frame_at(p, limb->stack,
							       c->depth));
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

/* Paths that stand one behind the other. */
struct span {
	uint32_t first, up;
	const struct limb *limb; /* NULL: the base's */
};

static struct span span_of(const struct pn_body_paths *paths, uint32_t row)
{
	const struct pn_body_fork *fork;
	struct span span;

	if (row < paths->had) {
		fork = &paths->tree->forks[pn_body_tree_fork(paths->tree, row)];
		span.first = fork->row;
		span.up = fork->up;
		span.limb = NULL;
		return span;
	}
	span.limb = limb_of(paths, row);
	span.first = span.limb->first;
	span.up = span.limb->up;
	return span;
}

/* Whether the path is of the location of the stack's frame. */
static bool is_at(const struct pn_body_paths *paths, const struct span *span,
		  uint32_t row, uint32_t location)
{
	const struct limb *limb = span->limb;
	uint32_t at;

	if (!limb)
		return pn_body_tree_location(paths->tree, row) ==
		       row_of(paths, location);
	at = limb->kept + (row - limb->first);
	return at < len_of(paths->p, limb->stack) &&
	       frame_at(paths->p, limb->stack, at) == location;
}

static bool leads_back(const struct pn_body_paths *paths, uint32_t row,
		       uint32_t stack)
{
	struct span span = span_of(paths, row);
	uint32_t depth = len_of(paths->p, stack);

	while (depth-- > 0) {
		if (!is_at(paths, &span, row, frame_at(paths->p, stack, depth)))
			return false;
		if (row > span.first) {
			row--;
		} else {
			if (!span.up != !depth || span.up > row)
				return false;
			row -= span.up;
			span = span_of(paths, row);
		}
	}
	return row == span.first;
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
