/*
 * The safety copy: a commit in the shape that git stash makes (parents: HEAD,
 * the index, untracked files), so that `git stash apply` understands it, and a
 * fourth parent with the index file itself and the sides of conflicts. Files
 * are stored as they are, without conversions. It is a second line only: what
 * counts is that files are renamed, never rewritten. So it has limits, and
 * ignored files are not in it. It has a ref of its own and no place in the
 * stash: that is one list for all worktrees, and `git stash pop` in another one
 * would take it instead of the user's entry.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "vcs/child_lock.h"
#include "vcs/git.h"
#include "vcs/identity.h"
#include "vcs/inplace/state.h"
#include "vcs/lock.h"
#include "vcs/ref/ref.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COPY_FILE_MAX (16u << 20)
#define TRIES 5
#define COPY_MAX (64u << 20) /* of all files together */
#define STASH_REF "refs/stash"
#define TOUCHING "touching" /* exists while git changes refs of ours */
#define STALE_PAUSE_MS 20
#define STALE_WAIT_MS 300 /* git holds such a lock for a few ms */

struct copy {
	struct pn_inplace *run;
	struct pn_objects objects;
	struct pn_listing home, work, index, untracked, odd;
	struct pn_listing moved; /* paths of the plan that HEAD's tree loses */
	uint64_t bytes;
	size_t omitted;
};

static void copy_release(struct copy *c)
{
	pn_objects_release(&c->objects);
	pn_listing_release(&c->home);
	pn_listing_release(&c->work);
	pn_listing_release(&c->index);
	pn_listing_release(&c->untracked);
	pn_listing_release(&c->odd);
	pn_listing_release(&c->moved);
}

/* Add what is at `path` to `to` under the name `name`; folders, pipes and what
 * is too large are left out. */
static int add_file(struct copy *c, struct pn_listing *to, const char *full,
		    const char *name, struct pn_error *err)
{
	unsigned int mode = PN_MODE_FILE;
	struct pn_buf bytes = {0};
	struct pn_oid id;
	struct stat st;
	int code = pn_file_look(&st, full, err);

	if (code <= 0 || (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)))
		return code < 0 ? code : 0;
	code = 0;
	if (st.st_size > COPY_FILE_MAX ||
	    c->bytes + (uint64_t)st.st_size > COPY_MAX) {
		c->omitted++;
		return 0;
	}
	if (S_ISLNK(st.st_mode)) {
		char *room = (char *)pn_buf_reserve(&bytes, PN_ERROR_MAX * 8);
		ssize_t n = readlink(full, room, PN_ERROR_MAX * 8);

		mode = PN_MODE_SYMLINK;
		bytes.len = n > 0 ? (size_t)n : 0;
		if (n < 0)
			code = pn_error_system(err, "cannot read '%s'", full);
	} else {
		mode = st.st_mode & S_IXUSR ? PN_MODE_PROGRAM : mode;
		code = pn_file_read(&bytes, full, COPY_FILE_MAX, err);
	}
	if (code == PN_ENOTFOUND || code == PN_ELIMIT) {
		/* the user deletes or writes it just now */
		c->omitted += code == PN_ELIMIT;
		code = 0;
	} else if (!code) {
		pn_objects_add(&id, &c->objects, PN_OBJECT_BLOB,
			       pn_buf_text(&bytes), bytes.len);
		pn_listing_put(to, mode, &id, name);
		c->bytes += bytes.len;
	}
	pn_buf_release(&bytes);
	return code;
}

static int add_work_file(struct copy *c, struct pn_listing *to,
			 const char *path, struct pn_error *err)
{
	struct pn_buf full = {0};
	int code;

	pn_buf_printf(&full, "%s/%s", c->run->root, path);
	code = add_file(c, to, pn_buf_text(&full), path, err);
	pn_buf_release(&full);
	return code;
}

/* One line of `git ls-files -s -z`: "<mode> <id> <stage>" TAB <path>. Of a
 * conflict our side counts as the index; all sides go to the odd things. */
