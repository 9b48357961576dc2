/* Which commits with records the repository still has. */
#include "jobs/retain/reached.h"

#include "base/alloc.h"
#include "storage/sync.h"
#include "vcs/patch_id.h"
#include "vcs/transport/transport.h"
#include "vcs/walk/roots.h"
#include "vcs/walk/walk_all.h"

#include <stdlib.h>
#include <string.h>

#define PATCHES_AT_ONCE 1000 /* changes of so many commits are read */

struct reach {
	struct pn_retain_commit *commits;
	size_t count;
};

struct met {
	struct pn_oid id;
	int64_t author_s;
};

/* The tree of a commit that nothing leads to; whether a commit of that tree
 * was met. */
struct lost_tree {
	struct pn_oid id;
	bool met;
};

static int by_id(const void *a, const void *b)
{
	const struct pn_retain_commit *x = a, *y = b;

	return pn_oid_cmp(&x->id, &y->id);
}

static struct pn_retain_commit *find(const struct reach *r,
				     const struct pn_oid *id)
{
	struct pn_retain_commit key = {.id = *id};

	return r->count
		       ? bsearch(&key, r->commits, r->count, sizeof(key), by_id)
		       : NULL;
}

static void mark_reached(struct reach *r, const struct pn_walked *walked)
{
	struct pn_retain_commit *c = find(r, &walked->id);

	if (!c)
		return;
	c->reached = true;
	c->time_s = walked->time_s;
}

/* By tags that are here, and by those of the remote. */
static int mark_tags(struct reach *r, struct pn_repo *repo,
		     const struct pn_buf *theirs, struct pn_error *err)
{
	struct pn_walk_all *walk = NULL;
	struct pn_retain_commit *c;
	struct pn_walked walked;
	struct pn_buf tags = {0};
	int code = pn_walk_tags(&tags, repo, err);

	if (theirs->len)
		pn_buf_add(&tags, theirs->data, theirs->len);
	if (!code && tags.len)
		code = pn_walk_all_open(&walk, repo, PN_WALK_THESE, &tags, err);
	while (walk && !code &&
	       (code = pn_walk_all_next(&walked, walk, err)) > 0) {
		code = 0;
		c = find(r, &walked.id);
		if (c)
			c->tagged = true;
	}
	pn_walk_all_free(walk);
	pn_buf_release(&tags);
	return code;
}

/* What policies may thin. */
static int mark_past(struct reach *r, struct pn_repo *repo,
		     struct pn_error *err)
{
	struct pn_walk_all *walk = NULL;
	struct pn_retain_commit *c;
	struct pn_walked walked;
	struct pn_head head;
	uint32_t order = 0;
	int code = pn_repo_head(&head, repo, err);

	if (code || head.unborn)
		return code;
	code = pn_walk_all_open(&walk, repo, PN_WALK_PAST, NULL, err);
	while (!code && (code = pn_walk_all_next(&walked, walk, err)) > 0) {
		code = 0;
		c = find(r, &walked.id);
		if (!c)
			continue;
		c->in_past = true;
		c->order = order++;
	}
	pn_walk_all_free(walk);
	return code;
}

static int by_author(const void *a, const void *b)
{
	const struct met *x = a, *y = b;

	return x->author_s < y->author_s ? -1 : x->author_s > y->author_s;
}

/* Those that nothing leads to; some are not here. */
static int find_lost(struct pn_buf *lost, struct reach *r, struct pn_repo *repo,
		     struct pn_error *err)
{
	struct pn_retain_commit *c;
	struct pn_walk_all *walk = NULL;
	struct pn_walked walked;
	struct pn_buf ids = {0};
	struct met met;
	size_t i;
	int code = 0;

	for (i = 0; i < r->count; i++) {
		c = &r->commits[i];
		if (c->reached)
			continue;
		c->absent = !pn_repo_has_object(repo, &c->id);
		if (!c->absent)
			pn_buf_add(&ids, c->id.bytes, PN_OID_BYTES);
	}
	if (ids.len)
		code = pn_walk_all_open(&walk, repo, PN_WALK_THESE, &ids, err);
	while (walk && !code &&
	       (code = pn_walk_all_next(&walked, walk, err)) > 0) {
		code = 0;
		c = find(r, &walked.id);
		met = (struct met){walked.id, walked.author_s};
		if (c && !c->reached)
			pn_buf_add(lost, &met, sizeof(met));
	}
	pn_walk_all_free(walk);
	pn_buf_release(&ids);
	return code;
}

/* Of all (struct met) those whose author's time is that of one of some, which
 * are sorted by it here. */
static void choose(struct pn_buf *out, const struct pn_buf *all,
		   struct pn_buf *some)
{
	const struct met *met = (const void *)all->data;
	size_t i, n = all->len / sizeof(*met), m = some->len / sizeof(*met);

