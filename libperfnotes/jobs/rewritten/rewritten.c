/*
 * Which commits were rewritten from which. All that can be told of the first
 * thousand commits of a walk is found at once, when one of them has a match:
 * git is asked three times, and not at all where nothing matches.
 */
#include "jobs/rewritten/rewritten.h"

#include "base/alloc.h"
#include "jobs/rewritten/index.h"
#include "storage/store.h"
#include "vcs/notes/cached.h"
#include "vcs/patch_id.h"
#include "vcs/walk/reach.h"
#include "vcs/walk/walk_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EMPTY_TREE "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
#define SAME_MAX 8 /* commits of one tree, or of one second, that are tried */

struct pair {
	struct pn_oid now, from;
	size_t place; /* of `now` in the walk */
	bool same_tree, out;
};

struct pn_rewritten {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_rewritten_index index;
	struct pn_oid tip;
	bool begun, opened, paired;
	size_t asked;
	struct pair *pairs; /* in the order of `now` once they are chosen */
	size_t count, cap;
};

struct pn_rewritten *pn_rewritten_new(struct pn_repo *repo,
				      struct pn_notes *notes)
{
	struct pn_rewritten *r = pn_calloc(1, sizeof(*r));

	r->repo = repo;
	r->notes = notes;
	return r;
}

void pn_rewritten_free(struct pn_rewritten *r)
{
	if (!r)
		return;
	pn_rewritten_index_release(&r->index);
	free(r->pairs);
	free(r);
}

void pn_rewritten_begin(struct pn_rewritten *r, const struct pn_oid *tip)
{
	if (!r->begun)
		r->tip = *tip;
	r->begun = true;
}

static void add_pair(struct pn_rewritten *r, const struct pn_oid *now,
		     const struct pn_oid *from, bool same_tree)
{
	r->pairs = pn_grow(r->pairs, &r->cap, r->count + 1, sizeof(*r->pairs));
	r->pairs[r->count] =
		(struct pair){*now, *from, r->count, same_tree, false};
	r->count++;
}

/* Nothing changes there: it was not made from what has its tree, but upon it.
 */
static bool is_empty(struct pn_rewritten *r, const struct pn_commit_facts *c)
{
	struct pn_commit_facts parent;
	struct pn_error err;

	if (!c->parent_count)
		return !pn_oid_parse(&parent.tree, EMPTY_TREE) &&
		       pn_oid_equal(&parent.tree, &c->tree);
	return !pn_notes_commit_facts(&parent, r->notes, &c->first_parent,
				      &err) &&
	       pn_oid_equal(&parent.tree, &c->tree);
}

/* The cache remembers when commits were written that git has taken away since.
 */
static bool is_of_time(struct pn_rewritten *r,
		       const struct pn_rewritten_row *row,
		       const struct pn_commit_facts *c)
{
	return c->author_s && row->author_s == c->author_s &&
	       pn_repo_had_object(r->repo, &row->commit);
}

/* All that may stand for a commit without profiles. An empty
 * commit has to be of the same time as well. */
static size_t match(struct pn_rewritten *r, const struct pn_oid *commit,
		    const struct pn_commit_facts *c)
{
	const struct pn_rewritten_index *x = &r->index;
	size_t before = r->count;
	uint32_t at, n;
	bool empty;

	at = pn_rewritten_of_tree(x, &c->tree);
	empty = at < x->count && is_empty(r, c);
	for (n = 0; at < x->count && n < SAME_MAX; at++, n++) {
		const struct pn_rewritten_row *row =
			pn_rewritten_row_of(x, x->by_tree, at);

		if (!pn_oid_equal(&row->tree, &c->tree))
			break;
		if (!empty || is_of_time(r, row, c))
			add_pair(r, commit, &row->commit, true);
	}
	at = c->author_s ? pn_rewritten_of_author(x, c->author_s) : x->count;
	for (n = 0; at < x->count && n < SAME_MAX; at++) {
		const struct pn_rewritten_row *row =
			pn_rewritten_row_of(x, x->by_author, at);

		if (row->author_s != c->author_s)
			break;
		if (!is_of_time(r, row, c))
			continue;
		n++;
		if (!pn_oid_equal(&row->tree, &c->tree))
			add_pair(r, commit, &row->commit, false);
	}
	return r->count - before;
}

