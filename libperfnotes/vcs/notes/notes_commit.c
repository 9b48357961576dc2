/*
 * Writing what is staged: blobs, the touched trees and a commit, then the
 * ref, from the tip that was read and from no other.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/number.h"
#include "vcs/identity.h"
#include "vcs/notes/notes.h"
#include "vcs/notes/snapshot.h"
#include "vcs/objects/objects.h"
#include "vcs/objects/stored.h"
#include "vcs/ref/ref.h"

#include <stdlib.h>
#include <string.h>

/* How often objects that somebody took are written anew. */
#define WRITES_MAX 8
#define HOLD_MAX (256u << 20) /* bytes of a body that is written again */
/* Names of bodies that are put into the tree at a time. */
#define NAMES_MAX ((size_t)1 << 16)

static int by_key(const void *a, const void *b)
{
	const struct pn_fan_item *x = a, *y = b;

	return pn_oid_cmp(&x->key, &y->key);
}

static bool is_in(struct pn_fan *fan, const struct pn_staged *item)
{
	struct pn_buf found = {0};
	bool in = false;
	size_t at;

	/* what cannot be read apply meets again */
	if (!pn_fan_find(&found, fan, &item->key, NULL))
		for (at = 0; !in && at < found.len; at += PN_OID_BYTES)
			in = !memcmp(found.data + at, item->blob.bytes,
				     PN_OID_BYTES);
	pn_buf_release(&found);
	return in;
}

/* A body that exists, and that nothing may lead to yet: a prune that has begun
 * would take it, so it is written again. What is absent a partial clone has
 * promised, or somebody else will say so. */
static void hold(struct pn_objects *objects, struct pn_notes *notes,
		 const struct pn_staged *item)
{
	struct pn_buf bytes = {0};
	struct pn_oid id;

	if (!is_in(notes->bodies, item) &&
	    pn_repo_has_object(notes->repo, &item->blob) &&
	    !pn_repo_read_blob(&bytes, notes->repo, &item->blob, HOLD_MAX,
			       NULL))
		pn_objects_add(&id, objects, PN_OBJECT_BLOB, bytes.data,
			       bytes.len);
	pn_buf_release(&bytes);
}

/* The blob of a staged item, and what of it has to be written. */
static void put_item(struct pn_objects *objects, struct pn_notes *notes,
		     struct pn_staged *item, bool is_body)
{
	struct pn_object *made;

	if (!item->bytes) {
		if (is_body && !item->reachable)
			hold(objects, notes, item);
		return;
	}
	if (pn_oid_is_zero(&item->blob))
		pn_object_hash(&item->blob, PN_OBJECT_BLOB, item->bytes,
			       item->len);
	made = pn_objects_borrow(objects, PN_OBJECT_BLOB, &item->blob,
				 item->bytes, item->len, item->raw_len);
	if (made && is_body)
		made->reachable = is_in(notes->bodies, item);
}

/* What becomes of the names, in order; puts what has to be written. */
static struct pn_fan_item *list_changes(struct pn_notes *notes,
					const struct pn_stage *stage,
					struct pn_objects *objects)
{
	struct pn_fan_item *changes =
		pn_calloc(stage->count + 1, sizeof(*changes));
	size_t i;

	for (i = 0; i < stage->count; i++) {
		struct pn_staged *item = &stage->items[i];

		changes[i].key = item->key;
		if (!item->present)
			continue;
		put_item(objects, notes, item, stage == &notes->staged_bodies);
		changes[i].blob = item->blob;
	}
	qsort(changes, stage->count, sizeof(*changes), by_key);
	return changes;
}

static int apply_texts(struct pn_notes *notes, struct pn_objects *objects,
		       struct pn_error *err)
{
	const struct pn_stage *texts = &notes->staged_texts;
	struct pn_fan_item *changes = list_changes(notes, texts, objects);
	int code = pn_fan_apply(notes->texts, changes, texts->count, err);

	free(changes);
	return code;
}

