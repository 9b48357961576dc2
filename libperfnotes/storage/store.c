/*
 * Appending: bodies are staged on a snapshot of the notes as records come in;
 * the commit takes the lock, makes the notes' texts from the newest tip and
 * moves the ref, again when a foreign writer was first.
 */
#include "storage/store.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/trace2.h"
#include "model/entry.h"
#include "storage/batch_lines.h"
#include "storage/chain.h"
#include "storage/needed_bodies.h"
#include "storage/prepare.h"
#include "vcs/lock.h"
#include "vcs/notes/cached.h"
#include "vcs/notes/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without the lock (foreign writers, NFS) each round loses to one winner. */
#define MAX_ROUNDS 1000

/* A longer body is deflated before it is staged: its own bytes, and a copy of
 * them, would be there beside the profile. */
#define PACK_BYTES ((size_t)1 << 20)

/* So much of a batch's lines, and of its bodies with the notes that lines are
 * added to, is in memory. */
#define LINES_BYTES ((size_t)32 << 20)
#define STAGED_BYTES ((size_t)32 << 20)

/* Of a longer note the lines are not verified for later readers. */
#define VERIFIED_MAX 4096

struct pn_batch {
	struct pn_repo *repo;
	struct pn_notes *notes;
	bool own_notes;
	struct pn_chain *chain;
	struct pn_batch_lines lines;
	size_t count;	 /* of all lines */
	int64_t last_ns; /* times within a batch differ */
	uint64_t randoms[PN_HASH_RANDOMS];
	size_t random_count; /* of those, still to be used */
};

int pn_batch_open(struct pn_batch **out, struct pn_repo *repo,
		  struct pn_notes *notes, struct pn_error *err)
{
	struct pn_batch *batch = pn_calloc(1, sizeof(*batch));
	int code = 0;

	batch->notes = notes;
	batch->own_notes = !notes;
	if (!notes)
		code = pn_notes_open(&batch->notes, repo, PN_NOTES_REF, err);
	if (code) {
		free(batch);
		return code;
	}
	batch->repo = repo;
	batch->chain = pn_chain_new(repo);
	*out = batch;
	return 0;
}

void pn_batch_free(struct pn_batch *batch)
{
	if (!batch)
		return;
	pn_chain_free(batch->chain);
	if (batch->own_notes)
		pn_notes_free(batch->notes);
	pn_batch_lines_release(&batch->lines);
	free(batch);
}

static int finish_body(struct pn_record *r, const struct pn_buf *bytes,
		       struct pn_error *err)
{
	int code = pn_record_check_size(r, bytes->len, err);

	if (code)
		return code;
	pn_hash_git_object(&r->body_id, "blob", bytes->data, bytes->len);
	r->body_len = bytes->len;
	r->is_prepared = true;
	return 0;
}

/* A body that is deflated stands in `encoded`, whatever it was before. */
static struct pn_buf *body_bytes(struct pn_record *r)
{
	return r->has_verbatim && !r->is_deflated ? &r->verbatim : &r->encoded;
}

void pn_batch_pack(struct pn_record *r, struct pn_deflater *deflater)
{
	struct pn_buf *bytes = body_bytes(r), packed = {0};

	if (!r->is_prepared || r->is_deflated)
		return;
	pn_deflater_run(&packed, deflater, NULL, 0, bytes->data, bytes->len);
	pn_buf_release(bytes);
	r->encoded = packed;
	r->is_deflated = true;
}

static void pack_long(struct pn_record *record)
{
	struct pn_deflater *deflater;

	if (record->body_len < PACK_BYTES)
		return;
	deflater = pn_deflater_new(1);
	pn_batch_pack(record, deflater);
	pn_deflater_free(deflater);
}

int pn_batch_prepare(struct pn_record *record, struct pn_error *err)
{
	int code = 0;

	if (record->is_prepared || !pn_record_needs_body(record))
		return 0;
	if (record->has_verbatim)
		return finish_body(record, &record->verbatim, err);
	if (!pn_chain_is_alone(record))
		return 0;
	code = pn_chain_encode_alone(&record->encoded, record, err);
	return code ? code : finish_body(record, &record->encoded, err);
}

/* Stages the body; *base is zero unless it is a delta. */
static int take_body(struct pn_entry *entry, struct pn_oid *base,
		     struct pn_batch *batch, struct pn_record *record,
		     struct pn_error *err)
{
	const struct pn_buf *bytes = body_bytes(record);
	bool is_delta = false, in_chain;
	int code;

