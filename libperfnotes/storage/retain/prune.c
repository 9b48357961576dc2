/* Taking many records out at once. */
#include "storage/retain/prune.h"

#include "base/alloc.h"
#include "base/file.h"
#include "storage/needed_bodies.h"
#include "storage/retain/full.h"
#include "storage/retain/tombstone.h"
#include "vcs/disk.h"
#include "vcs/lock.h"
#include "vcs/notes/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REASON "change-point"		/* why a record stays */
#define STAGED_BYTES ((size_t)32 << 20) /* of notes, in memory */

struct prune {
	struct pn_repo *repo;
	struct pn_notes *notes;
	bool dry_run;
	const struct pn_prune_item *items; /* sorted by commit */
	size_t count;
	struct pn_pruned *out;
	struct pn_buf bodies; /* ids that were named by what goes */
	struct pn_buf gone;   /* those that nobody needs then */
	int64_t now_ns;
};

/* `from`: where it is likely, as items are in the order of the lines. */
static const struct pn_entry *find(const struct pn_entry *entries, size_t count,
				   size_t from, const char *id)
{
	const struct pn_entry *e;
	size_t i;

	for (i = 0; i < count; i++) {
		e = &entries[(from + i) % count];
		if (!strcmp(e->id, id))
			return e;
	}
	return NULL;
}

/* `counts`: as a record. */
static int prune_item(struct pn_buf *note, struct prune *p,
		      const struct pn_entry *e, bool counts,
		      const struct pn_prune_item *item, struct pn_error *err)
{
	int code;

	if (item->what == PN_PRUNE_KEEP)
		return pn_tombstone_keep(note, e, &item->commit, REASON, err);
	if (item->what == PN_PRUNE_BODY &&
	    (!e->has_body || !pn_entry_has_figures(e)))
		return 0;
	code = item->what == PN_PRUNE_BODY
		       ? pn_tombstone_bare(note, e, &item->commit, err)
		       : pn_tombstone_add(note, e, &item->commit, p->now_ns,
					  err);
	if (code)
		return code;
	if (e->has_body)
		pn_buf_add(&p->bodies, e->body.bytes, PN_OID_BYTES);
	if (item->what == PN_PRUNE_BODY)
		p->out->figures++;
	else
		p->out->records += counts;
	return 0;
}

/* The items are of the commit of the note, whose text grows. */
static int prune_text(struct pn_buf *note, struct prune *p,
		      const struct pn_prune_item *items, size_t count,
		      struct pn_error *err)
{
	const struct pn_entry *entries, *e;
	struct pn_arena arena = {0};
	struct pn_buf text = {0};
	size_t i, n = 0, at = 0;
	const char *of;
	int code = 0;

	pn_buf_add(&text, note->data, note->len);
	pn_entries_parse(&entries, &n, NULL, &arena, pn_buf_text(&text),
			 text.len);
	if (note->len && note->data[note->len - 1] != '\n')
		pn_buf_add_byte(note, '\n');
	for (i = 0; !code && i < count; i++) {
		e = find(entries, n, at, items[i].id);
		if (!e)
			continue;
		at = (size_t)(e - entries) + 1;
		/* that the body went is said of a record that goes, too */
		of = pn_entry_bared(e);
		code = prune_item(note, p, e, !of || !find(entries, n, 0, of),
				  &items[i], err);
	}
	pn_arena_release(&arena);
	pn_buf_release(&text);
	return code;
}

/* Of many notes little is in memory; of a dry run none is staged. */
static int prune_note(struct prune *p, const struct pn_prune_item *items,
		      size_t count, struct pn_error *err)
{
	struct pn_buf note = {0};
	size_t before;
	int code = pn_notes_read(&note, p->notes, &items->commit, err);

	before = note.len + 1;
	if (!code)
		code = prune_text(&note, p, items, count, err);
	if (!code && !p->dry_run && note.len > before)
		code = pn_notes_stage_note(p->notes, &items->commit, note.data,
					   note.len, err);
	if (!code && pn_notes_staged_bytes(p->notes) > STAGED_BYTES)
		code = pn_notes_settle(p->notes, err);
	pn_buf_release(&note);
	return code;
}

static size_t count_equal(const struct pn_prune_item *items, size_t count)
{
	size_t n = 1;

	while (n < count && pn_oid_equal(&items[n].commit, &items->commit))
		n++;
	return n;
}