/* The lines of these are good for whoever reads them here. */
static void tell_good(const struct pn_notes *notes)
{
	const struct pn_stage *texts = &notes->staged_texts;
	struct pn_recent_text *recent;
	struct pn_oid *blobs;
	size_t i, n = 0;

	for (i = 0; i < texts->count; i++)
		n += texts->items[i].good;
	if (!n)
		return;
	blobs = pn_calloc(n, sizeof(*blobs));
	recent = pn_calloc(n, sizeof(*recent));
	for (i = n = 0; i < texts->count; i++) {
		const struct pn_staged *item = &texts->items[i];

		if (!item->good)
			continue;
		blobs[n] = item->blob;
		recent[n++] = (struct pn_recent_text){item->blob, item->bytes,
						      item->len};
	}
	pn_good_add(notes->repo, blobs, n);
	pn_recent_add(notes->repo, recent, n);
	free(blobs);
	free(recent);
}

/* Those that are in memory; they count as reachable once they are written. */
static void borrow_bodies(struct pn_objects *objects,
			  const struct pn_stage *bodies)
{
	size_t i;

	for (i = 0; i < bodies->count; i++) {
		const struct pn_staged *item = &bodies->items[i];

		if (item->bytes && item->present)
			pn_objects_borrow(objects, PN_OBJECT_BLOB, &item->blob,
					  item->bytes, item->len,
					  item->raw_len);
	}
}

static void forget_bytes(struct pn_stage *bodies)
{
	size_t i;

	for (i = 0; i < bodies->count; i++) {
		struct pn_staged *item = &bodies->items[i];

		if (!item->bytes)
			continue;
		item->bytes = NULL;
		item->len = item->raw_len = 0;
		item->reachable = true;
	}
	pn_arena_release(&bodies->arena);
	bodies->bytes = 0;
}

/* As a pack that waits for the commit; ends the objects. */
static int write_part(struct pn_notes *notes, struct pn_objects *objects,
		      struct pn_error *err)
{
	struct pn_pack part = {0};
	int code;

	pn_oidmap_release(&objects->known); /* none will be added */
	code = pn_objects_write_part(&part, notes->repo, objects, err);
	pn_objects_release(objects);
	if (!code && part.path)
		pn_parts_add(&notes->parts, &part);
	return code;
}

static int settle_texts(struct pn_notes *notes, struct pn_objects *objects,
			struct pn_error *err)
{
	const struct pn_stage *texts = &notes->staged_texts;
	int code;

	if (!texts->count)
		return 0;
	notes->stale = notes->settled = true;
	code = apply_texts(notes, objects, err);
	return code ? code
		    : pn_fan_settle(notes->texts,
				    &texts->items[texts->count - 1].key,
				    objects, err);
}

int pn_notes_settle(struct pn_notes *notes, struct pn_error *err)
{
	struct pn_objects objects = {0};
	int code = settle_texts(notes, &objects, err);

	borrow_bodies(&objects, &notes->staged_bodies);
	if (!code)
		code = write_part(notes, &objects, err);
	pn_objects_release(&objects);
	if (code)
		return code;
	forget_bytes(&notes->staged_bodies);
	tell_good(notes);
	pn_stage_clear(&notes->staged_texts);
	return 0;
}

static int put_format(struct pn_notes *notes, struct pn_objects *objects,
		      struct pn_error *err)
{
	static const char text[] = PN_NOTES_FORMAT_TEXT;
	struct pn_tree_entry entry;
	struct pn_oid id;

	if (notes->format.len) {
		pn_objects_add(&id, objects, PN_OBJECT_BLOB, notes->format.data,
			       notes->format.len);
		pn_fan_set_other(notes->texts, PN_MODE_BLOB, PN_NOTES_FORMAT,
				 &id);
		return 0;
	}
	pn_object_hash(&id, PN_OBJECT_BLOB, text, sizeof(text) - 1);
	if (pn_fan_other(&entry, notes->texts, PN_NOTES_FORMAT))
		return pn_oid_equal(&entry.id, &id)
			       ? 0
			       : pn_notes_check_format(notes, err);
	pn_objects_borrow(objects, PN_OBJECT_BLOB, &id, text, sizeof(text) - 1,
			  0);
	pn_fan_set_other(notes->texts, PN_MODE_BLOB, PN_NOTES_FORMAT, &id);
	return 0;
}

/* Of many bodies their names are what fills the memory. */
static int apply_bodies(struct pn_notes *notes, struct pn_fan *fan,
			struct pn_objects *objects, struct pn_error *err)
{
	size_t count = notes->staged_bodies.count, from = 0, n;
	struct pn_fan_item *changes =
		list_changes(notes, &notes->staged_bodies, objects);
	int code = 0;