static void add_staged(struct copy *c, const char *line)
{
	const char *tab = strchr(line, '\t');
	unsigned int mode = 0;
	const char *at = line;
	struct pn_buf name = {0};
	struct pn_oid id;

	for (; *at >= '0' && *at <= '7'; at++)
		mode = mode * 8 + (unsigned int)(*at - '0');
	if (!tab || *at != ' ' || tab - at != PN_OID_HEX + 3 ||
	    pn_oid_parse(&id, at + 1))
		return;
	if (tab[-1] == '0' || tab[-1] == '2')
		pn_listing_put(&c->index, mode, &id, tab + 1);
	if (tab[-1] != '0') {
		pn_buf_printf(&name, "stage%c/%s", tab[-1], tab + 1);
		pn_listing_put(&c->odd, mode, &id, pn_buf_text(&name));
	}
	pn_buf_release(&name);
}

static int read_index(struct copy *c, const char *index, struct pn_error *err)
{
	const char *const staged[] = {"ls-files", "-s", "-z", NULL};
	const char *const others[] = {"ls-files", "-o", "-z",
				      "--exclude-standard", NULL};
	struct pn_buf text = {0};
	const char *at, *end;
	int code = pn_inplace_git(&text, NULL, c->run, index, staged, err);

	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1)
		add_staged(c, at);
	pn_listing_sort(&c->index);
	pn_buf_clear(&text);
	if (!code)
		code = pn_inplace_git(&text, NULL, c->run, index, others, err);
	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1)
		if (at[strlen(at) - 1] != '/' && !pn_plan_is_own(at))
			code = add_work_file(c, &c->untracked, at, err);
	pn_listing_sort(&c->untracked);
	pn_buf_release(&text);
	return code;
}

/* HEAD's files as they are in the work tree, and what only the index has. */
static int read_work(struct copy *c, struct pn_error *err)
{
	const struct pn_plan *plan = &c->run->plan;
	size_t i;
	int code = 0;

	for (i = 0; i < plan->count; i++)
		if (strchr("RTD", (int)plan->items[i].kind))
			pn_listing_put(&c->moved, 0, &c->run->home,
				       plan->items[i].path);
	pn_listing_sort(&c->moved);
	for (i = 0; i < c->home.count; i++)
		if (!pn_listing_find(&c->moved, c->home.items[i].path))
			pn_listing_put(&c->work, c->home.items[i].mode,
				       &c->home.items[i].oid,
				       c->home.items[i].path);
	for (i = 0; !code && i < plan->count; i++)
		if (plan->items[i].kind == PN_PLAN_CHANGED)
			code = add_work_file(c, &c->work, plan->items[i].path,
					     err);
	for (i = 0; !code && i < c->index.count; i++)
		if (!pn_listing_find(&c->home, c->index.items[i].path))
			code = add_work_file(c, &c->work,
					     c->index.items[i].path, err);
	pn_listing_sort(&c->work);
	return code;
}

static int add_commit(struct pn_oid *out, struct copy *c,
		      const struct pn_oid *tree, const struct pn_oid *parents,
		      size_t count, const char *message, struct pn_error *err)
{
	struct pn_buf text = {0};
	char hex[PN_OID_HEX + 1];
	size_t i;
	int code;

	pn_oid_hex(hex, tree);
	pn_buf_printf(&text, "tree %s\n", hex);
	for (i = 0; i < count; i++) {
		pn_oid_hex(hex, &parents[i]);
		pn_buf_printf(&text, "parent %s\n", hex);
	}
	pn_buf_add_text(&text, "author ");
	code = pn_identity(&text, c->run->repo, false, err);
	pn_buf_add_text(&text, "\ncommitter ");
	if (!code)
		code = pn_identity(&text, c->run->repo, true, err);
	pn_buf_printf(&text, "\n\n%s\n", message);
	if (!code)
		pn_objects_add(out, &c->objects, PN_OBJECT_COMMIT, text.data,
			       text.len);
	pn_buf_release(&text);
	return code;
}

