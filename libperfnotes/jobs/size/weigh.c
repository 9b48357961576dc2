/* What notes and bodies take. */
#include "jobs/size/weigh.h"

#include "base/alloc.h"
#include "base/strtab.h"
#include "base/text/similar.h"
#include "model/entry.h"
#include "model/series.h"
#include "storage/retain/compact.h"
#include "vcs/disk.h"
#include "vcs/notes/stage.h"

#include <stdlib.h>
#include <string.h>

#define OF_NOTES SIZE_MAX /* the row of a note's blob */

static const char *const bys[] = {"kind", "series", "commit"};

void pn_weigh_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; i < sizeof(bys) / sizeof(*bys); i++)
		pn_buf_printf(out, "%s%s", i ? between : "", bys[i]);
}

struct weighing {
	struct pn_weighed *out;
	const char *by;
	struct pn_strtab names; /* of rows; number 0 is nobody's */
	struct pn_strtab seen;	/* blobs that were met */
	struct pn_buf ids;	/* of these, in their order */
	size_t *rows;		/* of these */
	size_t row_cap;
};

static size_t row_of(struct weighing *w, const char *name, size_t len)
{
	uint32_t id = pn_strtab_add(&w->names, name, len);
	struct pn_size *size = &w->out->size;
	struct pn_size_row *row;

	while (size->row_count <= id) {
		size->rows = pn_grow(size->rows, &w->out->cap,
				     size->row_count + 1, sizeof(*size->rows));
		row = &size->rows[size->row_count++];
		memset(row, 0, sizeof(*row));
		row->name = pn_arena_copy(&w->out->arena, name, len);
	}
	return id;
}

static bool is_met(const struct weighing *w, const struct pn_oid *blob)
{
	uint32_t known;

	return pn_strtab_find(&known, &w->seen, blob->bytes, PN_OID_BYTES);
}

static void take_blob(struct weighing *w, const struct pn_oid *blob, size_t row)
{
	size_t n = w->ids.len / PN_OID_BYTES;

	if (is_met(w, blob))
		return;
	pn_strtab_add(&w->seen, blob->bytes, PN_OID_BYTES);
	pn_buf_add(&w->ids, blob->bytes, PN_OID_BYTES);
	w->rows = pn_grow(w->rows, &w->row_cap, n + 1, sizeof(*w->rows));
	w->rows[n] = row;
}

static void name_series(struct pn_buf *out, const struct pn_entry *entry)
{
	struct pn_series series = pn_series_of(entry);
	struct pn_series_parts parts = {.workload = *series.workload != '\0',
					.args = !*series.job};

	pn_series_text(out, &series, &parts);
}

static void name_entry(struct pn_buf *out, const struct weighing *w,
		       const struct pn_entry *entry,
		       const struct pn_oid *commit)
{
	char hex[PN_OID_HEX + 1];
	const char *body = pn_entry_field(entry, "body");

	pn_buf_clear(out);
	if (!strcmp(w->by, "commit")) {
		pn_oid_hex(hex, commit);
		pn_buf_add_text(out, hex);
	} else if (!strcmp(w->by, "kind")) {
		pn_buf_printf(out, "%s%s%s", entry->kind_text,
			      *body ? ", " : "", body);
	} else if (entry->kind == PN_ENTRY_PROFILE) {
		name_series(out, entry);
	} else {
		pn_buf_printf(out, "(%s)", entry->kind_text);
	}
}

static int take_note(void *arg, const struct pn_oid *commit,
		     const struct pn_buf *text, struct pn_error *err)
{
	struct weighing *w = arg;
	const struct pn_entry *live;
	struct pn_buf name = {0};
	struct pn_arena arena = {0};
	uint64_t rest = text->len, line;
	size_t i, count, row;

	(void)err;
	pn_entries_parse(&live, &count, NULL, &arena, pn_buf_text(text),
			 text->len);
	for (i = 0; i < count; i++) {
		name_entry(&name, w, &live[i], commit);
		row = row_of(w, pn_buf_text(&name), name.len);
		line = live[i].line_len + 1;
		if (line > rest) /* the last one has no line feed */
			line = rest;
		rest -= line;
		w->out->size.rows[row].records++;
		w->out->size.rows[row].lines += line;
		if (live[i].has_body)
			take_blob(w, &live[i].body, row);
	}
	if (rest) {
		row = row_of(w, "(removed)", strlen("(removed)"));
		w->out->size.rows[row].lines += rest;
	}
	pn_buf_release(&name);
	pn_arena_release(&arena);
	return 0;
}