	for (; !code && from < count; from += n) {
		n = count - from < NAMES_MAX ? count - from : NAMES_MAX;
		code = pn_fan_apply(fan, changes + from, n, err);
		if (code || from + n == count)
			continue;
		code = pn_fan_settle(fan, &changes[from + n - 1].key, objects,
				     err);
		if (!code)
			code = write_part(notes, objects, err);
	}
	free(changes);
	return code;
}

static int put_bodies(struct pn_notes *notes, struct pn_objects *objects,
		      struct pn_error *err)
{
	struct pn_tree_entry entry;
	struct pn_fan *fan;
	struct pn_oid tree;
	int code;

	if (!notes->staged_bodies.count)
		return 0;
	if (pn_fan_other(&entry, notes->texts, PN_NOTES_OBJECTS) &&
	    !pn_mode_is_tree(entry.mode))
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' has an entry 'objects' that is no "
				    "folder",
				    notes->ref);
	code = pn_notes_bodies(&fan, notes, err);
	if (!code)
		code = apply_bodies(notes, fan, objects, err);
	if (!code)
		code = pn_fan_write(&tree, fan, objects, err);
	if (!code)
		pn_fan_set_other(notes->texts, PN_MODE_TREE, PN_NOTES_OBJECTS,
				 pn_oid_is_zero(&tree) ? NULL : &tree);
	return code;
}

static void add_parents(struct pn_buf *text, const unsigned char *ids,
			size_t len)
{
	char hex[PN_OID_HEX + 1];
	struct pn_oid id;
	size_t at;

	for (at = 0; at < len; at += PN_OID_BYTES) {
		memcpy(id.bytes, ids + at, PN_OID_BYTES);
		pn_oid_hex(hex, &id);
		pn_buf_printf(text, "parent %s\n", hex);
	}
}

static int put_commit(struct pn_oid *out, struct pn_buf *ident,
		      struct pn_notes *notes, const struct pn_oid *tree,
		      const char *message, struct pn_objects *objects,
		      struct pn_error *err)
{
	struct pn_buf text = {0}, author = {0};
	const size_t subject = strlen(PN_NOTES_SUBJECT);
	bool cut = notes->cut && !strncmp(message, PN_NOTES_SUBJECT, subject);
	char hex[PN_OID_HEX + 1];
	int code;

	code = pn_identity(&author, notes->repo, false, err);
	if (!code)
		code = pn_identity(ident, notes->repo, true, err);
	if (code)
		goto out;
	pn_oid_hex(hex, tree);
	pn_buf_printf(&text, "tree %s\n", hex);
	add_parents(&text, notes->before.data, notes->before.len);
	if (!pn_oid_is_zero(&notes->tip) && !notes->orphan)
		add_parents(&text, notes->tip.bytes, PN_OID_BYTES);
	add_parents(&text, notes->behind.data, notes->behind.len);
	pn_buf_printf(&text, "author %s\ncommitter %s\n\n%s%s",
		      pn_buf_text(&author), pn_buf_text(ident),
		      cut ? PN_NOTES_CUT_SUBJECT : "",
		      cut ? message + subject : message);
	if (text.data[text.len - 1] != '\n')
		pn_buf_add_byte(&text, '\n');
	pn_objects_add(out, objects, PN_OBJECT_COMMIT, text.data, text.len);
out:
	pn_buf_release(&author);
	pn_buf_release(&text);
	return code;
}

/* The ref has moved, and what it names has gone from below it. */
static int lost(struct pn_notes *notes, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &notes->tip);
	return pn_error_context(err,
				"what '%s' was moved to is gone (go back: git "
				"update-ref %s %s)",
				notes->ref, notes->ref, hex);
}

/*
 * Objects have their names at the last moment, when the ref is where it was:
 * of nearly all rounds that are lost nothing is left. What has a name stays,
 * because git may have found an object in it and not written it again.
 */
