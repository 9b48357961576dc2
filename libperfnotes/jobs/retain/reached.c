/* Which commits with records the repository still has. */
#include "jobs/retain/reached.h"

#include "base/alloc.h"
#include "storage/sync.h"
#include "vcs/patch_id.h"
#include "vcs/transport/transport.h"
#include "vcs/walk_all.h"

#include <stdlib.h>
#include <string.h>

#define PATCHES_MAX 1000 /* commits whose changes are compared */

struct reach {
	struct pn_retain_commit *commits;
	size_t count;
	struct pn_buf trees; /* of all commits that are met: ids */
	struct pn_buf met;   /* struct met of each */
};

struct met {
	struct pn_oid id;
	int64_t author_s;
};

static int by_id(const void *a, const void *b)
{
	const struct pn_retain_commit *x = a, *y = b;

	return pn_oid_cmp(&x->id, &y->id);
}

static int by_oid(const void *a, const void *b)
{
	return pn_oid_cmp(a, b);
}

static struct pn_retain_commit *find(const struct reach *r,
				     const struct pn_oid *id)
{
	struct pn_retain_commit key = {.id = *id};

	return bsearch(&key, r->commits, r->count, sizeof(key), by_id);
}

static void mark_reached(struct reach *r, const struct pn_walked *walked)
{
	struct pn_retain_commit *c = find(r, &walked->id);
	const struct met met = {walked->id, walked->author_s};

	pn_buf_add(&r->met, &met, sizeof(met));
	pn_buf_add(&r->trees, walked->tree.bytes, PN_OID_BYTES);
	if (!c)
		return;
	c->reached = true;
	c->time_s = walked->time_s;
}

static int mark_tags(struct reach *r, struct pn_repo *repo,
		     struct pn_error *err)
{
	struct pn_retain_commit *c;
	struct pn_buf tags = {0};
	struct pn_oid id;
	size_t at;
	int code = pn_walk_tags(&tags, repo, err);

	for (at = 0; !code && at < tags.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, tags.data + at, PN_OID_BYTES);
		c = find(r, &id);
		if (c)
			c->tagged = true;
	}
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
	size_t order = 0;
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

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Those that nothing leads to, as far as they are here, and when each was
 * written first. */
static int find_lost(struct pn_buf *ids, struct pn_buf *times,
		     const struct reach *r, struct pn_repo *repo,
		     struct pn_error *err)
{
	struct pn_walk_all *walk = NULL;
	struct pn_walked walked;
	size_t i;
	int code;

	for (i = 0; i < r->count && ids->len < PATCHES_MAX * PN_OID_BYTES; i++)
		if (!r->commits[i].reached && !r->commits[i].rewritten &&
		    pn_repo_has_object(repo, &r->commits[i].id))
			pn_buf_add(ids, r->commits[i].id.bytes, PN_OID_BYTES);
	if (!ids->len)
		return 0;
	code = pn_walk_all_open(&walk, repo, PN_WALK_THESE, ids, err);
	while (!code && (code = pn_walk_all_next(&walked, walk, err)) > 0) {
		code = 0;
		pn_buf_add(times, &walked.author_s, sizeof(walked.author_s));
	}
	pn_walk_all_free(walk);
	if (times->len)
		qsort(times->data, times->len / sizeof(int64_t),
		      sizeof(int64_t), by_time);
	return code;
}

/* The same change by a commit that something leads to. */
static void mark_same(struct reach *r, const struct pn_buf *patches)
{
	const struct pn_patch_id *all = (const void *)patches->data;
	size_t i, k, n = patches->len / sizeof(*all);
	struct pn_retain_commit *c, *other;

	for (i = 0; i < n; i++) {
		c = find(r, &all[i].commit);
		if (!c || c->reached)
			continue;
		for (k = 0; k < n && !c->rewritten; k++) {
			other = find(r, &all[k].commit);
			c->rewritten =
				pn_oid_equal(&all[k].patch, &all[i].patch) &&
				(!other || other->reached);
		}
	}
}

/*
 * A rebase or a cherry-pick keeps what a commit changes and when its author
 * wrote it: only commits of equal times are compared.
 */
static int mark_rebased(struct reach *r, struct pn_repo *repo,
			struct pn_error *err)
{
	struct pn_buf ids = {0}, times = {0}, patches = {0};
	const struct met *met = (const void *)r->met.data;
	size_t i, n = r->met.len / sizeof(*met);
	int code = find_lost(&ids, &times, r, repo, err);

	for (i = 0; !code && times.len && i < n &&
		    ids.len < 2 * PATCHES_MAX * PN_OID_BYTES;
	     i++)
		if (bsearch(&met[i].author_s, times.data,
			    times.len / sizeof(int64_t), sizeof(int64_t),
			    by_time))
			pn_buf_add(&ids, met[i].id.bytes, PN_OID_BYTES);
	if (!code && times.len)
		code = pn_patch_ids(&patches, repo, &ids, err);
	if (!code)
		mark_same(r, &patches);
	pn_buf_release(&ids);
	pn_buf_release(&times);
	pn_buf_release(&patches);
	return code;
}

int pn_retain_reach(struct pn_retain_commit *commits, size_t count,
		    const struct pn_oid *trees, struct pn_repo *repo,
		    const struct pn_buf *tips, struct pn_error *err)
{
	struct reach r = {.commits = commits, .count = count};
	struct pn_walk_all *walk = NULL;
	struct pn_walked walked;
	size_t i;
	int code = pn_walk_all_open(&walk, repo, PN_WALK_ALL, tips, err);

	while (!code && (code = pn_walk_all_next(&walked, walk, err)) > 0) {
		code = 0;
		mark_reached(&r, &walked);
	}
	pn_walk_all_free(walk);
	if (!code)
		code = mark_past(&r, repo, err);
	if (!code)
		code = mark_tags(&r, repo, err);
	if (r.trees.len)
		qsort(r.trees.data, r.trees.len / PN_OID_BYTES, PN_OID_BYTES,
		      by_oid);
	for (i = 0; !code && r.trees.len && i < count; i++)
		commits[i].rewritten = !commits[i].reached &&
				       bsearch(&trees[i], r.trees.data,
					       r.trees.len / PN_OID_BYTES,
					       PN_OID_BYTES, by_oid) != NULL;
	if (!code)
		code = mark_rebased(&r, repo, err);
	pn_buf_release(&r.trees);
	pn_buf_release(&r.met);
	return code;
}

static int take_tips(struct pn_buf *tips, struct pn_repo *repo,
		     const char *remote, const struct pn_buf *refs,
		     struct pn_error *err)
{
	const unsigned char *at = refs->data, *end = at + refs->len;
	struct pn_oid id;
	const char *name;

	while (at < end) {
		memcpy(id.bytes, at, PN_OID_BYTES);
		name = (const char *)at + PN_OID_BYTES;
		at = (const unsigned char *)name + strlen(name) + 1;
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

int pn_retain_remote_tips(struct pn_buf *tips, struct pn_repo *repo,
			  struct pn_error *err)
{
	static const char *const patterns[] = {"refs/heads/*", "refs/tags/*"};
	struct pn_transport t = {.repo = repo};
	struct pn_buf refs = {0};
	char *remote = NULL;
	size_t i;
	int code = pn_sync_remote(&remote, repo, err);

	t.remote = remote;
	for (i = 0; !code && remote && i < 2; i++) {
		pn_buf_clear(&refs);
		code = pn_transport_list(&refs, &t, patterns[i], err);
		if (!code)
			code = take_tips(tips, repo, remote, &refs, err);
	}
	pn_buf_release(&refs);
	free(remote);
	return code;
}
