/* What is staged on a snapshot of the notes. */
#include "vcs/notes/notes.h"

#include "base/alloc.h"
#include "base/text/line_set.h"
#include "vcs/notes/snapshot.h"
#include "vcs/objects/objects.h"

#include <stdlib.h>
#include <string.h>

void pn_stage_clear(struct pn_stage *stage)
{
	pn_arena_release(&stage->arena);
	pn_oidmap_release(&stage->map);
	free(stage->items);
	memset(stage, 0, sizeof(*stage));
}

struct pn_staged *pn_stage_find(const struct pn_stage *stage,
				const struct pn_oid *key)
{
	uint32_t at = pn_oidmap_find(&stage->map, key);

	return at == PN_OIDMAP_NONE ? NULL : &stage->items[at];
}

static struct pn_staged *stage_item(struct pn_stage *stage,
				    const struct pn_oid *key)
{
	struct pn_staged *item = pn_stage_find(stage, key);

	if (item)
		return item;
	stage->items = pn_grow(stage->items, &stage->cap, stage->count + 1,
			       sizeof(*stage->items));
	pn_oidmap_add(&stage->map, key);
	item = &stage->items[stage->count++];
	memset(item, 0, sizeof(*item));
	item->key = *key;
	return item;
}

int pn_notes_stage_note(struct pn_notes *notes, const struct pn_oid *commit,
			const void *bytes, size_t len, struct pn_error *err)
{
	struct pn_stage *stage = &notes->staged_texts;
	struct pn_line_set set = {0};
	const char *kept = NULL;
	int code = 0;

	/* of too many lines none is left out; too many bytes are refused below
	 */
	if (!pn_line_set_add(&set, bytes, len, PN_NOTE_MAX,
			     PN_NOTE_LINES_MAX) &&
	    set.repeated) {
		bytes = set.text.data;
		len = set.text.len;
	}
	if (len && len <= PN_NOTE_MAX) {
		kept = pn_arena_copy(&stage->arena, bytes, len);
		stage->bytes += len;
	}
	code = pn_notes_lend_note(notes, commit, kept, len, err);
	pn_line_set_release(&set);
	return code;
}

int pn_notes_lend_note(struct pn_notes *notes, const struct pn_oid *commit,
		       const void *bytes, size_t len, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	struct pn_staged *item;

	if (len > PN_NOTE_MAX) {
		pn_oid_hex(hex, commit);
		return pn_error_set(err, PN_ELIMIT,
				    "the note of commit %.10s would have %zu "
				    "bytes, at most %u are kept",
				    hex, len, PN_NOTE_MAX);
	}
	item = stage_item(&notes->staged_texts, commit);
	item->present = len > 0;
	item->len = len;
	item->bytes = len ? bytes : NULL;
	item->good = false;
	memset(&item->blob, 0, sizeof(item->blob));
	return 0;
}

void pn_notes_stage_good(struct pn_notes *notes, const struct pn_oid *commit)
{
	struct pn_staged *item = pn_stage_find(&notes->staged_texts, commit);

	if (item)
		item->good = item->bytes != NULL;
}

void pn_notes_stage_blob(struct pn_notes *notes, const struct pn_oid *commit,
			 const struct pn_oid *blob)
{
	struct pn_staged *item = stage_item(&notes->staged_texts, commit);

	item->present = true;
	item->len = 0;
	item->bytes = NULL;
	item->good = false;
	item->blob = *blob;
}

int pn_notes_stage_named(struct pn_notes *notes, const struct pn_oid *body,
			 const void *bytes, size_t len, size_t raw_len,
			 struct pn_error *err)
{
	const struct pn_object now = {
		.bytes = bytes, .len = len, .raw_len = raw_len};
	struct pn_stage *stage = &notes->staged_bodies;
	struct pn_staged *item;
	struct pn_object first;

	if (stage->count >= PN_OIDMAP_NONE - 1)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %zu bodies in one batch",
				    stage->count);
	item = stage_item(stage, body);
	item->blob = *body;
	item->present = true;
	if (item->bytes) {
		first = (struct pn_object){.bytes = (const void *)item->bytes,
					   .len = item->len,
					   .raw_len = item->raw_len};
		return pn_object_same(&first, &now)
			       ? 0
			       : pn_object_refuse(PN_OBJECT_BLOB, body, err);
	}
	item->bytes = pn_arena_copy(&stage->arena, bytes, len);
	item->len = len;
	item->reachable = false;
	stage->bytes += len;
	item->raw_len = raw_len;
	return 0;
}

size_t pn_notes_staged_bytes(const struct pn_notes *notes)
{
	return notes->staged_bodies.bytes + notes->staged_texts.bytes;
}

int pn_notes_stage_body(struct pn_oid *out, struct pn_notes *notes,
			const void *bytes, size_t len, struct pn_error *err)
{
	struct pn_oid id;
	int code;

	pn_object_hash(&id, PN_OBJECT_BLOB, bytes, len);
	code = pn_notes_stage_named(notes, &id, bytes, len, 0, err);
	if (!code)
		*out = id;
	return code;
}

void pn_notes_stage_anchor(struct pn_notes *notes, const struct pn_oid *body)
{
	struct pn_staged *item = stage_item(&notes->staged_bodies, body);

	item->blob = *body;
	item->present = true;
}

void pn_notes_stage_drop(struct pn_notes *notes, const struct pn_oid *body)
{
	stage_item(&notes->staged_bodies, body)->present = false;
}

int pn_notes_staged_new(struct pn_buf *out, struct pn_notes *notes,
			struct pn_error *err)
{
	struct pn_buf blobs = {0};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < notes->staged_texts.count; i++) {
		const struct pn_staged *item = &notes->staged_texts.items[i];

		if (!item->present)
			continue;
		pn_buf_clear(&blobs);
		code = pn_fan_find(&blobs, notes->texts, &item->key, err);
		if (!code && !blobs.len)
			pn_buf_add(out, item->key.bytes, PN_OID_BYTES);
	}
	pn_buf_release(&blobs);
	return code;
}
