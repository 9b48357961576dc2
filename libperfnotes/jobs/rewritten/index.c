/*
 * The trees of commits with profiles. The cache has one value: struct head, the
 * rows, their two orders. Of another tip of the notes its rows are taken over,
 * and only notes that it lacks are read.
 */
#include "jobs/rewritten/index.h"

#include "base/alloc.h"
#include "storage/retain/sift.h"
#include "storage/store.h"
#include "vcs/cache/cache.h"
#include "vcs/notes/cached.h"

#include <stdlib.h>
#include <string.h>

#define NAME "rewritten"
/* Whoever reads so many notes and commits finds them in the cache. */
#define CACHED_FROM 16

/* Of the value. */
struct head {
	struct pn_oid tip;
	uint32_t absent;
};

/* Of one row with its places. */
#define ROW_BYTES (sizeof(struct pn_rewritten_row) + 2 * sizeof(uint16_t))
_Static_assert(PN_REWRITTEN_MAX <= UINT16_MAX, "a place has 16 bits");
_Static_assert(sizeof(struct head) + PN_REWRITTEN_MAX * ROW_BYTES <=
		       PN_CACHE_VALUE_MAX,
	       "all of them are one value");

/* Under which the one value is kept. */
static const struct pn_oid key = {
	{'r', 'e', 'w', 'r', 'i', 't', 't', 'e', 'n', '3'}};

static int by_commit(const void *a, const void *b)
{
	const struct pn_rewritten_row *x = a, *y = b;

	return pn_oid_cmp(&x->commit, &y->commit);
}

/* Whether the commit is here. */
static bool fill_author(struct pn_rewritten_row *row, struct pn_repo *repo,
			struct pn_notes *notes)
{
	struct pn_commit_facts facts;
	struct pn_error err;

	if (!row->author_s && !pn_oid_is_zero(&row->tree) &&
	    pn_repo_had_object(repo, &row->commit) &&
	    !pn_notes_commit_facts(&facts, notes, &row->commit, &err))
		row->author_s = facts.author_s;
	return row->author_s != 0;
}

/* Whether a copy was taken out there of what git or a hook had brought along:
 * then what it was copied from is not wanted there. */
static bool has_refused(struct pn_notes *notes, const struct pn_oid *commit)
{
	struct pn_sift sift = {0};
	struct pn_buf text = {0};
	bool refused = false;
	size_t i;

	if (!pn_notes_read(&text, notes, commit, NULL))
		pn_sift_learn(&sift, &text);
	for (i = 0; i < sift.count; i++)
		refused |= *sift.targets[i].from != '\0';
	pn_sift_release(&sift);
	pn_buf_release(&text);
	return refused;
}

/* The tree that its newest profile was measured at; none where nothing may
 * stand for it and it stands for nothing. What was accepted or did not build
 * there is no figure of it. */
static bool read_row(struct pn_rewritten_row *out, struct pn_repo *repo,
		     struct pn_notes *notes)
{
	const struct pn_entry *entries = NULL;
	struct pn_arena arena = {0};
	struct pn_error err;
	size_t count = 0;

	if (pn_store_entries(&entries, &count, NULL, &arena, notes,
			     &out->commit, &err))
		count = 0;
	memset(&out->tree, 0, sizeof(out->tree));
	if (count)
		out->tree = entries[0].tree;
	out->author_s = 0;
	if (count)
		fill_author(out, repo, notes);
	pn_arena_release(&arena);
	return count > 0 || has_refused(notes, &out->commit);
}

/* Of one commit; the blobs are several after some unions. */
struct note {
	struct pn_oid commit;
	unsigned char blobs[sizeof(((struct pn_rewritten_row *)0)->note)];
};

static void add_blob(struct note *note, const struct pn_oid *blob)
{
	size_t i;

	for (i = 0; i < sizeof(note->blobs); i++)
		note->blobs[i] ^= blob->bytes[i];
}