/* A commit with the tree of a list; *same tells that this is HEAD's tree. */
static int add_side(struct pn_oid *out, struct copy *c,
		    const struct pn_listing *list, const struct pn_oid *parents,
		    size_t count, const char *message, struct pn_error *err)
{
	struct pn_oid tree;

	pn_listing_tree(&tree, list, &c->objects);
	return add_commit(out, c, &tree, parents, count, message, err);
}

static bool same_tree(struct copy *c, const struct pn_listing *list)
{
	struct pn_oid a, b;

	pn_listing_tree(&a, &c->home, &c->objects);
	pn_listing_tree(&b, list, &c->objects);
	return pn_oid_equal(&a, &b);
}

static int add_all(struct copy *c, struct pn_error *err)
{
	struct pn_oid parents[4] = {c->run->home};
	char message[128];
	int code;

	code = add_side(&parents[1], c, &c->index, parents, 1,
			"index before a run of git perf", err);
	if (!code)
		code = add_side(&parents[2], c, &c->untracked, NULL, 0,
				"untracked files before a run of git perf",
				err);
	if (!code)
		code = add_side(&parents[3], c, &c->odd, NULL, 0,
				"index file before a run of git perf", err);
	snprintf(message, sizeof(message), "before a run of git perf%s",
		 c->omitted ? " (large files are not in here)" : "");
	if (!code)
		code = add_side(&c->run->safety, c, &c->work, parents, 4,
				message, err);
	return code;
}

static char *state_ref(const struct pn_inplace *run)
{
	const char *name = "main";
	struct pn_buf ref = {0};

	if (strcmp(run->repo->git_dir, run->repo->common_dir))
		name = pn_file_basename(run->repo->git_dir);
	pn_buf_printf(&ref, "refs/perf/state/%s/%s", name, run->id);
	return pn_buf_detach(&ref);
}

/* The file that says so comes first: whoever finds the one finds the others. */
static int publish(struct copy *c, struct pn_error *err)
{
	const struct pn_oid none = {{0}};
	char hex[PN_OID_HEX + 1], *ref = state_ref(c->run);
	struct pn_lock lock = {.fd = -1};
	struct pn_buf ident = {0};
	int64_t waited_us = 0;
	int tries = 0, code;

	pn_oid_hex(hex, &c->run->safety);
	do /* a prune may be at work */
		code = pn_objects_write(c->run->repo, &c->objects, err);
	while (code == PN_ENOTFOUND && ++tries < TRIES);
	if (!code)
		code = pn_inplace_put(c->run, TOUCHING, "", err);
	if (!code)
		code = pn_inplace_put(c->run, PN_INPLACE_SAFETY, hex, err);
	if (!code)
		code = pn_identity(&ident, c->run->repo, true, err);
	if (!code)
		code = pn_lock_acquire(&lock, c->run->repo, err);
	if (!code)
		code = pn_ref_move(&waited_us, c->run->repo, ref, &none,
				   &c->run->safety, pn_buf_text(&ident),
				   "git perf", err);
	if (!code)
		pn_objects_published(&c->objects);
	pn_lock_release(&lock);
	pn_buf_release(&ident);
	free(ref);
	return code;
}

static void settled(const struct pn_inplace *run)
{
	char *path = pn_inplace_path(run, TOUCHING);

	unlink(path);
	free(path);
}

int pn_inplace_save_copy(struct pn_inplace *run, struct pn_error *err)
{
	char *index = pn_inplace_path(run, PN_INPLACE_INDEX);
	struct copy c = {.run = run};
	int code = pn_listing_add(&c.home, run->repo, &run->home, err);

	if (!code && run->has_index)
		code = add_file(&c, &c.odd, index, "index", err);
	if (!code)
		code = read_index(&c, index, err);
	pn_listing_sort(&c.odd);
	if (!code)
		code = read_work(&c, err);
	if (!code && (c.untracked.count || c.odd.count > 1 ||
		      !same_tree(&c, &c.work) || !same_tree(&c, &c.index))) {
		code = add_all(&c, err);
		if (!code)
			code = publish(&c, err);
		if (!code)
			settled(run);
	}
	copy_release(&c);
	free(index);
	return code;
}

/* Version 0.1.0 put the copy into the stash, which is the user's: an entry of
 * a run that it left is named and stays. */
