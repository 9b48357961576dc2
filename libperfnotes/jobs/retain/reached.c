/* Which commits with records the repository still has. */
#include "jobs/retain/reached.h"

#include "base/alloc.h"
#include "storage/sync.h"
#include "vcs/transport/transport.h"
#include "vcs/walk_all.h"

#include <stdlib.h>
#include <string.h>

struct reach {
	struct pn_retain_commit *commits;
	size_t count;
	struct pn_buf trees; /* of all commits that are met: ids */
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
	int code = pn_repo_head(&head, repo, err);

	if (code || head.unborn)
		return code;
	code = pn_walk_all_open(&walk, repo, NULL, err);
	while (!code && (code = pn_walk_all_next(&walked, walk, err)) > 0) {
		code = 0;
		c = find(r, &walked.id);
		if (c)
			c->in_past = true;
	}
	pn_walk_all_free(walk);
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
	int code = pn_walk_all_open(&walk, repo, tips, err);

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
	pn_buf_release(&r.trees);
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
