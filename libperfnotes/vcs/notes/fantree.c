/* Reading a fan: folders, lookups, entries that are no names. */
#include "vcs/notes/fantree.h"

#include "base/alloc.h"
#include "vcs/git.h"
#include "vcs/notes/fannode.h"
#include "vcs/objects/stored.h"

#include <stdlib.h>
#include <string.h>

/* What names of bodies may end in besides nothing. A suffix of at least 16
 * equal characters makes git's packer meet bodies side by side, because its
 * name hash takes the last 16. */
static const char *const body_suffixes[] = {"", ".perf-profile-body"};

void pn_fan_node_free(struct pn_fan_node *node)
{
	size_t i;

	if (!node)
		return;
	for (i = 0; i < node->kid_count; i++)
		pn_fan_kid_release(&node->kids[i]);
	free(node->items);
	free(node->kids);
	pn_buf_release(&node->others);
	free(node);
}

void pn_fan_kid_release(struct pn_fan_kid *kid)
{
	pn_fan_node_free(kid->node);
	free(kid->more);
}

/* Lower case digits only: what git and we write. */
static bool take_hex(unsigned char *to, const char *text, size_t bytes)
{
	size_t i;

	for (i = 0; i < 2 * bytes; i++) {
		int digit = pn_hex_digit(text[i]);

		if (digit < 0 || (text[i] >= 'A' && text[i] <= 'F'))
			return false;
		to[i / 2] =
			(unsigned char)(i % 2 ? to[i / 2] | digit : digit << 4);
	}
	return true;
}

static bool known_suffix(enum pn_fan_kind kind, const char *suffix)
{
	size_t i;

	if (kind == PN_FAN_NOTES)
		return !*suffix;
	for (i = 0; i < sizeof(body_suffixes) / sizeof(*body_suffixes); i++)
		if (!strcmp(suffix, body_suffixes[i]))
			return true;
	return false;
}

/* An entry is a name as a regular file, executable or not, with all remaining
 * digits: what git takes for a note. */
static bool take_item(struct pn_fan_item *out, enum pn_fan_kind kind,
		      const struct pn_tree_entry *entry, unsigned int depth,
		      const struct pn_oid *prefix)
{
	size_t rest = PN_OID_BYTES - depth;

	if (!pn_mode_is_blob(entry->mode) || entry->name_len < 2 * rest ||
	    !known_suffix(kind, entry->name + 2 * rest))
		return false;
	out->key = *prefix;
	out->blob = entry->id;
	return take_hex(out->key.bytes + depth, entry->name, rest);
}

/* One more tree of a kid's name. */
static int add_tree(struct pn_fan_node *node, unsigned char byte,
		    const struct pn_oid *tree)
{
	struct pn_fan_kid *kid = pn_fan_kid_find(node, byte);
	size_t i;

	if (!kid) {
		kid = pn_fan_kid_add(node, byte);
		kid->tree = *tree;
		return 0;
	}
	if (pn_oid_equal(&kid->tree, tree))
		return 0;
	for (i = 0; i < kid->more_count; i++)
		if (pn_oid_equal(&kid->more[i], tree))
			return 0;
	if (kid->more_count + 1 >= PN_FAN_SAME_MAX)
		return PN_EINVAL;
	kid->more = pn_realloc_array(kid->more, kid->more_count + 1,
				     sizeof(*kid->more));
	kid->more[kid->more_count++] = *tree;
	return 0;
}

/* 1, 0 for an entry that is no kid, or PN_EINVAL. */
static int take_kid(struct pn_fan_node *node, const struct pn_tree_entry *entry,
		    unsigned int depth)
{
	unsigned char byte;
	int code;

	if (!pn_mode_is_tree(entry->mode) || entry->name_len != 2 ||
	    depth >= PN_FAN_DEPTH || !take_hex(&byte, entry->name, 1))
		return 0;
	code = add_tree(node, byte, &entry->id);
	return code ? code : 1;
}

static int by_key(const void *a, const void *b)
{
	const struct pn_fan_item *x = a, *y = b;
	int order = pn_oid_cmp(&x->key, &y->key);

	return order ? order : pn_oid_cmp(&x->blob, &y->blob);
}

