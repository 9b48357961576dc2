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

static const char *const bys[] = {"kind", "series", "commit", "tree"};

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

static size_t one_row(struct weighing *w, const char *path, size_t len,
		      const char *name, const struct pn_size_row *up)
{
	size_t above = up ? (size_t)(up - w->out->size.rows) + 1 : 0;
	size_t depth = up ? up->depth + 1 : 0;
	uint32_t id = pn_strtab_add(&w->names, path, len);
	struct pn_size *size = &w->out->size;

	while (size->row_count <= id) {
		size->rows = pn_grow(size->rows, &w->out->cap,
				     size->row_count + 1, sizeof(*size->rows));
		size->rows[size->row_count++] = (struct pn_size_row){
			.name = pn_arena_copy(&w->out->arena, name,
					      (size_t)(path + len - name)),
			.up = above,
			.depth = depth};
	}
	return id;
}

/* By the names from the top of a tree down, a NUL between them. */
static size_t row_of(struct weighing *w, const char *path, size_t len)
{
	const char *name = path, *end = path + len, *stop;
	size_t row = 0;

	do {
		stop = memchr(name, '\0', (size_t)(end - name));
		stop = stop ? stop : end;
		row = one_row(w, path, (size_t)(stop - path), name,
			      name > path ? &w->out->size.rows[row] : NULL);
		name = stop + 1;
	} while (stop < end);
	return row;
}

/* The row that this one is a part of, in which it counts, too; NULL: none. */
static struct pn_size_row *above(struct weighing *w,
				 const struct pn_size_row *row)
{
	return row->up ? &w->out->size.rows[row->up - 1] : NULL;
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

static void name_kind(struct pn_buf *out, const struct pn_entry *entry)
{
	const char *body = pn_entry_field(entry, "body");

	pn_buf_printf(out, "%s%s%s", entry->kind_text, *body ? ", " : "", body);
}

/* What was run, by what and with what, and what there is of it. */
static void name_branch(struct pn_buf *out, const struct pn_entry *entry)
{
	struct pn_series series = pn_series_of(entry), run = series;
	struct pn_series_parts parts = {.args = !*series.job};

	run.collector = run.workload = "";
	pn_series_text(out, &run, &parts);
	if (*series.collector || *series.workload) {
		pn_buf_add_byte(out, '\0');
		pn_buf_printf(out, "%s%s%s", series.collector,
			      *series.workload ? "@" : "", series.workload);
	}
	pn_buf_add_byte(out, '\0');
	name_kind(out, entry);
}

static void name_entry(struct pn_buf *out, const struct weighing *w,
		       const struct pn_entry *entry,
		       const struct pn_oid *commit)
{
	char hex[PN_OID_HEX + 1];

	pn_buf_clear(out);
	if (!strcmp(w->by, "commit")) {
		pn_oid_hex(hex, commit);
		pn_buf_add_text(out, hex);
	} else if (!strcmp(w->by, "kind")) {
		name_kind(out, entry);
	} else if (entry->kind != PN_ENTRY_PROFILE) {
		pn_buf_printf(out, "(%s)", entry->kind_text);
	} else if (!strcmp(w->by, "tree")) {
		name_branch(out, entry);
	} else {
		name_series(out, entry);
	}
}

static int take_note(void *arg, const struct pn_oid *commit,
		     const struct pn_buf *text, struct pn_error *err)
{
	struct weighing *w = arg;
	const struct pn_entry *live;
	struct pn_size_row *at;
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
		for (at = &w->out->size.rows[row]; at; at = above(w, at)) {
			at->records++;
			at->lines += line;
		}
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
	struct pn_size_row *row;
	size_t i, n = w->ids.len / PN_OID_BYTES;
	struct pn_disk *disk = pn_calloc(n + 1, sizeof(*disk));
	int code = pn_disk_of_each(disk, repo, &w->ids, err);

	for (i = 0; !code && i < n; i++) {
		if (!disk[i].absent)
			add_blob(disk[i].loose ? &size->loose : &size->packed,
				 &disk[i]);
		if (w->rows[i] == OF_NOTES) {
			add_blob(&size->notes, &disk[i]);
			continue;
		}
		add_blob(&size->bodies, &disk[i]);
		row = &size->rows[w->rows[i]];
		for (; row; row = above(w, row))
			add_blob(&row->bodies, &disk[i]);
	}
	free(disk);
	if (!code)
		code = pn_disk_of_history(&size->history, repo, tip, err);
	if (!code)
		size->known_freed = pn_compact_would_free(&size->freed, repo);
	return code;
}

struct ordered {
	const struct pn_size_row *row, *all;
};

/* The largest of a branch first, each before its parts. */
static int by_branch(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	const struct pn_size_row *p = x->row, *q = y->row;
	size_t depth = 0;
	uint64_t m, n;

	while (depth < p->depth && depth < q->depth &&
	       pn_size_row_at(x->all, x->row, depth) ==
		       pn_size_row_at(y->all, y->row, depth))
		depth++;
	p = pn_size_row_at(x->all, x->row, depth);
	q = pn_size_row_at(y->all, y->row, depth);
	if (p == q)
		return x->row->depth < y->row->depth ? -1 : 1;
	m = p->bodies.disk + p->lines;
	n = q->bodies.disk + q->lines;
	return m != n ? (m < n ? 1 : -1) : strcmp(p->name, q->name);
}

static bool has_nothing(const struct pn_size_row *r)
{
	return !r->records && !r->lines && !r->bodies.count &&
	       !r->bodies.absent;
}

static void sort_rows(struct pn_size *size)
{
	size_t i, kept = 0, *place;
	struct ordered *order;
	struct pn_size_row *rows;

	order = pn_calloc(size->row_count + 1, sizeof(*order));
	place = pn_calloc(size->row_count + 1, sizeof(*place));
	rows = pn_calloc(size->row_count + 1, sizeof(*rows));
	for (i = 0; i < size->row_count; i++)
		if (!has_nothing(&size->rows[i]))
			order[kept++] =
				(struct ordered){&size->rows[i], size->rows};
	if (kept)
		qsort(order, kept, sizeof(*order), by_branch);
	for (i = 0; i < kept; i++) {
		rows[i] = *order[i].row;
		place[order[i].row - size->rows] = i + 1;
		if (rows[i].up)
			rows[i].up = place[rows[i].up - 1];
	}
	free(order);
	free(place);
	free(size->rows);
	size->rows = rows;
	size->row_count = kept;
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
