/*
 * Changing and writing a fan. Only folders on the way to a change are read
 * and written. The rule of git's notes.c, determine_fanout: see fantree.h.
 */
#include "base/alloc.h"
#include "base/text/line_set.h"
#include "vcs/notes/fannode.h"
#include "vcs/notes/fantree.h"
#include "vcs/notes/notes.h"
#include "vcs/notes/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FULL 2 /* entries below a first digit that call for a split */
/* So many ids have every first digit twice, but for one time in 10^100; where
 * they have not the folders are read again. */
#define SETTLE_MIN 4096
/* What we write behind a body's digits; one of fantree.c's. */
#define BODY_SUFFIX ""
#define NAME_MAX_BYTES (PN_OID_HEX + sizeof(BODY_SUFFIX))

/* Of items and changes the changes win; zero blobs take away. */
static void merge_changes(struct pn_fan_node *node,
			  const struct pn_fan_item *changes, size_t count)
{
	size_t n = 0, i = 0, k;
	struct pn_fan_item *all = pn_realloc_array(
		NULL, node->item_count + count + 1, sizeof(*all));

	for (k = 0; k < count; k++) {
		const struct pn_oid *key = &changes[k].key;

		while (i < node->item_count &&
		       pn_oid_cmp(&node->items[i].key, key) < 0)
			all[n++] = node->items[i++];
		while (i < node->item_count &&
		       pn_oid_equal(&node->items[i].key, key))
			i++;
		if (!pn_oid_is_zero(&changes[k].blob))
			all[n++] = changes[k];
	}
	while (i < node->item_count)
		all[n++] = node->items[i++];
	free(node->items);
	node->items = all;
	node->item_cap = node->item_count + count + 1;
	node->item_count = n;
}

static int apply(struct pn_fan *fan, struct pn_fan_node *node,
		 const struct pn_fan_item *changes, size_t count,
		 unsigned int depth, struct pn_error *err)
{
	struct pn_fan_item *here =
		pn_realloc_array(NULL, count + 1, sizeof(*here));
	size_t from, to, n = 0;
	int code = 0;

	for (from = 0; !code && from < count; from = to) {
		unsigned char byte = changes[from].key.bytes[depth];
		struct pn_fan_kid *kid = pn_fan_kid_find(node, byte);

		for (to = from + 1; to < count; to++)
			if (changes[to].key.bytes[depth] != byte)
				break;
		if (!kid) {
			memcpy(here + n, changes + from,
			       (to - from) * sizeof(*here));
			n += to - from;
			continue;
		}
		code = pn_fan_kid_load(fan, node, kid, depth + 1,
				       &changes[from].key, err);
		if (!code)
			code = apply(fan, kid->node, changes + from, to - from,
				     depth + 1, err);
	}
	if (!code && n)
		merge_changes(node, here, n);
	node->dirty = true;
	free(here);
	return code;
}

int pn_fan_apply(struct pn_fan *fan, const struct pn_fan_item *changes,
		 size_t count, struct pn_error *err)
{
	return count ? apply(fan, fan->root, changes, count, 0, err) : 0;
}

/* Entries below a kid, as git would count them: at most FULL. */
static size_t weight(const struct pn_fan_kid *kid)
{
	const struct pn_fan_node *node = kid->node;
	size_t sum, i;

	if (!node)
		return FULL;
	sum = node->item_count;
	for (i = 0; sum < FULL && i < node->kid_count; i++)
		sum += weight(&node->kids[i]);
	return sum;
}

static bool is_full(const struct pn_fan_node *node, unsigned int depth)
{
	size_t sums[16] = {0};
	size_t i;

	if (depth >= PN_FAN_DEPTH)
		return false;
	for (i = 0; i < node->item_count; i++)
		sums[node->items[i].key.bytes[depth] >> 4]++;
	for (i = 0; i < node->kid_count; i++)
		sums[node->kids[i].byte >> 4] += weight(&node->kids[i]);
	for (i = 0; i < 16; i++)
		if (sums[i] < FULL)
			return false;
	return true;
}

/* All items go below. */
static int split(struct pn_fan *fan, struct pn_fan_node *node,
		 unsigned int depth, const struct pn_oid *prefix,
		 struct pn_error *err)
{
	size_t from, to;
	int code;