/* In the order of their commits. */
static bool list_notes(struct pn_buf *out, struct pn_notes *notes)
{
	struct pn_notes_iter *iter = NULL;
	struct note note, *last;
	struct pn_oid blob;
	struct pn_error err;
	size_t n = 0;
	int code = pn_notes_iter_open(&iter, notes, &err);

	while (!code && n <= PN_REWRITTEN_MAX &&
	       (code = pn_notes_iter_next(&note.commit, &blob, iter, &err)) >
		       0) {
		code = 0;
		last = n ? (struct note *)(void *)out->data + n - 1 : NULL;
		if (last && pn_oid_equal(&note.commit, &last->commit)) {
			add_blob(last, &blob);
			continue;
		}
		memset(note.blobs, 0, sizeof(note.blobs));
		add_blob(&note, &blob);
		pn_buf_add(out, &note, sizeof(note));
		n++;
	}
	pn_notes_iter_free(iter);
	return !code && n <= PN_REWRITTEN_MAX;
}

struct order {
	const struct pn_rewritten_row *row;
	uint16_t place;
};

static int by_tree(const void *a, const void *b)
{
	const struct order *x = a, *y = b;
	int order = pn_oid_cmp(&x->row->tree, &y->row->tree);

	return order ? order : by_commit(x->row, y->row);
}

static int by_author(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->row->author_s != y->row->author_s)
		return x->row->author_s < y->row->author_s ? -1 : 1;
	return by_commit(x->row, y->row);
}

static uint16_t *sorted(const struct pn_rewritten_index *index,
			int (*cmp)(const void *a, const void *b))
{
	struct order *order = pn_calloc(index->count + 1, sizeof(*order));
	uint16_t *out = pn_calloc(index->count + 1, sizeof(*out));
	uint32_t i;

	for (i = 0; i < index->count; i++)
		order[i] = (struct order){&index->rows[i], (uint16_t)i};
	if (index->count)
		qsort(order, index->count, sizeof(*order), cmp);
	for (i = 0; i < index->count; i++)
		out[i] = order[i].place;
	free(order);
	return out;
}

static void make(struct pn_rewritten_index *out, struct pn_repo *repo,
		 struct pn_notes *notes, const struct pn_rewritten_row *old,
		 size_t old_count)
{
	struct pn_rewritten_row row, *had;
	struct pn_buf list = {0};
	const struct note *note;
	size_t i, n, reads = 0;

	if (!list_notes(&list, notes))
		list.len = 0;
	n = list.len / sizeof(*note);
	note = (const void *)list.data;
	out->rows = pn_calloc(n + 1, sizeof(*out->rows));
	for (i = 0; i < n; i++) {
		row = (struct pn_rewritten_row){.commit = note[i].commit};
		had = old_count ? bsearch(&row, old, old_count, sizeof(row),
					  by_commit)
				: NULL;
		if (had &&
		    !memcmp(had->note, note[i].blobs, sizeof(had->note))) {
			row = *had;
			fill_author(&row, repo, notes);
			out->rows[out->count++] = row;
			continue;
		}
		if (++reads == CACHED_FROM)
			pn_notes_use_cache(notes);
		memcpy(row.note, note[i].blobs, sizeof(row.note));
		if (read_row(&row, repo, notes))
			out->rows[out->count++] = row;
	}
	pn_buf_release(&list);
	out->by_tree = sorted(out, by_tree);
	out->by_author = sorted(out, by_author);
}

static void *copy(const void *from, size_t bytes)
{
	void *out = pn_calloc(bytes + 1, 1);

	return memcpy(out, from, bytes);
}

/* What the cache has: NULL, or its head, behind which the rows are. */
static const struct head *find_value(size_t *count, struct pn_cache *cache)
{
	size_t len;
	const struct head *head =
		pn_cache_find(&len, cache, PN_CACHE_MARKS, &key);

	*count = 0;
	if (!head || len < sizeof(*head) || (len - sizeof(*head)) % ROW_BYTES)
		return NULL;
	*count = (len - sizeof(*head)) / ROW_BYTES;
	return *count <= PN_REWRITTEN_MAX ? head : NULL;
}