/* All blobs of the notes, or all bodies that nobody named before. */
static int take_blobs(struct weighing *w, struct pn_notes *notes, bool bodies,
		      struct pn_error *err)
{
	static const char none[] = "(of no record)";
	struct pn_notes_iter *iter = NULL;
	struct pn_oid name, blob;
	int code = (bodies ? pn_notes_bodies_open
			   : pn_notes_iter_open)(&iter, notes, err);

	while (!code &&
	       (code = pn_notes_iter_next(&name, &blob, iter, err)) > 0) {
		code = 0;
		if (!bodies)
			take_blob(w, &blob, OF_NOTES);
		else if (!is_met(w, &blob))
			take_blob(w, &blob, row_of(w, none, strlen(none)));
	}
	pn_notes_iter_free(iter);
	return code;
}

static void add_blob(struct pn_size_part *part, const struct pn_disk *disk)
{
	part->count += !disk->absent;
	part->absent += disk->absent;
	part->bytes += disk->bytes;
	part->disk += disk->disk;
}

static int measure(struct weighing *w, struct pn_repo *repo,
		   const struct pn_oid *tip, struct pn_error *err)
{
	struct pn_size *size = &w->out->size;
	size_t i, n = w->ids.len / PN_OID_BYTES;
	struct pn_disk *disk = pn_calloc(n + 1, sizeof(*disk));
	int code = pn_disk_of_each(disk, repo, &w->ids, err);

	for (i = 0; !code && i < n; i++) {
		if (w->rows[i] == OF_NOTES) {
			add_blob(&size->notes, &disk[i]);
			continue;
		}
		add_blob(&size->bodies, &disk[i]);
		add_blob(&size->rows[w->rows[i]].bodies, &disk[i]);
	}
	free(disk);
	if (!code)
		code = pn_disk_of_history(&size->history, repo, tip, err);
	if (!code)
		size->known_freed = pn_compact_would_free(&size->freed, repo);
	return code;
}

static int largest_first(const void *a, const void *b)
{
	const struct pn_size_row *x = a, *y = b;
	uint64_t m = x->bodies.disk + x->lines, n = y->bodies.disk + y->lines;

	return m != n ? (m < n ? 1 : -1) : strcmp(x->name, y->name);
}

static void sort_rows(struct pn_size *size)
{
	size_t i, kept = 0;

	for (i = 0; i < size->row_count; i++) {
		const struct pn_size_row *r = &size->rows[i];

		if (r->records || r->lines || r->bodies.count ||
		    r->bodies.absent)
			size->rows[kept++] = *r;
	}
	size->row_count = kept;
	if (kept)
		qsort(size->rows, kept, sizeof(*size->rows), largest_first);
}

/* One of `bys`, NULL: none. */
static const char *find_by(const char *by)
{
	size_t i;

	for (i = 0; i < sizeof(bys) / sizeof(*bys); i++)
		if (!strcmp(by, bys[i]))
			return bys[i];
	return NULL;
}

int pn_weigh_check(const char *by, struct pn_error *err)
{
	return find_by(by)
		       ? 0
		       : pn_unknown_name("rows by", by, pn_weigh_names, err);
}

int pn_weigh(struct pn_weighed *out, struct pn_repo *repo,
	     struct pn_notes *notes, const char *by, struct pn_error *err)
{
	struct weighing w = {.out = out, .by = find_by(by)};
	int code = pn_weigh_check(by, err);

	if (code)
		return code;
	out->size.by = w.by;
	if (!pn_oid_is_zero(pn_notes_tip(notes))) {
		code = pn_notes_each_text(notes, take_note, &w, err);
		if (!code)
			code = take_blobs(&w, notes, true, err);
		if (!code)
			code = take_blobs(&w, notes, false, err);
		if (!code)
			code = measure(&w, repo, pn_notes_tip(notes), err);
	}
	sort_rows(&out->size);
	pn_strtab_release(&w.names);
	pn_strtab_release(&w.seen);
	pn_buf_release(&w.ids);
	free(w.rows);
	return code;
}

void pn_weighed_release(struct pn_weighed *weighed)
{
	pn_arena_release(&weighed->arena);
	free(weighed->size.rows);
	memset(weighed, 0, sizeof(*weighed));
}