	for (from = 0; from < node->item_count; from = to) {
		unsigned char byte = node->items[from].key.bytes[depth];
		struct pn_fan_kid *kid = pn_fan_kid_find(node, byte);

		to = pn_fan_run(node, from, depth);
		if (kid && !kid->node) {
			/* The load moves items away, so begin again. */
			code = pn_fan_kid_load(fan, node, kid, depth + 1,
					       prefix, err);
			if (code)
				return code;
			kid->node->dirty = true;
			to = from;
			continue;
		}
		if (!kid) {
			kid = pn_fan_kid_add(node, byte);
			kid->node = pn_calloc(1, sizeof(*kid->node));
		}
		pn_fan_merge(kid->node, node->items + from, to - from);
		kid->node->dirty = true;
	}
	node->item_count = 0;
	return 0;
}

/* The items of all kids into the folder: in order, and in one pass. */
static void bring_up(struct pn_fan_node *node)
{
	struct pn_fan_item *all;
	size_t total = 0, n = 0, i;

	for (i = 0; i < node->kid_count; i++)
		total += node->kids[i].node->item_count;
	if (!total)
		return;
	all = pn_realloc_array(NULL, total, sizeof(*all));
	for (i = 0; i < node->kid_count; i++) {
		struct pn_fan_node *below = node->kids[i].node;

		if (below->item_count)
			memcpy(all + n, below->items,
			       below->item_count * sizeof(*all));
		n += below->item_count;
		free(below->items);
		below->items = NULL;
		below->item_count = below->item_cap = 0;
	}
	pn_fan_merge(node, all, total);
	free(all);
}

/* All items of the folders below come up; what else lies there stays. */
static int unsplit(struct pn_fan *fan, struct pn_fan_node *node,
		   unsigned int depth, const struct pn_oid *prefix,
		   struct pn_error *err)
{
	struct pn_oid below = *prefix;
	size_t i, kept = 0;
	int code;

	for (i = 0; i < node->kid_count; i++) {
		struct pn_fan_kid *kid = &node->kids[i];

		code = pn_fan_kid_load(fan, node, kid, depth + 1, prefix, err);
		below.bytes[depth] = kid->byte;
		if (!code)
			code = unsplit(fan, kid->node, depth + 1, &below, err);
		if (code)
			return code;
	}
	bring_up(node);
	for (i = 0; i < node->kid_count; i++) {
		struct pn_fan_kid *kid = &node->kids[i];

		node->bytes += kid->node->bytes;
		kid->node->bytes = 0;
		kid->node->dirty = true;
		if (kid->node->others.len || kid->node->kid_count)
			node->kids[kept++] = *kid;
		else
			pn_fan_kid_release(kid);
	}
	node->kid_count = kept;
	return 0;
}

/* A text of the repository, or one that was joined just now. */
static int add_text(struct pn_line_set *set, struct pn_fan *fan,
		    const struct pn_objects *objects, const struct pn_oid *blob,
		    struct pn_error *err)
{
	const struct pn_object *made = pn_objects_find(objects, blob);
	uint64_t raw = 0;

	/* a body or a tree is no text that was joined here */
	if (!made || made->raw_len || made->type != PN_OBJECT_BLOB)
		return pn_notes_add_text(set, &raw, fan->repo, blob,
					 PN_NOTE_RAW_MAX, err);
	if (!pn_line_set_add(set, made->bytes, made->len, PN_NOTE_MAX,
			     PN_NOTE_LINES_MAX))
		return 0;
	return pn_error_set(err, PN_ELIMIT,
			    "its lines, each once, have more than %u bytes or "
			    "are more than %u",
			    PN_NOTE_MAX, PN_NOTE_LINES_MAX);
}

/* Two texts of one commit become one, with each line once. */
static int join(struct pn_fan_item *first, const struct pn_fan_item *second,
		struct pn_fan *fan, struct pn_objects *objects,
		struct pn_error *err)
{
	struct pn_line_set set = {0};
	char hex[PN_OID_HEX + 1];
	int code = 0;

	if (fan->kind == PN_FAN_BODIES) {
		if (pn_oid_equal(&second->blob, &second->key))
			first->blob = second->blob;
		return 0;
	}
	code = add_text(&set, fan, objects, &first->blob, err);
	if (!code)
		code = add_text(&set, fan, objects, &second->blob, err);
	if (!code)
		pn_objects_add(&first->blob, objects, PN_OBJECT_BLOB,
			       pn_buf_text(&set.text), set.text.len);
	pn_line_set_release(&set);
	if (!code)
		return 0;
	pn_oid_hex(hex, &first->key);
	return pn_error_context(err, "cannot unite the notes of '%s'", hex);
}

static int unite(struct pn_fan_node *node, struct pn_fan *fan,
		 struct pn_objects *objects, struct pn_error *err)
{
	size_t i, n = 0;
	int code;

