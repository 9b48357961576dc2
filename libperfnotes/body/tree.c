/* Paths in little room. */
#include "body/tree.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH_MIN 2

struct pn_body_tree *pn_body_tree_new(void)
{
	struct pn_body_tree *tree = pn_calloc(1, sizeof(*tree));

	atomic_init(&tree->refs, 1);
	tree->width = WIDTH_MIN;
	return tree;
}

struct pn_body_tree *pn_body_tree_share(struct pn_body_tree *tree)
{
	atomic_fetch_add(&tree->refs, 1);
	return tree;
}

struct pn_body_tree *pn_body_tree_copy(const struct pn_body_tree *tree,
				       size_t rows)
{
	struct pn_body_tree *copy = pn_body_tree_new();

	copy->width = tree->width;
	if (!rows)
		return copy;
	pn_body_tree_reserve(copy, rows);
	memcpy(copy->bytes, tree->bytes, rows * tree->width);
	copy->fork_count = copy->fork_cap =
		pn_body_tree_fork(tree, rows - 1) + 1;
	copy->forks =
		pn_realloc_array(NULL, copy->fork_count, sizeof(*copy->forks));
	memcpy(copy->forks, tree->forks,
	       copy->fork_count * sizeof(*copy->forks));
	copy->ups = copy->locations = rows;
	return copy;
}

void pn_body_tree_drop(struct pn_body_tree *tree)
{
	if (!tree || atomic_fetch_sub(&tree->refs, 1) != 1)
		return;
	free(tree->forks);
	free(tree->bytes);
	free(tree);
}

void pn_body_tree_reserve(struct pn_body_tree *tree, size_t rows)
{
	if (rows <= tree->cap)
		return;
	tree->bytes = pn_realloc_array(tree->bytes, rows, tree->width);
	tree->cap = rows;
}

bool pn_body_tree_add_up(struct pn_body_tree *tree, uint64_t up)
{
	struct pn_body_fork *fork;
	size_t row = tree->ups;

	if (up > row || row >= UINT32_MAX)
		return false;
	tree->ups++;
	if (up == 1)
		return true;
	tree->forks = pn_grow(tree->forks, &tree->fork_cap,
			      tree->fork_count + 1, sizeof(*tree->forks));
	fork = &tree->forks[tree->fork_count++];
	fork->row = (uint32_t)row;
	fork->up = (uint32_t)up;
	return true;
}

static void put(struct pn_body_tree *tree, size_t row, unsigned int width,
		uint32_t location)
{
	unsigned char *at = tree->bytes + row * width;
	unsigned int i;

	for (i = 0; i < width; i++)
		at[i] = (unsigned char)(location >> i * 8);
}

/* From the last to the first, so that there is no need for a second array. */
static void widen(struct pn_body_tree *tree, unsigned int width)
{
	size_t i;

	tree->bytes = pn_realloc_array(tree->bytes, tree->cap, width);
	for (i = tree->locations; i-- > 0;)
		put(tree, i, width, pn_body_tree_location(tree, i));
	tree->width = width;
}

bool pn_body_tree_add_location(struct pn_body_tree *tree, uint64_t location)
{
	size_t row = tree->locations;

	if (location > UINT32_MAX || row >= tree->cap)
		return false;
	if (location >> tree->width * 8)
		widen(tree, location >> 24 ? 4 : 3);
	put(tree, row, tree->width, (uint32_t)location);
	tree->locations++;
	return true;
}

size_t pn_body_tree_fork(const struct pn_body_tree *tree, size_t row)
{
	size_t low = 0, high = tree->fork_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (tree->forks[middle].row <= row)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The caller's row + 1, 0: none. */
static uint64_t parent_of(const struct pn_body_fork *fork)
{
	return fork->up ? (uint64_t)fork->row - fork->up + 1 : 0;
}

void pn_body_finder_init(struct pn_body_finder *f,
			 const struct pn_body_tree *tree, size_t rows)
{
	size_t i, at;

	memset(f, 0, sizeof(*f));
	f->tree = tree;
	f->rows = rows;
	f->key = pn_hash_random();
	f->mask = 15;
	while (f->mask < tree->fork_count)
		f->mask = f->mask * 2 + 1;
	f->heads = pn_realloc_array(NULL, f->mask + 1, sizeof(*f->heads));
	memset(f->heads, 0xff, (f->mask + 1) * sizeof(*f->heads));
	f->nexts =
		pn_realloc_array(NULL, tree->fork_count + 1, sizeof(*f->nexts));
	/* from the last, so that chains begin with the first */
	for (i = tree->fork_count; i-- > 0;) {
		const struct pn_body_fork *fork = &tree->forks[i];

		if (fork->row >= rows)
			continue;
		at = pn_body_path_chain(f->key, parent_of(fork),
					pn_body_tree_location(tree, fork->row),
					f->mask);
		f->nexts[i] = f->heads[at];
		f->heads[at] = (uint32_t)i;
	}
}

void pn_body_finder_release(struct pn_body_finder *f)
{
	free(f->heads);
	free(f->nexts);
	memset(f, 0, sizeof(*f));
}

/* Whether a row stands behind its caller's, which is of this fork. */
static bool goes_on(const struct pn_body_finder *f, size_t fork, uint64_t row)
{
	return row < f->rows && (fork + 1 == f->tree->fork_count ||
				 f->tree->forks[fork + 1].row != row);
}

uint64_t pn_body_finder_step(const struct pn_body_finder *f, size_t *fork,
			     uint64_t parent, uint64_t location)
{
	const struct pn_body_tree *tree = f->tree;
	unsigned int steps = 0;
	uint32_t at;

	if (parent && goes_on(f, *fork, parent) &&
	    pn_body_tree_location(tree, (size_t)parent) == location)
		return parent + 1;
	at = f->heads[pn_body_path_chain(f->key, parent, location, f->mask)];
	for (; at != UINT32_MAX && steps < PN_BODY_STEPS_MAX;
	     at = f->nexts[at]) {
		const struct pn_body_fork *to = &tree->forks[at];

		if (parent_of(to) == parent &&
		    pn_body_tree_location(tree, to->row) == location) {
			*fork = at;
			return (uint64_t)to->row + 1;
		}
		steps++;
	}
	return 0;
}
