/*
 * A plain `git notes merge` keeps the local side's objects/ only; the other
 * side's bodies stay reachable through the merge's second parent, and come
 * back into the tree here.
 */
#include "base/alloc.h"
#include "vcs/commit.h"
#include "vcs/git.h"
#include "vcs/notes/notes.h"
#include "vcs/notes/snapshot.h"
#include "vcs/objects/oidmap.h"
#include "vcs/objects/stored.h"
#include "vcs/objects/tree.h"

#include <stdlib.h>
#include <string.h>

#define COMMITS_MAX 1000 /* looked at behind a tip that is not ours */
#define PARENTS_MAX 4096

/* Commits that wait to be looked at, each once. */
struct queue {
	struct pn_oid *items;
	size_t count, cap, next;
	struct pn_oidmap seen;
	bool full; /* some were not taken */
};

static void enqueue(struct queue *queue, const struct pn_oid *id)
{
	if (pn_oidmap_find(&queue->seen, id) != PN_OIDMAP_NONE)
		return;
	if (queue->count >= COMMITS_MAX) {
		queue->full = true;
		return;
	}
	pn_oidmap_add(&queue->seen, id);
	queue->items = pn_grow(queue->items, &queue->cap, queue->count + 1,
			       sizeof(*queue->items));
	queue->items[queue->count++] = *id;
}

/* The tree of a commit; parents are queued when it is not ours. */
static int look(struct pn_oid *tree, bool *ours, struct queue *queue,
		struct pn_repo *repo, const struct pn_oid *id,
		struct pn_error *err)
{
	struct pn_stored object;
	const char *at, *end;
	struct pn_oid parent;
	int n, code;

	code = pn_stored_read(&object, repo, id, GIT_OBJECT_COMMIT,
			      PN_COMMIT_MAX, err);
	if (code)
		return code;
	at = (const char *)object.bytes;
	end = at + object.len;
	if (end - at < 46 || memcmp(at, "tree ", 5) ||
	    pn_oid_parse(tree, at + 5)) {
		pn_stored_release(&object);
		return pn_error_set(err, PN_EINVAL, "malformed commit");
	}
	*ours = pn_commit_has_subject(PN_NOTES_SUBJECT, at, end);
	at += 46;
	for (n = 0; !*ours && n < PARENTS_MAX && end - at >= 48; n++) {
		if (memcmp(at, "parent ", 7) || pn_oid_parse(&parent, at + 7))
			break;
		enqueue(queue, &parent);
		at += 48;
	}
	pn_stored_release(&object);
	return 0;
}

/* The id of objects/ in a tree, zero when it has none. */
static int find_objects(struct pn_oid *out, struct pn_repo *repo,
			const struct pn_oid *tree, struct pn_error *err)
{
	struct pn_tree_entry entry;
	const unsigned char *at, *end;
	struct pn_stored object;
	int code = pn_stored_read(&object, repo, tree, GIT_OBJECT_TREE,
				  PN_TREE_MAX, err);

	memset(out, 0, sizeof(*out));
	if (code)
		return code;
	at = object.bytes;
	end = at + object.len;
	while (pn_tree_next(&entry, &at, end) > 0)
		if (pn_mode_is_tree(entry.mode) &&
		    !strcmp(entry.name, PN_NOTES_OBJECTS))
			*out = entry.id;
	pn_stored_release(&object);
	return 0;
}

static int unite(struct pn_buf *ids, struct pn_notes *notes,
		 const struct pn_oid *tree, struct pn_error *err)
{
	bool partial = pn_repo_is_partial(notes->repo);
	struct pn_fan *ours, *theirs = NULL;
	struct pn_buf lacking = {0};
	struct pn_fan_item item;
	size_t at;
	int code;

	code = pn_notes_bodies(&ours, notes, err);
	if (!code)
		code = pn_fan_open(&theirs, notes->repo, tree, PN_FAN_BODIES,
				   err);
	if (!code)
		code = pn_fan_lacks(&lacking, ours, theirs, PN_FAN_LACK_NAME,
				    err);
	for (at = 0; !code && at < lacking.len; at += sizeof(item)) {
		memcpy(&item, lacking.data + at, sizeof(item));
		if (!pn_oid_equal(&item.key, &item.blob) ||
		    pn_stage_find(&notes->staged_bodies, &item.key))
			continue;
		if (!partial && !pn_repo_has_object(notes->repo, &item.key))
			continue;
		pn_notes_stage_anchor(notes, &item.key);
		pn_stage_find(&notes->staged_bodies, &item.key)->reachable =
			true;
		pn_buf_add(ids, item.key.bytes, PN_OID_BYTES);
	}
	pn_fan_free(theirs);
	pn_buf_release(&lacking);
	return code;
}

static int visit(struct pn_buf *ids, bool *ours, struct queue *queue,
		 struct pn_notes *notes, const struct pn_oid *id,
		 struct pn_error *err)
{
	struct pn_oid tree, objects;
	int code = look(&tree, ours, queue, notes->repo, id, err);

	if (code || pn_oid_equal(id, &notes->tip))
		return code;
	code = find_objects(&objects, notes->repo, &tree, err);
	if (code || pn_oid_is_zero(&objects) ||
	    pn_oidmap_find(&queue->seen, &objects) != PN_OIDMAP_NONE)
		return code;
	pn_oidmap_add(&queue->seen, &objects);
	return unite(ids, notes, &objects, err);
}

void pn_notes_set_cut(struct pn_notes *notes, bool cut)
{
	notes->cut = cut;
}

int pn_notes_reanchor(struct pn_buf *ids, bool *cut, struct pn_notes *notes,
		      struct pn_error *err)
{
	struct queue queue = {0};
	bool ours = false;
	int code = 0;

	if (!pn_oid_is_zero(&notes->tip) && !notes->ours)
		enqueue(&queue, &notes->tip);
	while (!code && queue.next < queue.count) {
		struct pn_oid id = queue.items[queue.next++];

		code = visit(ids, &ours, &queue, notes, &id, err);
		/* Behind a shallow fetch: the next writer may have it. */
		if (code == PN_ENOTFOUND && queue.next > 1) {
			queue.full = true;
			code = 0;
		}
	}
	*cut = queue.full;
	free(queue.items);
	pn_oidmap_release(&queue.seen);
	return code;
}