static int parse(struct pn_fan_node *node, struct pn_fan *fan,
		 const unsigned char *at, size_t len, unsigned int depth,
		 const struct pn_oid *prefix)
{
	const unsigned char *end = at + len;
	struct pn_tree_entry entry;
	bool sorted = true;
	int more, kid;

	while ((more = pn_tree_next(&entry, &at, end)) > 0) {
		struct pn_fan_item item;

		if (take_item(&item, fan->kind, &entry, depth, prefix)) {
			node->items =
				pn_grow(node->items, &node->item_cap,
					node->item_count + 1, sizeof(item));
			node->items[node->item_count++] = item;
			if (node->item_count > 1 &&
			    by_key(&item, &node->items[node->item_count - 2]) <
				    0)
				sorted = false;
			continue;
		}
		kid = take_kid(node, &entry, depth);
		if (kid < 0)
			return kid;
		if (!kid)
			pn_buf_add(&node->others, entry.raw, entry.raw_len);
	}
	if (!sorted)
		qsort(node->items, node->item_count, sizeof(*node->items),
		      by_key);
	return more;
}

/* Of many folders most have a few items, which is what they are counted
 * as. */
static void fit_items(struct pn_fan_node *node)
{
	if (!node->item_count || node->item_cap / 2 < node->item_count)
		return;
	node->items = pn_realloc_array(node->items, node->item_count,
				       sizeof(*node->items));
	node->item_cap = node->item_count;
}

static int read_node(struct pn_fan_node **out, struct pn_fan *fan,
		     const struct pn_oid *tree, unsigned int depth,
		     const struct pn_oid *prefix, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	struct pn_fan_node *node;
	struct pn_stored object;
	int code;

	code = pn_stored_read(&object, fan->repo, tree, GIT_OBJECT_TREE,
			      PN_TREE_MAX, err);
	if (code)
		return code;
	node = pn_calloc(1, sizeof(*node));
	code = parse(node, fan, object.bytes, object.len, depth, prefix);
	pn_stored_release(&object);
	fit_items(node);
	node->bytes = sizeof(*node) + node->item_count * sizeof(*node->items) +
		      node->kid_count * sizeof(*node->kids) + node->others.len;
	if (code) {
		pn_oid_hex(hex, tree);
		pn_error_set(err, code, "malformed tree '%s'", hex);
	} else if (fan->bytes + node->bytes > PN_FAN_MEMORY_MAX) {
		code = pn_error_set(err, PN_ELIMIT,
				    "the folders of the notes tree that are "
				    "needed at a time take more than %u MB",
				    PN_FAN_MEMORY_MAX >> 20);
	}
	if (code) {
		pn_fan_node_free(node);
		return code;
	}
	fan->bytes += node->bytes;
	*out = node;
	return 0;
}

int pn_fan_open(struct pn_fan **out, struct pn_repo *repo,
		const struct pn_oid *tree, enum pn_fan_kind kind,
		struct pn_error *err)
{
	static const struct pn_oid none;
	struct pn_fan *fan = pn_calloc(1, sizeof(*fan));
	int code = 0;

	fan->repo = repo;
	fan->kind = kind;
	fan->tree = *tree;
	if (pn_oid_is_zero(tree))
		fan->root = pn_calloc(1, sizeof(*fan->root));
	else
		code = read_node(&fan->root, fan, tree, 0, &none, err);
	if (code)
		free(fan);
	else
		*out = fan;
	return code;
}

void pn_fan_free(struct pn_fan *fan)
{
	if (!fan)
		return;
	pn_fan_node_free(fan->root);
	free(fan);
}

struct pn_oid pn_fan_tree(const struct pn_fan *fan)
{
	return fan->tree;
}

struct pn_fan_kid *pn_fan_kid_find(struct pn_fan_node *node, unsigned char byte)
{
	size_t low = 0, high = node->kid_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (node->kids[mid].byte < byte)
			low = mid + 1;
		else
			high = mid;
	}
	return low < node->kid_count && node->kids[low].byte == byte
		       ? &node->kids[low]
		       : NULL;
}

struct pn_fan_kid *pn_fan_kid_add(struct pn_fan_node *node, unsigned char byte)
{
	size_t at = node->kid_count;

	node->kids = pn_grow(node->kids, &node->kid_cap, node->kid_count + 1,
			     sizeof(*node->kids));
	while (at && node->kids[at - 1].byte > byte)
		at--;
	memmove(node->kids + at + 1, node->kids + at,
		(node->kid_count - at) * sizeof(*node->kids));
	node->kid_count++;
	memset(&node->kids[at], 0, sizeof(node->kids[at]));
	node->kids[at].byte = byte;
	return &node->kids[at];
}