	for (i = 0; i < node->item_count; i++) {
		struct pn_fan_item *last = n ? &node->items[n - 1] : NULL;

		if (!last || !pn_oid_equal(&last->key, &node->items[i].key)) {
			node->items[n++] = node->items[i];
			continue;
		}
		if (pn_oid_equal(&last->blob, &node->items[i].blob))
			continue;
		code = join(last, &node->items[i], fan, objects, err);
		if (code)
			return code;
	}
	node->item_count = n;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return pn_tree_cmp(a, b);
}

/* A name in a tree, with its NUL. */
struct name {
	char text[NAME_MAX_BYTES];
};

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* What lies there under a name of ours, whatever it is, gives way to it, as
 * in git's notes.c. */
static bool is_taken(const struct pn_tree_entry *other,
		     const struct name *names, const struct pn_fan_node *node)
{
	return bsearch(other->name, names, node->item_count, sizeof(*names),
		       by_text) ||
	       bsearch(other->name, names + node->item_count, node->kid_count,
		       sizeof(*names), by_text);
}

/* The entries that are ours, with their names. */
static size_t list_own(struct pn_tree_entry *all, struct name *names,
		       const struct pn_fan_node *node, enum pn_fan_kind kind,
		       unsigned int depth)
{
	static const char digits[] = "0123456789abcdef";
	char hex[PN_OID_HEX + 1];
	size_t n = 0, i;

	for (i = 0; i < node->item_count; i++, n++) {
		pn_oid_hex(hex, &node->items[i].key);
		snprintf(names[n].text, sizeof(names[n].text), "%s%s",
			 hex + 2 * depth,
			 kind == PN_FAN_BODIES ? BODY_SUFFIX : "");
		all[n].mode = PN_MODE_BLOB;
		all[n].id = node->items[i].blob;
	}
	for (i = 0; i < node->kid_count; i++, n++) {
		names[n].text[0] = digits[node->kids[i].byte >> 4];
		names[n].text[1] = digits[node->kids[i].byte & 15];
		names[n].text[2] = '\0';
		all[n].mode = PN_MODE_TREE;
		all[n].id = node->kids[i].tree;
	}
	for (i = 0; i < n; i++) {
		all[i].name = names[i].text;
		all[i].name_len = strlen(names[i].text);
	}
	return n;
}

static int by_entry(const void *a, const void *b)
{
	const struct pn_tree_entry *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->raw > y->raw) - (x->raw < y->raw);
}

/* The entries that are not ours, each name once: the first as read. */
static struct pn_tree_entry *list_others(size_t *count,
					 const struct pn_fan_node *node)
{
	const unsigned char *at = node->others.data;
	const unsigned char *end = at ? at + node->others.len : at;
	struct pn_tree_entry *list = NULL, entry;
	size_t cap = 0, n = 0, i;

	while (at && pn_tree_next(&entry, &at, end) > 0) {
		list = pn_grow(list, &cap, n + 1, sizeof(*list));
		list[n++] = entry;
	}
	if (n)
		qsort(list, n, sizeof(*list), by_entry);
	*count = 0;
	for (i = 0; i < n; i++)
		if (!*count || strcmp(list[*count - 1].name, list[i].name))
			list[(*count)++] = list[i];
	return list;
}

static void serialise(struct pn_buf *out, const struct pn_fan_node *node,
		      enum pn_fan_kind kind, unsigned int depth)
{
	size_t own = node->item_count + node->kid_count, count, n, i;
	struct pn_tree_entry *others = list_others(&count, node);
	struct pn_tree_entry *all = pn_calloc(own + count + 1, sizeof(*all));
	struct name *names = pn_realloc_array(NULL, own + 1, sizeof(*names));

	n = list_own(all, names, node, kind, depth);
	for (i = 0; i < count; i++)
		if (!is_taken(&others[i], names, node))
			all[n++] = others[i];
	if (node->others.len || (node->item_count && node->kid_count))
		qsort(all, n, sizeof(*all), by_name);
	for (i = 0; i < n; i++)
		pn_tree_add(out, all[i].mode, all[i].name, all[i].name_len,
			    &all[i].id);
	free(others);
	free(names);
	free(all);
}

static int write_node(struct pn_oid *out, struct pn_fan *fan,
		      struct pn_fan_node *node, unsigned int depth,
		      const struct pn_oid *prefix, struct pn_objects *objects,
		      struct pn_error *err);

