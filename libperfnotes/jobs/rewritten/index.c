/*
 * The trees of noted commits. The cache has one value: the tip of the notes,
 * then the rows; of another tip its rows are taken over, and only commits that
 * it lacks are read.
 */
#include "jobs/rewritten/index.h"

#include "base/alloc.h"
#include "model/entry.h"
#include "vcs/cache/cache.h"

#include <stdlib.h>
#include <string.h>

#define NAME "rewritten"

/* Under which the one value is kept. */
static const struct pn_oid key = {
	{'r', 'e', 'w', 'r', 'i', 't', 't', 'e', 'n'}};

static int by_commit(const void *a, const void *b)
{
	const struct pn_rewritten_row *x = a, *y = b;

	return pn_oid_cmp(&x->commit, &y->commit);
}

/* Of a commit that was not here and is now: whether it is. */
static bool fill_author(struct pn_rewritten_row *row, struct pn_repo *repo)
{
	struct pn_commit_facts facts;
	struct pn_error err;

	if (!row->author_s && pn_repo_had_object(repo, &row->commit) &&
	    !pn_repo_commit_facts(&facts, repo, &row->commit, &err))
		row->author_s = facts.author_s;
	else
		return false;
	return true;
}

/* The tree that its first record was measured at. */
static bool read_row(struct pn_rewritten_row *out, struct pn_repo *repo,
		     struct pn_notes *notes)
{
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	struct pn_buf text = {0};
	struct pn_error err;
	size_t count = 0;

	if (!pn_notes_read(&text, notes, &out->commit, &err))
		pn_entries_parse(&entries, &count, NULL, &arena,
				 pn_buf_text(&text), text.len);
	if (count)
		out->tree = entries[0].tree;
	out->author_s = 0;
	if (count)
		fill_author(out, repo);
	pn_arena_release(&arena);
	pn_buf_release(&text);
	return count > 0;
}

/* Ids come in order, each once where a note has several blobs. */
static bool list_commits(struct pn_buf *out, struct pn_notes *notes)
{
	struct pn_notes_iter *iter = NULL;
	struct pn_oid commit, blob, last = {{0}};
	struct pn_error err;
	size_t n = 0;
	int code = pn_notes_iter_open(&iter, notes, &err);

	while (!code && n <= PN_REWRITTEN_MAX &&
	       (code = pn_notes_iter_next(&commit, &blob, iter, &err)) > 0) {
		code = 0;
		if (n && pn_oid_equal(&commit, &last))
			continue;
		pn_buf_add(out, commit.bytes, PN_OID_BYTES);
		last = commit;
		n++;
	}
	pn_notes_iter_free(iter);
	return !code && n <= PN_REWRITTEN_MAX;
}

static void make(struct pn_rewritten_index *out, struct pn_repo *repo,
		 struct pn_notes *notes, const struct pn_rewritten_row *old,
		 size_t old_count)
{
	struct pn_rewritten_row row, *had;
	struct pn_buf commits = {0};
	size_t at;

	if (!list_commits(&commits, notes))
		commits.len = 0;
	out->rows =
		pn_calloc(commits.len / PN_OID_BYTES + 1, sizeof(*out->rows));
	for (at = 0; at < commits.len; at += PN_OID_BYTES) {
		memcpy(row.commit.bytes, commits.data + at, PN_OID_BYTES);
		had = old_count ? bsearch(&row, old, old_count, sizeof(row),
					  by_commit)
				: NULL;
		if (had) {
			row = *had;
			fill_author(&row, repo);
		}
		if (had || read_row(&row, repo, notes))
			out->rows[out->count++] = row;
	}
	pn_buf_release(&commits);
}

static void read_rows(struct pn_rewritten_index *out, struct pn_repo *repo,
		      struct pn_notes *notes)
{
	struct pn_cache *cache = pn_cache_open(repo, NAME);
	const struct pn_oid *tip = pn_notes_tip(notes);
	const unsigned char *had;
	struct pn_rewritten_row *old = NULL;
	struct pn_buf value = {0};
	size_t len, i, count = 0;
	bool changed = true;

	had = pn_cache_find(&len, cache, PN_CACHE_MARKS, &key);
	if (had && len >= PN_OID_BYTES) {
		count = (len - PN_OID_BYTES) / sizeof(*old);
		old = pn_calloc(count + 1, sizeof(*old));
		memcpy(old, had + PN_OID_BYTES, count * sizeof(*old));
	}
	if (had && len >= PN_OID_BYTES && count <= PN_REWRITTEN_MAX &&
	    !memcmp(had, tip->bytes, PN_OID_BYTES)) {
		out->rows = old;
		out->count = (uint32_t)count;
		old = NULL;
		for (changed = false, i = 0; i < count; i++)
			changed |= fill_author(&out->rows[i], repo);
	} else {
		make(out, repo, notes, old, count);
	}
	if (changed) {
		pn_buf_add(&value, tip->bytes, PN_OID_BYTES);
		if (out->count)
			pn_buf_add(&value, out->rows,
				   out->count * sizeof(*out->rows));
		pn_cache_put(cache, PN_CACHE_MARKS, &key, value.data,
			     value.len);
	}
	free(old);
	pn_buf_release(&value);
	pn_cache_close(cache);
}

struct order {
	const struct pn_rewritten_row *row;
	uint32_t place;
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

static uint32_t *sorted(const struct pn_rewritten_index *index,
			int (*cmp)(const void *a, const void *b))
{
	struct order *order = pn_calloc(index->count + 1, sizeof(*order));
	uint32_t *out = pn_calloc(index->count + 1, sizeof(*out)), i;

	for (i = 0; i < index->count; i++)
		order[i] = (struct order){&index->rows[i], i};
	if (index->count)
		qsort(order, index->count, sizeof(*order), cmp);
	for (i = 0; i < index->count; i++)
		out[i] = order[i].place;
	free(order);
	return out;
}

void pn_rewritten_index_open(struct pn_rewritten_index *out,
			     struct pn_repo *repo, struct pn_notes *notes)
{
	memset(out, 0, sizeof(*out));
	if (pn_oid_is_zero(pn_notes_tip(notes)))
		return;
	read_rows(out, repo, notes);
	out->by_tree = sorted(out, by_tree);
	out->by_author = sorted(out, by_author);
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

uint32_t pn_rewritten_of_tree(const struct pn_rewritten_index *index,
			      const struct pn_oid *tree)
{
	uint32_t low = 0, high = index->count, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (pn_oid_cmp(&index->rows[index->by_tree[mid]].tree, tree) <
		    0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < index->count &&
			       pn_oid_equal(
				       &index->rows[index->by_tree[low]].tree,
				       tree)
		       ? low
		       : index->count;
}

uint32_t pn_rewritten_of_author(const struct pn_rewritten_index *index,
				int64_t author_s)
{
	uint32_t low = 0, high = index->count, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (index->rows[index->by_author[mid]].author_s < author_s)
			low = mid + 1;
		else
			high = mid;
	}
	return low < index->count &&
			       index->rows[index->by_author[low]].author_s ==
				       author_s
		       ? low
		       : index->count;
}
