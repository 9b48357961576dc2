/* Objects from one repository into another. */
#define _GNU_SOURCE
#include "near.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct copy {
	git_repository *to, *from;
	git_odb *to_odb, *from_odb;
	git_packbuilder *pack;
	struct pn_buf seen; /* ids that come, or that the other side has */
	size_t added;
};

static bool is_new(struct copy *c, const git_oid *id)
{
	size_t at;

	for (at = 0; at < c->seen.len; at += GIT_OID_RAWSZ)
		if (!memcmp(c->seen.data + at, id->id, GIT_OID_RAWSZ))
			return false;
	pn_buf_add(&c->seen, id->id, GIT_OID_RAWSZ);
	return true;
}

static int add(struct copy *c, const git_oid *id)
{
	git_odb_object *object;
	git_oid written;
	int code;

	if (c->pack) {
		c->added++;
		return git_packbuilder_insert(c->pack, id, NULL);
	}
	if (git_odb_exists(c->to_odb, id))
		return 0;
	code = git_odb_read(&object, c->from_odb, id);
	if (code)
		return code;
	code = git_odb_write(&written, c->to_odb, git_odb_object_data(object),
			     git_odb_object_size(object),
			     git_odb_object_type(object));
	git_odb_object_free(object);
	return code;
}

static int add_tree(struct copy *c, const git_oid *id, bool only_see)
{
	const git_tree_entry *entry;
	git_tree *tree;
	size_t i;
	int code;

	if (!is_new(c, id))
		return 0;
	code = git_tree_lookup(&tree, c->from, id);
	for (i = 0; !code && i < git_tree_entrycount(tree); i++) {
		entry = git_tree_entry_byindex(tree, i);
		if (git_tree_entry_type(entry) == GIT_OBJECT_TREE)
			code = add_tree(c, git_tree_entry_id(entry), only_see);
		else if (is_new(c, git_tree_entry_id(entry)) && !only_see)
			code = add(c, git_tree_entry_id(entry));
	}
	if (!code && !only_see)
		code = add(c, id);
	git_tree_free(tree);
	return code;
}

static bool is_among(const struct pn_buf *ids, const git_oid *id)
{
	size_t at;

	for (at = 0; at < ids->len; at += GIT_OID_RAWSZ)
		if (!memcmp(ids->data + at, id->id, GIT_OID_RAWSZ))
			return true;
	return false;
}

/* What the parents have that stay is not sent. */
static int see_edges(struct copy *c, const struct pn_buf *coming,
		     git_commit *commit)
{
	git_commit *parent;
	unsigned int i;
	int code = 0;

	for (i = 0; !code && i < git_commit_parentcount(commit); i++) {
		if (is_among(coming, git_commit_parent_id(commit, i)))
			continue;
		code = git_commit_parent(&parent, commit, i);
		if (code)
			return code;
		code = add_tree(c, git_commit_tree_id(parent), true);
		git_commit_free(parent);
	}
	return code;
}

static int each_commit(struct copy *c, const struct pn_buf *coming, bool edges)
{
	git_commit *commit;
	git_oid id;
	size_t at;
	int code = 0;

	for (at = 0; !code && at < coming->len; at += GIT_OID_RAWSZ) {
		memcpy(id.id, coming->data + at, GIT_OID_RAWSZ);
		code = git_commit_lookup(&commit, c->from, &id);
		if (code)
			break;
		if (edges)
			code = see_edges(c, coming, commit);
		else
			code = add_tree(c, git_commit_tree_id(commit), false);
		if (!code && !edges)
			code = add(c, &id);
		git_commit_free(commit);
	}
	return code;
}

/* What the refs of the other side reach stays there. */
static int list_coming(struct pn_buf *out, struct copy *c, const git_oid *wants,
		       size_t count)
{
	git_reference_iterator *iter = NULL;
	git_reference *ref;
	git_revwalk *walk;
	const git_oid *id;
	git_oid next;
	size_t i;
	int code = git_revwalk_new(&walk, c->from);

	for (i = 0; !code && i < count; i++)
		code = git_revwalk_push(walk, &wants[i]);
	if (!code)
		code = git_reference_iterator_new(&iter, c->to);
	while (!code && !(code = git_reference_next(&ref, iter))) {
		id = git_reference_target(ref);
		if (id && !git_odb_exists(c->to_odb, id))
			code = -1; /* broken: git has words for it */
		else if (id && git_odb_exists(c->from_odb, id))
			code = git_revwalk_hide(walk, id);
		git_reference_free(ref);
	}
	git_reference_iterator_free(iter);
	code = code == GIT_ITEROVER ? 0 : code;
	while (!code && !(code = git_revwalk_next(&next, walk)))
		pn_buf_add(out, next.id, GIT_OID_RAWSZ);
	git_revwalk_free(walk);
	return code == GIT_ITEROVER ? 0 : code;
}

/* In a folder of its own, then under its name, beside a file that says that
 * it stays. */
static int keep_pack(char **keep, struct copy *c)
{
	const char *top = git_repository_commondir(c->to);
	char *folder, *from, *to, hex[GIT_OID_HEXSZ + 1] = "";
	static const char *const ends[] = {"pack", "idx"};
	int code, fd, i;

	if (asprintf(&folder, "%sobjects/near-%ld", top, (long)getpid()) < 0)
		abort();
	code = mkdir(folder, 0777);
	if (!code)
		code = git_packbuilder_write(c->pack, folder, 0, NULL, NULL);
	if (!code) {
		git_oid_fmt(hex, git_packbuilder_hash(c->pack));
		if (asprintf(keep, "%sobjects/pack/pack-%s.keep", top, hex) < 0)
			abort();
		fd = open(*keep, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		close(fd);
	}
	for (i = 0; !code && i < 2; i++) {
		if (asprintf(&from, "%s/pack-%s.%s", folder, hex, ends[i]) <
			    0 ||
		    asprintf(&to, "%sobjects/pack/pack-%s.%s", top, hex,
			     ends[i]) < 0)
			abort();
		code = rename(from, to);
		free(from);
		free(to);
	}
	rmdir(folder);
	free(folder);
	return code;
}

int near_copy(char **keep, git_repository *to, git_repository *from,
	      const git_oid *wants, size_t count)
{
	struct copy c = {.to = to, .from = from};
	struct pn_buf coming = {0};
	int code = git_repository_odb(&c.to_odb, to), edges;

	if (!code)
		code = git_repository_odb(&c.from_odb, from);
	if (!code && keep)
		code = git_packbuilder_new(&c.pack, from);
	if (!code && keep)
		git_packbuilder_set_threads(c.pack, 1);
	if (!code)
		code = list_coming(&coming, &c, wants, count);
	for (edges = 1; !code && edges >= 0; edges--)
		code = each_commit(&c, &coming, edges);
	if (!code && c.added)
		code = keep_pack(keep, &c);
	git_packbuilder_free(c.pack);
	git_odb_free(c.to_odb);
	git_odb_free(c.from_odb);
	pn_buf_release(&c.seen);
	pn_buf_release(&coming);
	return code;
}