	if (!pn_record_needs_body(record))
		return 0;
	code = pn_batch_prepare(record, err);
	in_chain = !code && !record->is_prepared;
	if (in_chain)
		code = pn_chain_encode(&record->encoded, &is_delta, base,
				       batch->chain, batch->notes, record, err);
	if (!code && in_chain)
		code = finish_body(record, bytes, err);
	if (!code && in_chain)
		pack_long(record);
	if (!code)
		code = pn_notes_stage_named(
			batch->notes, &record->body_id, bytes->data, bytes->len,
			record->is_deflated ? record->body_len : 0, err);
	if (!code && in_chain)
		pn_chain_stored(batch->chain, &record->body_id);
	if (in_chain) {
		/* good for this place in this batch alone */
		pn_buf_release(&record->encoded);
		record->is_prepared = record->is_deflated = false;
	}
	if (code)
		return code;
	entry->has_body = true;
	entry->body = record->body_id;
	entry->size = record->body_len;
	return 0;
}

static uint64_t next_random(struct pn_batch *batch)
{
	if (!batch->random_count) {
		pn_hash_randoms(batch->randoms);
		batch->random_count = PN_HASH_RANDOMS;
	}
	return batch->randoms[--batch->random_count];
}

/* The line of a record: n, body and base, then what describes it. */
static int write_line(struct pn_batch *batch, const struct pn_record *record,
		      struct pn_entry *entry, const struct pn_oid *base,
		      struct pn_error *err)
{
	struct pn_field *fields;
	char nonce[17], hex[PN_OID_HEX + 1];
	size_t n = 0;
	int code;

	fields = pn_calloc(record->field_count + 3, sizeof(*fields));
	snprintf(nonce, sizeof(nonce), "%016" PRIx64, next_random(batch));
	fields[n].key = "n";
	fields[n++].value = nonce;
	if (entry->has_body) {
		fields[n].key = "body";
		fields[n++].value =
			record->has_verbatim ? "verbatim" : "canonical";
	}
	if (!pn_oid_is_zero(base)) {
		pn_oid_hex(hex, base);
		fields[n].key = "base";
		fields[n++].value = hex;
	}
	if (record->field_count)
		memcpy(fields + n, record->fields,
		       record->field_count * sizeof(*fields));
	entry->fields = fields;
	entry->field_count = n + record->field_count;
	entry->metrics = record->metrics;
	entry->metric_count = record->metric_count;
	code = pn_entry_write(&batch->lines.text, entry, err);
	free(fields);
	return code;
}

static int64_t next_time(struct pn_batch *batch)
{
	int64_t now = pn_time_now_ns();

	if (now <= batch->last_ns)
		now = batch->last_ns + 1;
	batch->last_ns = now;
	return now;
}

/* Of a large batch little is in memory. */
static int bound_staged(struct pn_batch *batch, struct pn_error *err)
{
	return pn_notes_staged_bytes(batch->notes) > STAGED_BYTES
		       ? pn_notes_settle(batch->notes, err)
		       : 0;
}

static int bound(struct pn_batch *batch, struct pn_error *err)
{
	int code = 0;

	if (batch->lines.text.len > LINES_BYTES)
		code = pn_batch_lines_spill(&batch->lines, batch->repo, err);
	return code ? code : bound_staged(batch, err);
}

int pn_batch_add(struct pn_batch *batch, struct pn_record *record,
		 struct pn_error *err)
{
	struct pn_entry entry = {
		.time_ns = next_time(batch),
		.kind = record->kind ? PN_ENTRY_OTHER : PN_ENTRY_PROFILE,
		.kind_text = record->kind ? record->kind : "profile",
		.commit = record->commit,
		.tree = record->tree};
	struct pn_batch_line line = {.commit = record->commit,
				     .at = batch->lines.text.len};
	int code;

	code = take_body(&entry, &line.base, batch, record, err);
	if (!code)
		code = write_line(batch, record, &entry, &line.base, err);
	if (code)
		return code;
	pn_batch_lines_add(&batch->lines, &line);
	batch->count++;
	memcpy(record->id, entry.id, sizeof(record->id));
	record->time_ns = entry.time_ns;
	return bound(batch, err);
}

/* Whether there is no line but good ones in the note that was read last; of a
 * long text nobody asks. */
static bool is_good(struct pn_notes *notes, const struct pn_oid *commit,
		    const struct pn_buf *text)
{
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	size_t count, bad = 1;

	if (!text->len || pn_notes_read_good(notes, commit))
		return true;
	if (text->len <= VERIFIED_MAX)
		pn_entries_parse(&entries, &count, &bad, &arena,
				 pn_buf_text(text), text->len);
	pn_arena_release(&arena);
	return !bad;
}