size_t pn_fan_lower(const struct pn_fan_node *node, const struct pn_oid *key)
{
	size_t low = 0, high = node->item_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (pn_oid_cmp(&node->items[mid].key, key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

size_t pn_fan_run(const struct pn_fan_node *node, size_t from,
		  unsigned int depth)
{
	size_t to = from;

	while (to < node->item_count &&
	       node->items[to].key.bytes[depth] ==
		       node->items[from].key.bytes[depth])
		to++;
	return to;
}

void pn_fan_merge(struct pn_fan_node *node, const struct pn_fan_item *items,
		  size_t count)
{
	size_t total = node->item_count + count, n = 0, i = 0, k = 0;
	struct pn_fan_item *all;

	if (!count)
		return;
	all = pn_realloc_array(NULL, total, sizeof(*all));
	while (i < node->item_count || k < count)
		all[n++] =
			k == count || (i < node->item_count &&
				       by_key(&node->items[i], &items[k]) <= 0)
				? node->items[i++]
				: items[k++];
	free(node->items);
	node->items = all;
	node->item_count = node->item_cap = total;
}

/* One name at two depths is found in one place after this. */
static void move_down(struct pn_fan_node *node, struct pn_fan_kid *kid,
		      unsigned int depth, const struct pn_oid *prefix)
{
	struct pn_oid first = *prefix;
	size_t from, to;

	first.bytes[depth - 1] = kid->byte;
	memset(first.bytes + depth, 0, PN_OID_BYTES - depth);
	from = pn_fan_lower(node, &first);
	if (from == node->item_count ||
	    node->items[from].key.bytes[depth - 1] != kid->byte)
		return;
	to = pn_fan_run(node, from, depth - 1);
	pn_fan_merge(kid->node, node->items + from, to - from);
	memmove(node->items + from, node->items + to,
		(node->item_count - to) * sizeof(*node->items));
	node->item_count -= to - from;
	kid->node->moved = true;
}

/* What another tree of the same name has; ends the other. */
static int absorb(struct pn_fan_node *node, struct pn_fan_node *other)
{
	int code = 0;
	size_t i, k;

	pn_fan_merge(node, other->items, other->item_count);
	for (i = 0; !code && i < other->kid_count; i++) {
		struct pn_fan_kid *kid = &other->kids[i];

		code = add_tree(node, kid->byte, &kid->tree);
		for (k = 0; !code && k < kid->more_count; k++)
			code = add_tree(node, kid->byte, &kid->more[k]);
	}
	if (other->others.len)
		pn_buf_add(&node->others, other->others.data,
			   other->others.len);
	node->bytes += other->bytes;
	pn_fan_node_free(other);
	return code;
}

static int read_kid(struct pn_fan_kid *kid, struct pn_fan *fan,
		    unsigned int depth, const struct pn_oid *below,
		    struct pn_error *err)
{
	struct pn_fan_node *node = NULL, *other;
	size_t i;
	int code = read_node(&node, fan, &kid->tree, depth, below, err);

	for (i = 0; !code && i < kid->more_count; i++) {
		code = read_node(&other, fan, &kid->more[i], depth, below, err);
		if (!code && absorb(node, other))
			code = pn_error_set(err, PN_EINVAL,
					    "more than %d folders of one name",
					    PN_FAN_SAME_MAX);
	}
	if (code && node)
		fan->bytes -= node->bytes;
	if (code)
		pn_fan_node_free(node);
	else
		kid->node = node;
	return code;
}

/* Whether all of it can be read again as it is. */
static bool is_loose(const struct pn_fan_node *node)
{
	size_t i;

	if (node->pins || node->dirty || node->moved)
		return false;
	for (i = 0; i < node->kid_count; i++)
		if (node->kids[i].node && !is_loose(node->kids[i].node))
			return false;
	return true;
}

static size_t bytes_of(const struct pn_fan_node *node)
{
	size_t bytes = node->bytes, i;

	for (i = 0; i < node->kid_count; i++)
		if (node->kids[i].node)
			bytes += bytes_of(node->kids[i].node);
	return bytes;
}

void pn_fan_kid_drop(struct pn_fan *fan, struct pn_fan_kid *kid)
{
	if (!kid->node || !is_loose(kid->node))
		return;
	fan->bytes -= bytes_of(kid->node);
	pn_fan_node_free(kid->node);
	kid->node = NULL;
}

int pn_fan_kid_load(struct pn_fan *fan, struct pn_fan_node *node,
		    struct pn_fan_kid *kid, unsigned int depth,
		    const struct pn_oid *prefix, struct pn_error *err)
{
	struct pn_oid below = *prefix;
	int code = 0;

	below.bytes[depth - 1] = kid->byte;
	if (!kid->node)
		code = read_kid(kid, fan, depth, &below, err);
	if (!code && node->item_count)
		move_down(node, kid, depth, prefix);
	return code;
}

static void drop_loose(struct pn_fan *fan, struct pn_fan_node *node)
{
	size_t i;

	for (i = 0; i < node->kid_count; i++) {
		pn_fan_kid_drop(fan, &node->kids[i]);
		if (node->kids[i].node)
			drop_loose(fan, node->kids[i].node);
	}
}

/* When there is much of it, and not again before there is much more. */
static void save_memory(struct pn_fan *fan)
{
	const size_t half = PN_FAN_MEMORY_MAX / 2;

	if (fan->bytes <= half || fan->bytes < fan->drop_at)
		return;
	drop_loose(fan, fan->root);
	fan->drop_at = fan->bytes + half / 4;
}

int pn_fan_find(struct pn_buf *out, struct pn_fan *fan,
		const struct pn_oid *key, struct pn_error *err)
{
	struct pn_fan_node *node = fan->root;
	unsigned int depth = 0;
	size_t i;

	save_memory(fan);
	for (;;) {
		struct pn_fan_kid *kid =
			pn_fan_kid_find(node, key->bytes[depth]);
		int code;

		if (!kid)
			break;
		code = pn_fan_kid_load(fan, node, kid, ++depth, key, err);
		if (code)
			return code;
		node = kid->node;
		node->keep = true;
	}
	for (i = pn_fan_lower(node, key);
	     i < node->item_count && pn_oid_equal(&node->items[i].key, key);
	     i++)
		pn_buf_add(out, node->items[i].blob.bytes, PN_OID_BYTES);
	return 0;
}

bool pn_fan_below(struct pn_oid *out, const struct pn_fan *fan,
		  const struct pn_oid *key)
{
	struct pn_fan_kid *kid = pn_fan_kid_find(fan->root, key->bytes[0]);

	memset(out, 0, sizeof(*out));
	if (fan->root->dirty || fan->root->item_count)
		return false;
	if (!kid)
		return true;
	*out = kid->tree;
	return !kid->more_count &&
	       (!kid->node || (!kid->node->dirty && !kid->node->moved));
}

static bool find_other(struct pn_tree_entry *out, const struct pn_fan *fan,
		       const char *name)
{
	const struct pn_buf *others = &fan->root->others;
	const unsigned char *at = others->data;

	while (at && pn_tree_next(out, &at, others->data + others->len) > 0)
		if (!strcmp(out->name, name))
			return true;
	return false;
}

bool pn_fan_other(struct pn_tree_entry *out, const struct pn_fan *fan,
		  const char *name)
{
	struct pn_tree_entry entry;

	if (!find_other(&entry, fan, name))
		return false;
	*out = entry;
	return true;
}

void pn_fan_set_other(struct pn_fan *fan, unsigned int mode, const char *name,
		      const struct pn_oid *id)
{
	struct pn_buf *others = &fan->root->others, kept = {0};
	const unsigned char *at = others->data;
	struct pn_tree_entry entry;
	bool same = false;
	size_t found = 0;

	while (at && pn_tree_next(&entry, &at, others->data + others->len) > 0)
		if (strcmp(entry.name, name)) {
			pn_buf_add(&kept, entry.raw, entry.raw_len);
		} else {
			same = !found && id && entry.mode == mode &&
			       pn_oid_equal(&entry.id, id);
			found++;
		}
	if (same || (!found && !id)) {
		pn_buf_release(&kept);
		return;
	}
	if (id)
		pn_tree_add(&kept, mode, name, strlen(name), id);
	pn_buf_release(others);
	*others = kept;
	fan->root->dirty = true;
}