static int by_oid(const void *a, const void *b)
{
	return pn_oid_cmp(a, b);
}

static struct pn_commit_facts facts_of(const struct pn_commit *c)
{
	struct pn_commit_facts facts = {.tree = c->tree,
					.parent_count = c->parent_count,
					.author_s = c->author_time_s};

	if (c->parent_count)
		facts.first_parent = c->parents[0];
	return facts;
}

/* Pairs of the walk's first commits. */
static int match_all(struct pn_rewritten *r, struct pn_error *err)
{
	struct pn_history *history = NULL;
	char hex[PN_OID_HEX + 1], most[32];
	const char *args[] = {most, hex, NULL};
	struct pn_commit_facts facts;
	struct pn_commit commit;
	int code;

	r->count = 0;
	pn_oid_hex(hex, &r->tip);
	snprintf(most, sizeof(most), "-n%d", PN_REWRITTEN_COMMITS);
	code = pn_history_open(&history, r->repo, args, err);
	while (!code && (code = pn_history_next(&commit, history, err)) > 0) {
		code = 0;
		if (pn_rewritten_has(&r->index, &commit.id))
			continue;
		facts = facts_of(&commit);
		match(r, &commit.id, &facts);
	}
	pn_history_free(history);
	return code;
}

/* The ids of one side of the pairs, each once. */
static void list(struct pn_buf *out, const struct pn_rewritten *r, bool now)
{
	size_t i, n = 0;
	struct pn_oid *ids;

	for (i = 0; i < r->count; i++)
		if (!r->pairs[i].out)
			pn_buf_add(out,
				   now ? r->pairs[i].now.bytes
				       : r->pairs[i].from.bytes,
				   PN_OID_BYTES);
	ids = (void *)out->data;
	if (out->len)
		qsort(ids, out->len / PN_OID_BYTES, PN_OID_BYTES, by_oid);
	for (i = 0; i < out->len / PN_OID_BYTES; i++)
		if (!i || !pn_oid_equal(&ids[i], &ids[n - 1]))
			ids[n++] = ids[i];
	pn_buf_cut(out, n * PN_OID_BYTES);
}

/* Those of `ids` that none of `tips` has in its past. */
static int outside(struct pn_buf *out, struct pn_rewritten *r,
		   const struct pn_buf *ids, const struct pn_buf *tips,
		   struct pn_error *err)
{
	struct pn_walk_all *walk = NULL;
	struct pn_walked walked;
	int code = pn_walk_outside(&walk, r->repo, ids, tips, err);

	while (!code && (code = pn_walk_all_next(&walked, walk, err)) > 0) {
		code = 0;
		if (bsearch(&walked.id, ids->data, ids->len / PN_OID_BYTES,
			    PN_OID_BYTES, by_oid))
			pn_buf_add(out, walked.id.bytes, PN_OID_BYTES);
	}
	pn_walk_all_free(walk);
	if (!code && out->len)
		qsort(out->data, out->len / PN_OID_BYTES, PN_OID_BYTES, by_oid);
	return code;
}

static bool is_in(const struct pn_buf *ids, const struct pn_oid *id)
{
	return ids->len && bsearch(id, ids->data, ids->len / PN_OID_BYTES,
				   PN_OID_BYTES, by_oid);
}

/* What is in the past of the walk was no more rewritten than what has the
 * commit in its past that it may stand for. */
static int drop_kin(struct pn_rewritten *r, struct pn_error *err)
{
	struct pn_buf tip = {0}, from = {0}, now = {0}, left = {0};
	size_t i;
	int code;

	pn_buf_add(&tip, r->tip.bytes, PN_OID_BYTES);
	list(&from, r, false);
	code = outside(&left, r, &from, &tip, err);
	for (i = 0; !code && i < r->count; i++)
		r->pairs[i].out =
			pn_repo_has_object(r->repo, &r->pairs[i].from) &&
			!is_in(&left, &r->pairs[i].from);
	pn_buf_clear(&left);
	pn_buf_clear(&from);
	list(&from, r, false);
	list(&now, r, true);
	if (!code && now.len)
		code = outside(&left, r, &now, &from, err);
	/* few: what was made upon another one that was amended, too, may have
	 * in its past what that became */
	for (i = 0; !code && i < r->count; i++) {
		struct pair *p = &r->pairs[i];

		p->out = p->out ||
			 (!is_in(&left, &p->now) &&
			  pn_repo_has_object(r->repo, &p->from) &&
			  pn_reach_may_be_from(r->repo, &p->from, &p->now));
	}
	pn_buf_release(&tip);
	pn_buf_release(&from);
	pn_buf_release(&now);
	pn_buf_release(&left);
	return code;
}