static int write_and_move(bool *moved, int64_t *waited_us,
			  struct pn_notes *notes, const struct pn_oid *commit,
			  const char *ident, const char *message,
			  struct pn_objects *objects, struct pn_error *err)
{
	const struct pn_oid *old = notes->apart ? &notes->at : &notes->tip;
	int code = pn_objects_prepare(notes->repo, objects, err);

	if (!code && pn_ref_has_left(notes->repo, notes->ref, old))
		code = pn_error_set(err, PN_ECONFLICT,
				    "'%s' was moved by another writer",
				    notes->ref);
	if (!code)
		code = pn_objects_name(notes->repo, objects, err);
	if (code)
		return code;
	code = pn_ref_move(waited_us, notes->repo, notes->ref, old, commit,
			   ident, message, err);
	pn_stored_refresh(notes->repo);
	*moved = !code;
	objects->ref_follows = false;
	return code;
}

/* Objects, then the ref, then a look whether somebody took them meanwhile. */
static int publish(struct pn_notes *notes, const struct pn_oid *commit,
		   const char *ident, const char *message,
		   struct pn_objects *objects, struct pn_error *err)
{
	const struct pn_oid *old = notes->apart ? &notes->at : &notes->tip;
	int64_t waited_us = 0;
	bool moved = false;
	int writes, code;

	code = pn_ref_wait(&waited_us, notes->repo, notes->ref, err);
	if (code)
		return code;

	/* git makes a new ref, and its folders */
	objects->ref_follows = !pn_oid_is_zero(old);
	pn_oidmap_release(&objects->known); /* none will be added */
	for (writes = 0; writes < WRITES_MAX; writes++) {
		if (moved) {
			code = pn_objects_write(notes->repo, objects, err);
		} else {
			code = write_and_move(&moved, &waited_us, notes, commit,
					      ident, message, objects, err);
			if (moved && pn_parts_end(&notes->parts, err))
				return lost(notes, err);
		}
		if (code == PN_ENOTFOUND)
			continue;
		if (code)
			break;
		if (pn_objects_exist(notes->repo, objects)) {
			pn_objects_published(objects);
			return 0;
		}
	}
	if (code && code != PN_ENOTFOUND)
		return moved ? lost(notes, err) : code;
	pn_error_set(err, PN_EIO,
		     "objects vanish as fast as they are written: a 'git "
		     "prune' runs over and over");
	return moved ? lost(notes, err) : PN_EIO;
}

/* What was staged is the tip now. */
static void finish(struct pn_notes *notes)
{
	tell_good(notes);
	notes->stale = notes->apart = notes->orphan = false;
	notes->settled = false;
	pn_stage_clear(&notes->staged_texts);
	pn_stage_clear(&notes->staged_bodies);
	pn_buf_clear(&notes->before);
	pn_buf_clear(&notes->behind);
	pn_buf_clear(&notes->format);
}

int pn_notes_commit(struct pn_notes *notes, const char *message,
		    struct pn_error *err)
{
	struct pn_oid old = pn_fan_tree(notes->texts);
	bool joins = notes->before.len || notes->behind.len || notes->orphan;
	struct pn_objects objects = {0};
	struct pn_buf ident = {0};
	struct pn_oid tree, commit = notes->tip;
	bool moves;
	int code;

	if (!notes->staged_texts.count && !notes->staged_bodies.count &&
	    !notes->settled && !notes->apart && !notes->format.len && !joins)
		return 0;
	notes->stale = true;
	code = pn_parts_check(&notes->parts, err);
	if (!code)
		code = put_format(notes, &objects, err);
	if (!code)
		code = put_bodies(notes, &objects, err);
	if (!code)
		code = apply_texts(notes, &objects, err);
	if (!code)
		code = pn_fan_write(&tree, notes->texts, &objects, err);
	moves = !code && (joins || !pn_oid_equal(&tree, &old));
	if (moves)
		code = put_commit(&commit, &ident, notes, &tree, message,
				  &objects, err);
	else if (!code && notes->apart)
		code = pn_identity(&ident, notes->repo, true, err);
	if (!code && (moves || notes->apart))
		code = publish(notes, &commit, pn_buf_text(&ident), message,
			       &objects, err);
	if (moves && !code) {
		notes->tip = commit;
		notes->ours = !notes->cut;
	}
	if (!code)
		finish(notes);
	pn_objects_release(&objects);
	pn_buf_release(&ident);
	return code;
}