/* What a dry run would have staged. */
static int amend(struct pn_buf *out, void *arg, const struct pn_oid *commit,
		 const struct pn_buf *text, struct pn_error *err)
{
	struct prune *p = arg;
	size_t n;

	while (p->count && pn_oid_cmp(&p->items->commit, commit) < 0) {
		p->items++;
		p->count--;
	}
	if (!p->count || !pn_oid_equal(&p->items->commit, commit))
		return 0;
	n = count_equal(p->items, p->count);
	pn_buf_add(out, text->data, text->len);
	return prune_text(out, p, p->items, n, err);
}

static int read_needed(struct pn_needed_bodies **out, const struct prune *p,
		       struct pn_error *err)
{
	struct pn_pruned ignored = {0};
	struct prune again = {.items = p->items,
			      .count = p->count,
			      .now_ns = p->now_ns,
			      .out = &ignored};
	int code;

	if (!p->dry_run)
		return pn_needed_bodies_read(out, p->repo, p->notes, err);
	code = pn_needed_bodies_read_as(out, p->repo, p->notes, amend, &again,
					err);
	pn_buf_release(&again.bodies);
	return code;
}

static int drop_bodies(struct prune *p, struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	struct pn_oid id;
	size_t at;
	int code = 0;

	if (p->bodies.len)
		code = read_needed(&needed, p, err);
	for (at = 0; !code && at < p->bodies.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, p->bodies.data + at, PN_OID_BYTES);
		code = pn_needed_bodies_drop(&p->gone, p->repo, p->notes,
					     needed, &id, err);
	}
	p->out->bodies = p->gone.len / PN_OID_BYTES;
	pn_needed_bodies_free(needed);
	return code == PN_ELIMIT ? 0 : code; /* a body too many does no harm */
}

/* What the bodies that go take on the disk. */
static int weigh(struct prune *p, struct pn_error *err)
{
	size_t i, n = p->gone.len / PN_OID_BYTES;
	struct pn_disk *disk = pn_calloc(n + 1, sizeof(*disk));
	int code = n ? pn_disk_of_each(disk, p->repo, &p->gone, err) : 0;

	for (i = 0; !code && i < n; i++)
		p->out->body_bytes += disk[i].disk;
	free(disk);
	return code;
}

static int prune(struct prune *p, const struct pn_oid *tip,
		 struct pn_error *err)
{
	char message[64];
	size_t i, n;
	int code = pn_notes_open(&p->notes, p->repo, PN_NOTES_REF, err);

	if (!code && !pn_oid_equal(pn_notes_tip(p->notes), tip))
		code = pn_error_set(err, PN_ECONFLICT,
				    "others write notes all the time: try "
				    "again");
	if (!code)
		code = pn_notes_check_format(p->notes, err);
	if (!code)
		code = pn_retain_check_full(p->repo, p->notes, err);
	if (!code)
		code = pn_needed_bodies_reanchor(p->repo, p->notes, err);
	for (i = 0; !code && i < p->count; i += n) {
		n = count_equal(p->items + i, p->count - i);
		code = prune_note(p, p->items + i, n, err);
	}
	if (!code)
		code = drop_bodies(p, err);
	if (!code) /* nothing fails any more when the ref has moved */
		code = weigh(p, err);
	if (code || p->dry_run)
		return code;
	snprintf(message, sizeof(message), "perf: prune %zu\n",
		 p->out->records + p->out->figures);
	return pn_notes_commit(p->notes, message, err);
}

int pn_store_prune(struct pn_pruned *out, struct pn_repo *repo,
		   const struct pn_oid *tip, const struct pn_prune_item *items,
		   size_t count, bool dry_run, struct pn_error *err)
{
	struct prune p = {.repo = repo,
			  .out = out,
			  .dry_run = dry_run,
			  .items = items,
			  .count = count,
			  .now_ns = pn_time_now_ns()};
	struct pn_lock lock = {.fd = -1};
	int code;

	memset(out, 0, sizeof(*out));
	if (!count)
		return 0;
	code = pn_lock_acquire(&lock, repo, err);
	if (code)
		return code;
	code = prune(&p, tip, err);
	pn_lock_release(&lock);
	pn_notes_free(p.notes);
	pn_buf_release(&p.bodies);
	pn_buf_release(&p.gone);
	return code;
}