	if (!m)
		return;
	qsort(some->data, m, sizeof(*met), by_author);
	for (i = 0; i < n; i++)
		if (bsearch(&met[i], some->data, m, sizeof(*met), by_author))
			pn_buf_add(out, &met[i], sizeof(met[i]));
}

/* A batch at a time: changes are written to the disk, and may be large. */
static int add_patches(struct pn_buf *patches, struct pn_repo *repo,
		       const struct pn_buf *of, struct pn_error *err)
{
	const struct met *met = (const void *)of->data;
	size_t i, n = of->len / sizeof(*met);
	struct pn_buf ids = {0};
	int code = 0;

	for (i = 0; !code && i < n; i++) {
		pn_buf_add(&ids, met[i].id.bytes, PN_OID_BYTES);
		if (i + 1 < n && ids.len < PATCHES_AT_ONCE * PN_OID_BYTES)
			continue;
		code = pn_patch_ids(patches, repo, &ids, err);
		pn_buf_clear(&ids);
	}
	pn_buf_release(&ids);
	return code;
}

static int by_patch(const void *a, const void *b)
{
	const struct pn_patch_id *x = a, *y = b;

	return pn_oid_cmp(&x->patch, &y->patch);
}

/* Of equal changes, whether something leads to one. */
static void mark_equal(struct reach *r, const struct pn_patch_id *all, size_t n)
{
	struct pn_retain_commit *c;
	bool reached = false;
	size_t i;

	for (i = 0; i < n; i++) {
		c = find(r, &all[i].commit);
		reached |= !c || c->reached;
	}
	for (i = 0; i < n; i++) {
		c = find(r, &all[i].commit);
		if (c && !c->reached)
			c->rewritten = reached;
	}
}

/* What changes nothing against an only parent, as merges do, has nothing but
 * its author's time to be known by, and stays for that. */
static void mark_same(struct reach *r, const struct pn_buf *lost,
		      struct pn_buf *patches)
{
	struct pn_patch_id *all = (void *)patches->data;
	const struct met *met = (const void *)lost->data;
	size_t i, k, n = patches->len / sizeof(*all);

	for (i = 0; i < lost->len / sizeof(*met); i++)
		find(r, &met[i].id)->rewritten = true;
	if (n)
		qsort(all, n, sizeof(*all), by_patch);
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n; k++)
			if (by_patch(&all[k], &all[i]))
				break;
		mark_equal(r, all + i, k - i);
	}
}

static int by_tree(const void *a, const void *b)
{
	const struct lost_tree *x = a, *y = b;

	return pn_oid_cmp(&x->id, &y->id);
}

static struct lost_tree *find_tree(const struct pn_buf *trees,
				   const struct pn_oid *id)
{
	const struct lost_tree key = {.id = *id};

	return bsearch(&key, trees->data, trees->len / sizeof(key), sizeof(key),
		       by_tree);
}

static void list_trees(struct pn_buf *out, const struct reach *r,
		       const struct pn_oid *trees)
{
	struct lost_tree tree = {.met = false};
	size_t i;

	for (i = 0; i < r->count; i++) {
		if (r->commits[i].reached)
			continue;
		tree.id = trees[i];
		pn_buf_add(out, &tree, sizeof(tree));
	}
	if (out->len)
		qsort(out->data, out->len / sizeof(tree), sizeof(tree),
		      by_tree);
}

/* Once more all commits, of which it is known now what is looked for. `lost`
 * becomes sorted by authors' times; `others` are those of equal ones. */
static int meet(struct pn_buf *others, struct pn_buf *trees,
		struct pn_buf *lost, struct pn_repo *repo,
		const struct pn_buf *from, struct pn_error *err)
{
	struct pn_walk_all *walk = NULL;
	struct pn_walked walked;
	struct lost_tree *tree;
	struct met met;
	size_t n = lost->len / sizeof(met);
	int code = pn_walk_all_open(&walk, repo, PN_WALK_ALL, from, err);

	if (n)
		qsort(lost->data, n, sizeof(met), by_author);
	while (!code && (code = pn_walk_all_next(&walked, walk, err)) > 0) {
		code = 0;
		tree = find_tree(trees, &walked.tree);
		if (tree)
			tree->met = true;
		met = (struct met){walked.id, walked.author_s};
		if (n && bsearch(&met, lost->data, n, sizeof(met), by_author))
			pn_buf_add(others, &met, sizeof(met));
	}
	pn_walk_all_free(walk);
	return code;
}

