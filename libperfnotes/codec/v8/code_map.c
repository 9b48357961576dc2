/* Code by address: a treap (Seidel & Aragon, Algorithmica 16, 1996). */
#include "codec/v8/code_map.h"

#include "base/alloc.h"

#include <stdlib.h>

void pn_code_map_release(struct pn_code_map *map)
{
	free(map->nodes);
	pn_slots_release(&map->random);
}

static struct pn_code_range *at(struct pn_code_map *map, uint32_t node)
{
	return &map->nodes[node - 1];
}

/* Those that begin below `address`, and the others. As deep as the tree, whose
 * weights no file can know. */
static void split(uint32_t *below, uint32_t *above, struct pn_code_map *map,
		  uint32_t node, uint64_t address)
{
	while (node) {
		struct pn_code_range *n = at(map, node);

		if (n->begin < address) {
			*below = node;
			below = &n->right;
			node = n->right;
		} else {
			*above = node;
			above = &n->left;
			node = n->left;
		}
	}
	*below = *above = 0;
}

static uint32_t join(struct pn_code_map *map, uint32_t left, uint32_t right)
{
	uint32_t top = 0, *to = &top;

	while (left && right) {
		if (at(map, left)->weight > at(map, right)->weight) {
			*to = left;
			to = &at(map, left)->right;
			left = *to;
		} else {
			*to = right;
			to = &at(map, right)->left;
			right = *to;
		}
	}
	*to = left ? left : right;
	return top;
}

void pn_code_map_add(struct pn_code_map *map, uint64_t begin, uint64_t size,
		     uint32_t what)
{
	uint32_t below, inside, above;
	uint64_t key = map->count, end;

	if (!size || __builtin_add_overflow(begin, size, &end))
		return;
	map->nodes = pn_grow(map->nodes, &map->cap, map->count + 1,
			     sizeof(*map->nodes));
	map->nodes[map->count] = (struct pn_code_range){
		begin, end, what, 0, 0, pn_slots_hash(&map->random, &key, 1)};
	split(&below, &above, map, map->root, begin);
	split(&inside, &above, map, above, end);
	map->root = join(map, join(map, below, (uint32_t)++map->count), above);
}

const struct pn_code_range *pn_code_map_find(const struct pn_code_map *map,
					     uint64_t address)
{
	const struct pn_code_range *best = NULL;
	uint32_t node = map->root;

	while (node) {
		const struct pn_code_range *n = &map->nodes[node - 1];

		if (n->begin <= address) {
			best = n;
			node = n->right;
		} else {
			node = n->left;
		}
	}
	return best && address < best->end ? best : NULL;
}

void pn_code_map_move(struct pn_code_map *map, uint64_t from, uint64_t to)
{
	const struct pn_code_range *n = pn_code_map_find(map, from);

	if (n && n->begin == from)
		pn_code_map_add(map, to, n->end - n->begin, n->what);
}
