/*
 * Trees from bytes, into an object database in memory, read as notes or
 * bodies: a walk is in order and finds what a lookup finds; a change changes
 * its own names and no others, in memory and read back.
 */
#include "base/alloc.h"
#include "vcs/git.h"
#include "vcs/notes/fantree.h"
#include "vcs/objects/pack_check.h"

#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
#include <stdlib.h>
#include <string.h>

#define TREES_MAX 6   /* levels: a tree only has earlier ones below it */
#define ENTRIES_MAX 8 /* 8^6 visits at most */
#define ITEMS_MAX 300000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *at, *end;
};

struct world {
	struct pn_repo repo;
	struct pn_oid blobs[2], trees[TREES_MAX];
	size_t tree_count;
};

static uint8_t next(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

static void must(int ok)
{
	if (!ok)
		abort();
}

static struct pn_oid put(struct world *w, git_object_t type, const void *bytes,
			 size_t len)
{
	struct pn_oid oid;
	git_oid id;

	must(!git_odb_write(&id, w->repo.odb, bytes ? bytes : "", len, type));
	pn_git_from(&oid, &id);
	return oid;
}

static void open_world(struct world *w)
{
	git_odb_backend *memory;

	memset(w, 0, sizeof(*w));
	must(git_libgit2_init() > 0); /* slow once, so never undone */
	must(!git_odb_new(&w->repo.odb));
	must(!git_mempack_new(&memory));
	must(!git_odb_add_backend(w->repo.odb, memory, 1));
	must(!git_repository_wrap_odb(&w->repo.git, w->repo.odb));
	w->blobs[0] = put(w, GIT_OBJECT_BLOB, "one\n", 4);
	w->blobs[1] = put(w, GIT_OBJECT_BLOB, "two", 3);
}

static void close_world(struct world *w)
{
	git_repository_free(w->repo.git);
	git_odb_free(w->repo.odb);
	pn_pack_checks_free(w->repo.checks);
}

/* A name of few characters, so that collisions are common. */
static size_t take_name(char name[64], struct input *in)
{
	static const char alphabet[] = "00112233445566778899aabbccddeeffA.g/";
	size_t len = next(in) % 60 + 1, i;
	uint8_t fill = next(in), step = next(in);

	for (i = 0; i < len; i++, fill = (uint8_t)(fill + step))
		name[i] = alphabet[fill % (sizeof(alphabet) - 1)];
	if (len > 40 && len < 50)
		len = 2;
	return len;
}

static void build_tree(struct world *w, struct input *in)
{
	static const unsigned int modes[] = {0100644, 0100644, 040000, 040000,
					     0120000, 0100755, 0160000};
	struct pn_buf raw = {0};
	uint8_t entries = next(in) % (ENTRIES_MAX + 1), i;
	char name[64];

	for (i = 0; i < entries; i++) {
		unsigned int mode = modes[next(in) % 7];
		uint8_t which = next(in);
		size_t len = take_name(name, in);
		struct pn_oid id = w->blobs[which & 1];

		if (mode == 040000 && !w->tree_count)
			continue;
		if (mode == 040000)
			id = w->trees[which % w->tree_count];
		pn_tree_add(&raw, mode, name, len, &id);
	}
	w->trees[w->tree_count++] = put(w, GIT_OBJECT_TREE, raw.data, raw.len);
	pn_buf_release(&raw);
}

static size_t has(struct pn_fan *fan, const struct pn_oid *key)
{
	struct pn_buf ids = {0};
	size_t n;

	must(!pn_fan_find(&ids, fan, key, NULL));
	n = ids.len / PN_OID_BYTES;
	pn_buf_release(&ids);
	return n;
}

/* All items, in order. */
static struct pn_fan_item *walk(size_t *count, struct pn_fan *fan)
{
	struct pn_fan_walk *steps = pn_fan_walk_new(fan);
	struct pn_fan_item *items = NULL, item;
	size_t cap = 0, n = 0;

	while (n < ITEMS_MAX && pn_fan_walk_next(&item, steps, NULL) > 0) {
		items = pn_grow(items, &cap, n + 1, sizeof(*items));
		items[n++] = item;
		must(n < 2 || pn_oid_cmp(&items[n - 2].key, &item.key) <= 0);
	}
	pn_fan_walk_free(steps);
	*count = n;
	return items;
}

static int by_key(const void *a, const void *b)
{
	const struct pn_fan_item *x = a, *y = b;

	return pn_oid_cmp(&x->key, &y->key);
}

/* Some keys that are there, some that are not. */
static size_t choose(struct pn_fan_item changes[16], struct world *w,
		     struct input *in, const struct pn_fan_item *items,
		     size_t count)
{
	size_t want = next(in) % 16, n = 0, i;

	for (i = 0; i < want; i++) {
		uint8_t how = next(in), fill = next(in);

		memset(&changes[n], 0, sizeof(changes[n]));
		if ((how & 1) && count)
			changes[n].key = items[(fill * 257u) % count].key;
		else
			memset(changes[n].key.bytes, fill, PN_OID_BYTES);
		if (how & 2)
			changes[n].blob = w->blobs[how >> 2 & 1];
		n++;
	}
	qsort(changes, n, sizeof(*changes), by_key);
	for (i = want = 0; i < n; i++)
		if (!want ||
		    !pn_oid_equal(&changes[want - 1].key, &changes[i].key))
			changes[want++] = changes[i];
	return want;
}

static void check(struct pn_fan *fan, const struct pn_fan_item *items,
		  size_t count, const struct pn_fan_item *changes, size_t n)
{
	size_t i, left;

	for (i = 0; i < n; i++)
		must(has(fan, &changes[i].key) ==
		     !pn_oid_is_zero(&changes[i].blob));
	for (i = 0; i < count && count < 3000; i++)
		if (!bsearch(&items[i], changes, n, sizeof(*changes), by_key))
			must(has(fan, &items[i].key) > 0);
	free(walk(&left, fan));
	must(left <= count + n || count >= ITEMS_MAX);
}

/* git's order, each name once. (A slash in a name, which git fsck refuses,
 * has no order beside a folder.) */
static void check_order(const struct pn_object *tree)
{
	const unsigned char *at = tree->bytes, *end = at + tree->len;
	struct pn_tree_entry last = {0}, entry;

	while (pn_tree_next(&entry, &at, end) > 0) {
		must(!last.raw || (pn_tree_cmp(&last, &entry) <= 0 &&
				   strcmp(last.name, entry.name)));
		last = entry;
	}
}

static void put_all(struct world *w, const struct pn_objects *objects)
{
	size_t i;

	for (i = 0; i < objects->count; i++) {
		bool tree = objects->items[i].type == PN_OBJECT_TREE;

		if (tree)
			check_order(&objects->items[i]);
		put(w, tree ? GIT_OBJECT_TREE : GIT_OBJECT_BLOB,
		    objects->items[i].bytes, objects->items[i].len);
	}
}

static void change(struct world *w, struct input *in, struct pn_fan *fan,
		   enum pn_fan_kind kind)
{
	struct pn_objects objects = {0};
	struct pn_fan_item changes[16], *items;
	struct pn_fan *again = NULL;
	struct pn_oid tree;
	struct pn_tree_entry entry;
	size_t count, n, i;
	char name[65] = ".";
	bool wanted;

	items = walk(&count, fan);
	for (i = 0; i < count && count < 3000; i++)
		must(has(fan, &items[i].key) > 0);
	n = choose(changes, w, in, items, count);
	name[take_name(name + 1, in) + 1] = '\0';
	wanted = next(in) & 1;
	must(!pn_fan_apply(fan, changes, n, NULL));
	pn_fan_set_other(fan, PN_MODE_BLOB, name, wanted ? w->blobs : NULL);
	check(fan, items, count, changes, n);
	must(!pn_fan_write(&tree, fan, &objects, NULL));
	check(fan, items, count, changes, n);
	put_all(w, &objects);
	must(!pn_fan_open(&again, &w->repo, &tree, kind, NULL));
	check(again, items, count, changes, n);
	must(pn_fan_other(&entry, again, name) == wanted);
	pn_fan_free(again);
	pn_objects_release(&objects);
	free(items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, data + size};
	enum pn_fan_kind kind = next(&in) & 1 ? PN_FAN_BODIES : PN_FAN_NOTES;
	uint8_t trees = next(&in) % TREES_MAX;
	struct pn_fan *fan = NULL;
	struct world w;

	open_world(&w);
	while (trees-- && w.tree_count < TREES_MAX - 1)
		build_tree(&w, &in);
	if (!w.tree_count) {
		/* Raw bytes as the only tree: read or refused. */
		w.trees[w.tree_count++] = put(&w, GIT_OBJECT_TREE, in.at,
					      (size_t)(in.end - in.at));
		pn_fan_open(&fan, &w.repo, &w.trees[0], kind, NULL);
	} else {
		must(!pn_fan_open(&fan, &w.repo, &w.trees[w.tree_count - 1],
				  kind, NULL));
		change(&w, &in, fan, kind);
	}
	pn_fan_free(fan);
	close_world(&w);
	return 0;
}