static void note_entry(struct pn_inplace *run, const char *hex)
{
	const char *const args[] = {"rev-list", "--walk-reflogs", STASH_REF,
				    "--", NULL};
	struct pn_buf text = {0};
	struct pn_error ignored;
	int status = 0;
	const char *at;
	long n = 0;

	if (pn_inplace_git(&text, &status, run, NULL, args, &ignored) || status)
		pn_buf_clear(&text);
	for (at = pn_buf_text(&text); strlen(at) > PN_OID_HEX; n++) {
		if (!memcmp(at, hex, PN_OID_HEX)) {
			pn_inplace_note(run,
					"the stash has a copy of what was not "
					"committed, which is back: 'git stash "
					"drop stash@{%ld}' removes it",
					n);
			break;
		}
		at += PN_OID_HEX + 1;
	}
	pn_buf_release(&text);
}

/*
 * A git process that was killed in the middle leaves its lock file. Ours are
 * dead (they would hold the run's lock), and we know that they were about to
 * change this ref, which is of this run alone.
 */
static void clear_lock(const struct pn_inplace *run, const char *name)
{
	const struct timespec pause = {0, STALE_PAUSE_MS * 1000000};
	struct pn_buf path = {0};
	struct stat first, now;
	int waited;

	pn_buf_printf(&path, "%s/%s.lock", run->repo->common_dir, name);
	if (!lstat(pn_buf_text(&path), &first)) {
		for (waited = 0; waited < STALE_WAIT_MS;
		     waited += STALE_PAUSE_MS)
			nanosleep(&pause, NULL);
		if (!lstat(pn_buf_text(&path), &now) &&
		    now.st_ino == first.st_ino &&
		    now.st_mtim.tv_sec == first.st_mtim.tv_sec &&
		    now.st_mtim.tv_nsec == first.st_mtim.tv_nsec)
			unlink(pn_buf_text(&path));
	}
	pn_buf_release(&path);
}

/* packed-refs is the user's as well, who may be about to pack refs. */
static int clear_locks(const struct pn_inplace *run, const char *ref,
		       struct pn_error *err)
{
	char *touching = pn_inplace_path(run, TOUCHING);
	struct stat st;
	int code = 0;

	if (!lstat(touching, &st)) {
		clear_lock(run, ref);
		code = pn_child_lock_clear_refs(run->repo, &st.st_mtim, err);
	}
	free(touching);
	return code;
}

static int drop_ref(const struct pn_inplace *run, const char *ref,
		    struct pn_error *err)
{
	struct pn_lock lock = {.fd = -1};
	struct pn_buf path = {0};
	int result, code = pn_lock_acquire(&lock, run->repo, err);

	if (code)
		return code;
	result = git_reference_remove(run->repo->git, ref);
	if (result < 0 && result != GIT_ENOTFOUND)
		code = pn_git_fail(err, PN_EIO, "cannot remove '%s'", ref);
	pn_lock_release(&lock);
	if (!code) { /* nobody else has a ref of this name */
		pn_buf_printf(&path, "%s/%s.lock", run->repo->common_dir, ref);
		unlink(pn_buf_text(&path));
		pn_buf_release(&path);
	}
	return code;
}

int pn_inplace_drop_copy(struct pn_inplace *run, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], *ref;
	int code, lost;

	if (pn_oid_is_zero(&run->safety))
		return 0;
	lost = pn_inplace_has_lost(run, err);
	if (lost < 0)
		return lost;
	pn_oid_hex(hex, &run->safety);
	ref = state_ref(run);
	if (lost) {
		pn_inplace_note(run,
				"a copy of what was not committed stays in "
				"'%s': 'git stash apply %s' brings it, 'git "
				"update-ref -d %s' removes it",
				ref, hex, ref);
		free(ref);
		return 0;
	}
	code = clear_locks(run, ref, err);
	if (!code)
		note_entry(run, hex);
	if (!code)
		code = pn_inplace_put(run, TOUCHING, "", err);
	if (!code)
		code = drop_ref(run, ref, err);
	free(ref);
	return code;
}
