/* The files of commits as one sorted list: `git ls-tree -r -z`, and back. */
#include "vcs/inplace/listing.h"

#include "base/alloc.h"
#include "vcs/child.h"
#include "vcs/objects/tree.h"

#include <stdlib.h>
#include <string.h>

void pn_listing_release(struct pn_listing *list)
{
	free(list->items);
	pn_arena_release(&list->arena);
	memset(list, 0, sizeof(*list));
}

void pn_listing_put(struct pn_listing *list, unsigned int mode,
		    const struct pn_oid *oid, const char *path)
{
	struct pn_listed *item;

	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	item = &list->items[list->count++];
	item->mode = mode;
	item->oid = *oid;
	item->path = pn_arena_copy(&list->arena, path, strlen(path));
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct pn_listed *)a)->path,
		      ((const struct pn_listed *)b)->path);
}

void pn_listing_sort(struct pn_listing *list)
{
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_path);
}

/* "<mode> <type> <id>" TAB <path> */
static int parse_item(struct pn_listing *list, const char *line)
{
	const char *at = line, *tab = strchr(line, '\t');
	unsigned int mode = 0;
	struct pn_oid oid;

	for (; *at >= '0' && *at <= '7'; at++)
		mode = mode * 8 + (unsigned int)(*at - '0');
	if (*at != ' ' || !tab || tab - line < PN_OID_HEX ||
	    pn_oid_parse(&oid, tab - PN_OID_HEX) || !tab[1])
		return PN_EINVAL;
	pn_listing_put(list, mode, &oid, tab + 1);
	return 0;
}

int pn_listing_add(struct pn_listing *list, struct pn_repo *repo,
		   const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(repo);
	char hex[PN_OID_HEX + 1], said[1024] = "";
	const char *const argv[] = {"git",	   "ls-tree", "-r", "-z",
				    "--full-tree", hex,	      NULL};
	struct pn_buf text = {0};
	const char *at, *end;
	int status, code;

	pn_oid_hex(hex, commit);
	code = pn_process_capture(&text, said, &status, argv, &options,
				  PN_LISTING_MAX, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO,
				    "cannot list the files of '%s': %s", hex,
				    pn_child_said(said));
	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1)
		if (parse_item(list, at))
			code = pn_error_set(err, PN_EINVAL,
					    "cannot read the list of files of "
					    "'%s'",
					    hex);
	pn_buf_release(&text);
	pn_listing_sort(list);
	return code;
}

/* The first item in [from, to) whose path is not before `path`. */
static size_t lower(const struct pn_listing *list, size_t from, size_t to,
		    const char *path)
{
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (strcmp(list->items[middle].path, path) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

const struct pn_listed *pn_listing_find(const struct pn_listing *list,
					const char *path)
{
	size_t at = lower(list, 0, list->count, path);

	if (at == list->count || strcmp(list->items[at].path, path))
		return NULL;
	return &list->items[at];
}

void pn_listing_below(size_t *from, size_t *to, const struct pn_listing *list,
		      const char *prefix)
{
	size_t len = strlen(prefix), low, high = *to;

	*from = low = lower(list, *from, *to, prefix);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strncmp(list->items[middle].path, prefix, len))
			high = middle;
		else
			low = middle + 1;
	}
	*to = low;
}

/* The tree of the items from *at on that begin with `depth` bytes in common;
 * *at moves behind them. */
static void write_tree(struct pn_oid *out, const struct pn_listing *list,
		       size_t *at, size_t depth, struct pn_objects *objects)
{
	const char *prefix = *at < list->count ? list->items[*at].path : "";
	struct pn_buf tree = {0};

	while (*at < list->count &&
	       !strncmp(list->items[*at].path, prefix, depth)) {
		const struct pn_listed *item = &list->items[*at];
		const char *name = item->path + depth;
		const char *slash = strchr(name, '/');
		struct pn_oid id = item->oid;

		if (slash) {
			size_t len = (size_t)(slash - name);

			write_tree(&id, list, at, depth + len + 1, objects);
			pn_tree_add(&tree, PN_MODE_TREE, name, len, &id);
			continue;
		}
		++*at;
		pn_tree_add(&tree, item->mode, name, strlen(name), &id);
	}
	pn_objects_add(out, objects, PN_OBJECT_TREE, pn_buf_text(&tree),
		       tree.len);
	pn_buf_release(&tree);
}

void pn_listing_tree(struct pn_oid *out, const struct pn_listing *list,
		     struct pn_objects *objects)
{
	size_t at = 0;

	write_tree(out, list, &at, 0, objects);
}