static int by_commit(const void *a, const void *b)
{
	const struct pn_patch_id *x = a, *y = b;

	return pn_oid_cmp(&x->commit, &y->commit);
}

static const struct pn_oid *patch_of(const struct pn_patch_id *all, size_t n,
				     const struct pn_oid *commit)
{
	const struct pn_patch_id key = {.commit = *commit}, *at;

	at = n ? bsearch(&key, all, n, sizeof(*all), by_commit) : NULL;
	return at ? &at->patch : NULL;
}

/* Of pairs with one time those stay that change the same. */
static int drop_others(struct pn_rewritten *r, struct pn_error *err)
{
	struct pn_buf ids = {0}, patches = {0};
	const struct pn_patch_id *all;
	size_t i, n;
	int code = 0;

	for (i = 0; i < r->count; i++) {
		if (r->pairs[i].same_tree || r->pairs[i].out)
			continue;
		pn_buf_add(&ids, r->pairs[i].now.bytes, PN_OID_BYTES);
		pn_buf_add(&ids, r->pairs[i].from.bytes, PN_OID_BYTES);
	}
	if (ids.len)
		code = pn_patch_ids(&patches, r->repo, &ids, err);
	n = patches.len / sizeof(*all);
	if (n)
		qsort(patches.data, n, sizeof(*all), by_commit);
	all = (const void *)patches.data;
	for (i = 0; !code && i < r->count; i++) {
		struct pair *p = &r->pairs[i];
		const struct pn_oid *a = patch_of(all, n, &p->now);
		const struct pn_oid *b = patch_of(all, n, &p->from);

		if (!p->same_tree && !p->out)
			p->out = !a || !b || !pn_oid_equal(a, b);
	}
	pn_buf_release(&ids);
	pn_buf_release(&patches);
	return code;
}

/* Equal trees first, then the oldest commit. */
static int by_worth(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->same_tree != y->same_tree)
		return (int)y->same_tree - (int)x->same_tree;
	return (x->place < y->place) - (x->place > y->place);
}

static int by_now(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return pn_oid_cmp(&x->now, &y->now);
}

static bool *mark_of(bool *marks, const struct pn_buf *ids,
		     const struct pn_oid *id)
{
	const struct pn_oid *all = (const void *)ids->data;
	const struct pn_oid *at =
		bsearch(id, all, ids->len / PN_OID_BYTES, PN_OID_BYTES, by_oid);

	return marks + (at - all);
}

/* What was measured once is shown once: each stands for one commit at most,
 * and a commit has one. */
static void choose(struct pn_rewritten *r)
{
	struct pn_buf now = {0}, from = {0};
	bool *has, *stands;
	size_t i;

	list(&now, r, true);
	list(&from, r, false);
	has = pn_calloc(now.len / PN_OID_BYTES + 1, sizeof(*has));
	stands = pn_calloc(from.len / PN_OID_BYTES + 1, sizeof(*stands));
	if (r->count)
		qsort(r->pairs, r->count, sizeof(*r->pairs), by_worth);
	for (i = 0; i < r->count; i++) {
		struct pair *p = &r->pairs[i];
		bool *had, *stood;

		if (p->out)
			continue;
		had = mark_of(has, &now, &p->now);
		stood = mark_of(stands, &from, &p->from);
		p->out = *had || *stood;
		*had |= !p->out;
		*stood |= !p->out;
	}
	free(has);
	free(stands);
	pn_buf_release(&now);
	pn_buf_release(&from);
}