/* By their trees; these leave `lost`. */
static void mark_by_trees(struct reach *r, struct pn_buf *lost,
			  const struct pn_buf *trees,
			  const struct pn_oid *tree_of)
{
	struct met *met = (void *)lost->data;
	size_t i, kept = 0, n = lost->len / sizeof(*met);

	for (i = 0; i < r->count; i++)
		if (!r->commits[i].reached)
			r->commits[i].rewritten =
				find_tree(trees, &tree_of[i])->met;
	for (i = 0; i < n; i++)
		if (!find(r, &met[i].id)->rewritten)
			met[kept++] = met[i];
	lost->len = kept * sizeof(*met);
}

/*
 * What stands for those that nothing leads to. A rebase or a cherry-pick keeps
 * what a commit changes and when its author wrote it: only commits of equal
 * times are compared.
 */
static int mark_rewritten(struct reach *r, const struct pn_oid *tree_of,
			  struct pn_repo *repo, const struct pn_buf *from,
			  struct pn_error *err)
{
	struct pn_buf trees = {0}, all = {0}, met = {0};
	struct pn_buf lost = {0}, others = {0}, patches = {0};
	int code = 0;

	list_trees(&trees, r, tree_of);
	if (trees.len)
		code = find_lost(&all, r, repo, err);
	if (!code && trees.len)
		code = meet(&met, &trees, &all, repo, from, err);
	if (!code) {
		mark_by_trees(r, &all, &trees, tree_of);
		choose(&others, &met, &all);
		choose(&lost, &all, &others);
		code = add_patches(&patches, repo, &lost, err);
	}
	if (!code)
		code = add_patches(&patches, repo, &others, err);
	if (!code)
		mark_same(r, &lost, &patches);
	pn_buf_release(&trees);
	pn_buf_release(&all);
	pn_buf_release(&met);
	pn_buf_release(&lost);
	pn_buf_release(&others);
	pn_buf_release(&patches);
	return code;
}

int pn_retain_reach(struct pn_retain_commit *commits, size_t count,
		    const struct pn_oid *trees, struct pn_repo *repo,
		    const struct pn_buf *tips, const struct pn_buf *tags,
		    struct pn_error *err)
{
	struct reach r = {.commits = commits, .count = count};
	struct pn_walk_all *walk = NULL;
	struct pn_walked walked;
	struct pn_buf from = {0};
	int code = pn_roots_check(repo, err);

	if (!code)
		code = pn_walk_worktrees(&from, repo, err);
	if (tips->len)
		pn_buf_add(&from, tips->data, tips->len);
	if (!code)
		code = pn_walk_all_open(&walk, repo, PN_WALK_ALL, &from, err);
	while (!code && (code = pn_walk_all_next(&walked, walk, err)) > 0) {
		code = 0;
		mark_reached(&r, &walked);
	}
	pn_walk_all_free(walk);
	if (!code)
		code = mark_past(&r, repo, err);
	if (!code)
		code = mark_tags(&r, repo, tags, err);
	if (!code)
		code = mark_rewritten(&r, trees, repo, &from, err);
	pn_buf_release(&from);
	return code;
}

static int take_tips(struct pn_buf *tips, struct pn_repo *repo,
		     const char *remote, const struct pn_buf *refs,
		     struct pn_error *err)
{
	const char *at = pn_buf_text(refs), *end = at + refs->len, *name;
	struct pn_oid id;

	while (at < end) {
		memcpy(id.bytes, at, PN_OID_BYTES);
		name = at + PN_OID_BYTES;
		at = name + strlen(name) + 1;
		if (!pn_repo_has_object(repo, &id))
			return pn_error_set(err, PN_EREFUSED,
					    "'%s' has '%s', which is not here: "
					    "'git fetch --tags %s' first, of "
					    "all branches",
					    remote, name, remote);
		pn_buf_add(tips, id.bytes, PN_OID_BYTES);
	}
	return 0;
}

int pn_retain_remote_tips(struct pn_buf *tips, struct pn_buf *tags,
			  struct pn_repo *repo, struct pn_error *err)
{
	static const char *const patterns[] = {"refs/heads/*", "refs/tags/*"};
	struct pn_transport t = {.repo = repo};
	struct pn_buf refs = {0};
	char *remote = NULL;
	size_t i, heads = 0;
	int code = pn_sync_remote(&remote, repo, err);

	t.remote = remote;
	for (i = 0; !code && remote && i < 2; i++) {
		pn_buf_clear(&refs);
		code = pn_transport_list(&refs, &t, patterns[i], err);
		if (!code)
			code = take_tips(tips, repo, remote, &refs, err);
		if (!i)
			heads = tips->len;
	}
	if (!code && tips->len > heads)
		pn_buf_add(tags, tips->data + heads, tips->len - heads);
	pn_buf_release(&refs);
	free(remote);
	return code;
}