/* Folders that have one name become one folder. */
static int unite_kids(struct pn_fan *fan, struct pn_fan_node *node,
		      unsigned int depth, const struct pn_oid *prefix,
		      struct pn_error *err)
{
	int code = 0;
	size_t i;

	for (i = 0; !code && i < node->kid_count; i++) {
		struct pn_fan_kid *kid = &node->kids[i];

		if (!kid->more_count)
			continue;
		code = pn_fan_kid_load(fan, node, kid, depth + 1, prefix, err);
		if (!code) {
			kid->node->dirty = true;
			kid->more_count = 0;
		}
	}
	return code;
}

/* Folders that turn out empty go. */
static int write_kids(struct pn_fan *fan, struct pn_fan_node *node,
		      unsigned int depth, const struct pn_oid *prefix,
		      struct pn_objects *objects, struct pn_error *err)
{
	struct pn_oid below = *prefix;
	size_t i, kept = 0;
	int code = 0;

	for (i = 0; i < node->kid_count; i++) {
		struct pn_fan_kid *kid = &node->kids[i];

		below.bytes[depth] = kid->byte;
		if (!code && kid->node &&
		    (kid->node->dirty || kid->node->moved))
			code = write_node(&kid->tree, fan, kid->node, depth + 1,
					  &below, objects, err);
		if (!code && pn_oid_is_zero(&kid->tree)) {
			fan->bytes -= kid->node ? kid->node->bytes : 0;
			pn_fan_kid_release(kid);
		} else {
			node->kids[kept++] = *kid;
		}
	}
	node->kid_count = kept;
	return code;
}

/* A tree that turns out as it was is not written with each record: packs that
 * have one object in common are never joined. */
static void put_tree(struct pn_oid *tree, struct pn_objects *objects,
		     const struct pn_buf *bytes)
{
	const struct pn_oid was = *tree;
	struct pn_object *made;

	made = pn_objects_add(tree, objects, PN_OBJECT_TREE, bytes->data,
			      bytes->len);
	if (made)
		made->reachable = pn_oid_equal(tree, &was);
}

static int write_node(struct pn_oid *out, struct pn_fan *fan,
		      struct pn_fan_node *node, unsigned int depth,
		      const struct pn_oid *prefix, struct pn_objects *objects,
		      struct pn_error *err)
{
	bool first = !depth && fan->kind == PN_FAN_BODIES;
	struct pn_buf bytes = {0};
	int code = unite_kids(fan, node, depth, prefix, err);

	if (code)
		return code;
	if (first || is_full(node, depth))
		code = split(fan, node, depth, prefix, err);
	else
		code = unsplit(fan, node, depth, prefix, err);
	if (!code)
		code = write_kids(fan, node, depth, prefix, objects, err);
	if (!code)
		code = unite(node, fan, objects, err);
	if (code)
		return code;
	serialise(&bytes, node, fan->kind, depth);
	if (bytes.len)
		put_tree(out, objects, &bytes);
	else
		memset(out, 0, sizeof(*out));
	node->dirty = false;
	node->moved = false;
	pn_buf_release(&bytes);
	return 0;
}

int pn_fan_write(struct pn_oid *out, struct pn_fan *fan,
		 struct pn_objects *objects, struct pn_error *err)
{
	static const struct pn_oid none;
	int code = 0;

	if (fan->root->dirty)
		code = write_node(&fan->tree, fan, fan->root, 0, &none, objects,
				  err);
	if (!code)
		*out = fan->tree;
	return code;
}

/* Written as it would be later, and not in memory any more. */
static int settle_kid(struct pn_fan *fan, struct pn_fan_kid *kid,
		      struct pn_objects *objects, struct pn_error *err)
{
	struct pn_oid below = {{kid->byte}};
	int code;

	if (!kid->node || kid->more_count || weight(kid) < FULL)
		return 0;
	code = write_node(&kid->tree, fan, kid->node, 1, &below, objects, err);
	if (!code)
		pn_fan_kid_drop(fan, kid);
	return code;
}

int pn_fan_settle(struct pn_fan *fan, const struct pn_oid *last,
		  struct pn_objects *objects, struct pn_error *err)
{
	static const struct pn_oid none;
	struct pn_fan_node *root = fan->root;
	size_t i;
	int code = 0;

	if (root->item_count >= SETTLE_MIN)
		code = split(fan, root, 0, &none, err);
	for (i = 0; !code && i < root->kid_count; i++)
		if (root->kids[i].byte != last->bytes[0])
			code = settle_kid(fan, &root->kids[i], objects, err);
	return code;
}