static void pair_all(struct pn_rewritten *r)
{
	struct pn_error err;
	size_t i, n = 0;
	int code = match_all(r, &err);

	r->paired = true;
	if (!code && r->count)
		code = drop_kin(r, &err);
	if (!code)
		code = drop_others(r, &err);
	if (!code)
		choose(r);
	for (i = 0; !code && i < r->count; i++)
		if (!r->pairs[i].out)
			r->pairs[n++] = r->pairs[i];
	r->count = n;
	if (n)
		qsort(r->pairs, n, sizeof(*r->pairs), by_now);
}

static bool may_match(struct pn_rewritten *r, const struct pn_oid *commit,
		      const struct pn_commit_facts *facts)
{
	if (!r->opened)
		pn_rewritten_index_open(&r->index, r->repo, r->notes);
	r->opened = true;
	return r->index.count && match(r, commit, facts) > 0;
}

bool pn_rewritten_find(struct pn_oid *from, bool *same_tree,
		       struct pn_rewritten *r, const struct pn_oid *commit,
		       const struct pn_commit_facts *facts)
{
	const struct pair key = {.now = *commit}, *at;

	pn_rewritten_begin(r, commit);
	if (r->asked++ >= PN_REWRITTEN_COMMITS)
		return false;
	if (!r->paired && may_match(r, commit, facts))
		pair_all(r);
	at = r->paired && r->count
		     ? bsearch(&key, r->pairs, r->count, sizeof(key), by_now)
		     : NULL;
	if (!at)
		return false;
	*from = at->from;
	*same_tree = at->same_tree;
	return true;
}

bool pn_rewritten_find_alone(struct pn_oid *from, bool *same_tree,
			     struct pn_repo *repo, struct pn_notes *notes,
			     const struct pn_oid *commit)
{
	struct pn_rewritten *r = pn_rewritten_new(repo, notes);
	struct pn_commit_facts facts;
	struct pn_error err;
	bool found = !pn_notes_commit_facts(&facts, notes, commit, &err) &&
		     pn_rewritten_find(from, same_tree, r, commit, &facts);

	pn_rewritten_free(r);
	return found;
}

bool pn_rewritten_measured(struct pn_oid *from, struct pn_rewritten *r,
			   const struct pn_commit *commit)
{
	struct pn_commit_facts facts = facts_of(commit);
	bool same_tree;

	return pn_rewritten_find(from, &same_tree, r, &commit->id, &facts) &&
	       same_tree;
}

static bool has_profile(const struct pn_noted *noted)
{
	size_t i;

	for (i = 0; i < noted->line_count; i++)
		if (noted->lines[i].kind == PN_ENTRY_PROFILE)
			return true;
	return false;
}

/* The lines of both, newest first. Of the second, which are of another base
 * where its tree is not the same, profiles alone: what was accepted there, or
 * did not build, was there. */
static void unite(struct pn_noted *noted, struct pn_arena *arena,
		  const struct pn_entry *more, size_t count, bool all)
{
	size_t n = 0, own = 0, i;
	struct pn_entry *lines = pn_arena_array(
		arena, noted->line_count + count, sizeof(*lines));

	for (i = 0; i < count; i++) {
		if (!all && more[i].kind != PN_ENTRY_PROFILE)
			continue;
		while (own < noted->line_count &&
		       noted->lines[own].time_ns >= more[i].time_ns)
			lines[n++] = noted->lines[own++];
		lines[n++] = more[i];
	}
	while (own < noted->line_count)
		lines[n++] = noted->lines[own++];
	noted->lines = lines;
	noted->line_count = n;
}

bool pn_rewritten_read(struct pn_noted *noted, struct pn_oid *from,
		       bool *same_tree, struct pn_rewritten *r,
		       struct pn_arena *arena, const struct pn_oid *commit,
		       const struct pn_commit_facts *facts)
{
	const struct pn_entry *more;
	struct pn_error err;
	size_t count;

	if (has_profile(noted) ||
	    !pn_rewritten_find(from, same_tree, r, commit, facts) ||
	    pn_store_line_figures(&more, &count, arena, r->repo, r->notes, from,
				  &err))
		return false;
	unite(noted, arena, more, count, *same_tree);
	noted->elsewhere = has_profile(noted);
	return noted->elsewhere;
}