/* The note of one commit: what is there, then lines[from] up to lines[to]. */
static int stage_note(struct pn_batch *batch,
		      const struct pn_batch_lines *lines, struct pn_buf *note,
		      size_t from, size_t to, struct pn_error *err)
{
	const struct pn_batch_line *first = &lines->items[from];
	const struct pn_oid *commit = &first->commit;
	bool good;
	size_t i;
	int code;

	pn_buf_clear(note);
	code = pn_notes_read(note, batch->notes, commit, err);
	if (code)
		return code;
	good = is_good(batch->notes, commit, note);
	if (!note->len && to == from + 1) {
		/* most commits of a large batch: the line is the note */
		code = pn_notes_lend_note(batch->notes, commit,
					  lines->text.data + first->at,
					  first->len, err);
	} else {
		if (note->len && note->data[note->len - 1] != '\n')
			pn_buf_add_byte(note, '\n');
		for (i = from; i < to; i++)
			pn_buf_add(note, lines->text.data + lines->items[i].at,
				   lines->items[i].len);
		code = pn_notes_stage_note(batch->notes, commit, note->data,
					   note->len, err);
	}
	if (!code && good)
		pn_notes_stage_good(batch->notes, commit);
	return code;
}

static int stage_notes(struct pn_batch *batch,
		       const struct pn_batch_lines *lines, struct pn_error *err)
{
	struct pn_buf note = {0};
	size_t i, k;
	int code = 0;

	for (i = 0; !code && i < lines->count; i = k) {
		for (k = i + 1; k < lines->count; k++)
			if (!pn_oid_equal(&lines->items[k].commit,
					  &lines->items[i].commit))
				break;
		code = stage_note(batch, lines, &note, i, k, err);
		if (!code)
			code = bound_staged(batch, err);
	}
	pn_buf_release(&note);
	return code;
}

/* Somebody may have dropped what our deltas build on; the blobs are there. */
static int keep_bases(struct pn_batch *batch,
		      const struct pn_batch_lines *lines, struct pn_error *err)
{
	struct pn_oid base;
	size_t i;
	bool has;
	int code = 0;

	for (i = 0; !code && i < lines->count; i++) {
		base = lines->items[i].base;
		while (!code && !pn_oid_is_zero(&base)) {
			code = pn_notes_has_body(&has, batch->notes, &base,
						 err);
			if (code || has)
				break;
			pn_notes_stage_anchor(batch->notes, &base);
			base = pn_needed_bodies_base(batch->repo, &base);
		}
	}
	return code;
}

/* As many of them at a time as may be in memory; what they became goes to the
 * disk. */
static int stage_spilled(struct pn_batch *batch, struct pn_error *err)
{
	struct pn_batch_merge *merge = pn_batch_merge_new(&batch->lines);
	struct pn_batch_lines lines = {0};
	int code;

	do {
		code = pn_batch_merge_next(&lines, merge, LINES_BYTES, err);
		if (!code)
			code = keep_bases(batch, &lines, err);
		if (!code)
			code = stage_notes(batch, &lines, err);
		if (!code)
			code = pn_notes_settle(batch->notes, err);
	} while (!code && lines.count);
	pn_batch_lines_release(&lines);
	pn_batch_merge_free(merge);
	return code;
}

static int stage_lines(struct pn_batch *batch, struct pn_error *err)
{
	int code;

	if (batch->lines.run_count)
		return stage_spilled(batch, err);
	code = keep_bases(batch, &batch->lines, err);
	return code ? code : stage_notes(batch, &batch->lines, err);
}

static int commit_once(struct pn_batch *batch, struct pn_error *err)
{
	char message[64];
	int code;

	snprintf(message, sizeof(message), "perf: add %zu\n", batch->count);
	code = pn_notes_reopen(batch->notes, err);
	if (!code)
		code = pn_needed_bodies_reanchor(batch->repo, batch->notes,
						 err);
	if (!code)
		code = stage_lines(batch, err);
	if (!code)
		code = pn_notes_commit(batch->notes, message, err);
	return code;
}

int pn_batch_commit(struct pn_batch *batch, struct pn_error *err)
{
	struct pn_lock lock = {.fd = -1};
	struct pn_trace2_region region;
	int code = 0, rounds = 0;

	if (!batch->count)
		return 0;
	region = pn_trace2_enter(PN_TRACE2_HERE, "notes", "write");
	if (batch->lines.run_count)
		code = pn_batch_lines_spill(&batch->lines, batch->repo, err);
	else
		pn_batch_lines_sort(&batch->lines);
	if (!code)
		code = pn_lock_acquire(&lock, batch->repo, err);
	if (!code) {
		do {
			code = commit_once(batch, err);
		} while (code == PN_ECONFLICT && ++rounds < MAX_ROUNDS);
		pn_lock_release(&lock);
	}
	pn_trace2_leave(PN_TRACE2_HERE, &region);
	return code;
}

int pn_store_append(struct pn_repo *repo, struct pn_record *records,
		    size_t count, struct pn_error *err)
{
	struct pn_batch *batch = NULL;
	size_t i;
	int code;

	code = pn_batch_open(&batch, repo, NULL, err);
	for (i = 0; !code && i < count; i++)
		code = pn_batch_add(batch, &records[i], err);
	if (!code)
		code = pn_batch_commit(batch, err);
	pn_batch_free(batch);
	return code;
}
