/*
 * Appending and removing entries: one snapshot of the notes, everything
 * staged on it, one commit; again from a new snapshot when another writer was
 * first.
 */
#include "storage/store.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "storage/chain.h"
#include "vcs/lock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without the lock (foreign writers, NFS) each round loses to one winner. */
#define MAX_ROUNDS 1000

static int take_body(struct pn_entry *entry, struct pn_chain *chain,
		     struct pn_notes *notes, struct pn_record *record,
		     const char **base, struct pn_error *err)
{
	struct pn_oid base_oid;
	struct pn_buf bytes = {0};
	bool is_delta = false;
	char *hex;
	int code = 0;

	if (record->has_verbatim) {
		entry->size = record->verbatim.len;
		entry->has_body = true;
		return pn_notes_stage_body(&entry->body, notes,
					   record->verbatim.data,
					   record->verbatim.len, err);
	}
	if (!pn_record_needs_body(record))
		return 0;
	code = pn_chain_encode(&bytes, &is_delta, &base_oid, chain, notes,
			       record, err);
	if (!code) {
		entry->size = bytes.len;
		entry->has_body = true;
		code = pn_notes_stage_body(&entry->body, notes, bytes.data,
					   bytes.len, err);
	}
	pn_buf_release(&bytes);
	if (code)
		return code;
	pn_chain_stored(chain, &entry->body);
	if (is_delta) {
		hex = pn_arena_alloc(&record->arena, PN_OID_HEX + 1);
		pn_oid_hex(hex, &base_oid);
		*base = hex;
	}
	return 0;
}

/* The line of a record: n, body and base, then what describes it. */
static int write_line(struct pn_buf *out, struct pn_record *record,
		      struct pn_entry *entry, const char *base,
		      struct pn_error *err)
{
	struct pn_field *fields;
	char nonce[17];
	size_t n = 0;
	int code;

	fields = pn_calloc(record->field_count + 3, sizeof(*fields));
	snprintf(nonce, sizeof(nonce), "%016" PRIx64, pn_hash_random());
	fields[n].key = "n";
	fields[n++].value = nonce;
	if (entry->has_body) {
		fields[n].key = "body";
		fields[n++].value =
			record->has_verbatim ? "verbatim" : "canonical";
	}
	if (base) {
		fields[n].key = "base";
		fields[n++].value = base;
	}
	memcpy(fields + n, record->fields,
	       record->field_count * sizeof(*fields));
	entry->fields = fields;
	entry->field_count = n + record->field_count;
	entry->metrics = record->metrics;
	entry->metric_count = record->metric_count;
	code = pn_entry_write(out, entry, err);
	free(fields);
	return code;
}

static int stage_record(struct pn_buf *note, struct pn_chain *chain,
			struct pn_notes *notes, struct pn_record *record,
			int64_t time_ns, struct pn_error *err)
{
	struct pn_entry entry = {.time_ns = time_ns,
				 .kind = PN_ENTRY_PROFILE,
				 .kind_text = "profile",
				 .commit = record->commit,
				 .tree = record->tree};
	const char *base = NULL;
	int code;

	code = take_body(&entry, chain, notes, record, &base, err);
	if (!code)
		code = write_line(note, record, &entry, base, err);
	if (code)
		return code;
	memcpy(record->id, entry.id, sizeof(record->id));
	record->time_ns = time_ns;
	return 0;
}

/* Records in the order of their commits, else as they came. */
static int by_commit(const void *a, const void *b)
{
	const struct pn_record *const *x = a, *const *y = b;
	int order = pn_oid_cmp(&(*x)->commit, &(*y)->commit);

	if (order)
		return order;
	return *x < *y ? -1 : *x > *y;
}

static void end_line(struct pn_buf *note)
{
	if (note->len && note->data[note->len - 1] != '\n')
		pn_buf_add_byte(note, '\n');
}

/*
 * Bodies and lines are made in the order of the records, because each may
 * build on the one before; notes are then put together commit by commit.
 */
static int stage_all(struct pn_notes *notes, struct pn_chain *chain,
		     struct pn_record **order, struct pn_record *records,
		     size_t count, struct pn_error *err)
{
	struct pn_buf *lines = pn_calloc(count, sizeof(*lines));
	struct pn_buf note = {0};
	int64_t now = pn_time_now_ns();
	size_t i, k;
	int code = 0;

	for (i = 0; !code && i < count; i++)
		code = stage_record(&lines[i], chain, notes, &records[i],
				    now + (int64_t)i, err);
	for (i = 0; !code && i < count; i = k) {
		pn_buf_clear(&note);
		code = pn_notes_read(&note, notes, &order[i]->commit, err);
		end_line(&note);
		for (k = i; !code && k < count &&
			    pn_oid_equal(&order[k]->commit, &order[i]->commit);
		     k++) {
			struct pn_buf *line = &lines[order[k] - records];

			pn_buf_add(&note, line->data, line->len);
		}
		if (code)
			break;
		if (note.len > PN_NOTE_MAX)
			code = pn_error_set(err, PN_ELIMIT,
					    "the note of one commit would "
					    "have %zu bytes, at most %u are "
					    "kept",
					    note.len, PN_NOTE_MAX);
		else
			pn_notes_stage_note(notes, &order[i]->commit, note.data,
					    note.len);
	}
	for (i = 0; i < count; i++)
		pn_buf_release(&lines[i]);
	free(lines);
	pn_buf_release(&note);
	return code;
}

static int append_once(struct pn_repo *repo, struct pn_record *records,
		       struct pn_record **order, size_t count,
		       struct pn_error *err)
{
	struct pn_notes *notes = NULL;
	struct pn_chain *chain = NULL;
	char message[64];
	int code;

	code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);
	if (!code)
		code = pn_notes_reanchor(NULL, notes, err);
	if (!code) {
		chain = pn_chain_new(repo);
		code = stage_all(notes, chain, order, records, count, err);
	}
	if (!code) {
		snprintf(message, sizeof(message), "perf: add %zu\n", count);
		code = pn_notes_commit(notes, message, err);
	}
	pn_chain_free(chain);
	pn_notes_free(notes);
	return code;
}

int pn_store_append(struct pn_repo *repo, struct pn_record *records,
		    size_t count, struct pn_error *err)
{
	struct pn_lock lock = {.fd = -1};
	struct pn_record **order;
	size_t i;
	int code, rounds = 0;

	if (!count)
		return 0;
	code = pn_lock_acquire(&lock, repo, err);
	if (code)
		return code;
	order = pn_calloc(count, sizeof(*order));
	for (i = 0; i < count; i++)
		order[i] = &records[i];
	qsort(order, count, sizeof(*order), by_commit);
	do {
		code = append_once(repo, records, order, count, err);
	} while (code == PN_ECONFLICT && ++rounds < MAX_ROUNDS);
	free(order);
	pn_lock_release(&lock);
	return code;
}

int pn_store_entries(const struct pn_entry **out, size_t *count,
		     size_t *ignored, struct pn_arena *arena,
		     struct pn_notes *notes, const struct pn_oid *commit,
		     struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = pn_notes_read(&text, notes, commit, err);

	if (!code)
		pn_entries_parse(out, count, ignored, arena, pn_buf_text(&text),
				 text.len);
	pn_buf_release(&text);
	return code;
}