static void keep(struct pn_cache *cache, const struct pn_oid *tip,
		 struct pn_rewritten_index *x)
{
	struct head head = {*tip, 0};
	struct pn_buf value = {0};
	uint32_t i;

	for (i = 0; i < x->count; i++)
		head.absent += !x->rows[i].author_s;
	pn_buf_add(&value, &head, sizeof(head));
	pn_buf_add(&value, x->rows, x->count * sizeof(*x->rows));
	pn_buf_add(&value, x->by_tree, x->count * sizeof(*x->by_tree));
	pn_buf_add(&value, x->by_author, x->count * sizeof(*x->by_author));
	pn_cache_put(cache, PN_CACHE_MARKS, &key, value.data, value.len);
	pn_buf_release(&value);
}

/* The value is of this tip. Whether some commit is here that was not. */
static bool take(struct pn_rewritten_index *out, const struct head *head,
		 size_t count, struct pn_repo *repo, struct pn_notes *notes)
{
	const struct pn_rewritten_row *rows = (const void *)(head + 1);
	const uint16_t *orders = (const void *)(rows + count);
	bool changed = false;
	uint32_t i;

	out->count = (uint32_t)count;
	out->rows = copy(rows, count * sizeof(*rows));
	out->by_tree = copy(orders, count * sizeof(*orders));
	out->by_author = copy(orders + count, count * sizeof(*orders));
	for (i = 0; head->absent && i < count; i++)
		changed |= !out->rows[i].author_s &&
			   fill_author(&out->rows[i], repo, notes);
	if (changed) {
		free(out->by_author);
		out->by_author = sorted(out, by_author);
	}
	return changed;
}

void pn_rewritten_index_open(struct pn_rewritten_index *out,
			     struct pn_repo *repo, struct pn_notes *notes)
{
	const struct pn_oid *tip = pn_notes_tip(notes);
	struct pn_cache *cache;
	const struct head *had;
	bool changed = true;
	size_t count;

	memset(out, 0, sizeof(*out));
	if (pn_oid_is_zero(tip))
		return;
	cache = pn_cache_open(repo, NAME);
	had = find_value(&count, cache);
	if (had && pn_oid_equal(&had->tip, tip))
		changed = take(out, had, count, repo, notes);
	else
		make(out, repo, notes, had ? (const void *)(had + 1) : NULL,
		     had ? count : 0);
	if (changed)
		keep(cache, tip, out);
	pn_cache_close(cache);
}

void pn_rewritten_index_release(struct pn_rewritten_index *index)
{
	free(index->rows);
	free(index->by_tree);
	free(index->by_author);
	memset(index, 0, sizeof(*index));
}

bool pn_rewritten_has(const struct pn_rewritten_index *index,
		      const struct pn_oid *commit)
{
	const struct pn_rewritten_row row = {.commit = *commit};

	return index->count &&
	       bsearch(&row, index->rows, index->count, sizeof(row), by_commit);
}

const struct pn_rewritten_row *
pn_rewritten_row_of(const struct pn_rewritten_index *index,
		    const uint16_t *order, uint32_t place)
{
	uint32_t at = order[place];

	return &index->rows[at < index->count ? at : index->count - 1];
}

uint32_t pn_rewritten_of_tree(const struct pn_rewritten_index *index,
			      const struct pn_oid *tree)
{
	uint32_t low = 0, high = index->count, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (pn_oid_cmp(&pn_rewritten_row_of(index, index->by_tree, mid)
					->tree,
			       tree) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < index->count &&
	    pn_oid_equal(&pn_rewritten_row_of(index, index->by_tree, low)->tree,
			 tree))
		return low;
	return index->count;
}

uint32_t pn_rewritten_of_author(const struct pn_rewritten_index *index,
				int64_t author_s)
{
	uint32_t low = 0, high = index->count, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (pn_rewritten_row_of(index, index->by_author, mid)
			    ->author_s < author_s)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < index->count &&
	    pn_rewritten_row_of(index, index->by_author, low)->author_s ==
		    author_s)
		return low;
	return index->count;
}
