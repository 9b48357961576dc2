/* Comparing a work tree with the files of a commit. */
#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "vcs/git.h"
#include "vcs/inplace/plan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES 65536
#define SURE_NS 1000000000 /* two changes of a file get times of their own */

struct walk {
	struct pn_plan *out;
	const char *root;
	const struct pn_listing *tree;
	const struct pn_plan *keep;
	struct pn_seen *seen; /* NULL: files are not compared */
	bool second;	      /* `seen` is what an earlier walk found */
	int64_t begun_ns;
	mode_t umask;
	struct pn_error *err;
};

/* What a folder has on the disk, sorted. */
struct names {
	char **items;
	size_t count, cap;
};

static void names_release(struct names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *full_path(const struct walk *w, const char *path)
{
	struct pn_buf full = {0};

	pn_buf_printf(&full, "%s/%s", w->root, path);
	if (full.data[full.len - 1] == '/')
		full.data[--full.len] = '\0';
	return pn_buf_detach(&full);
}

/* A folder at the top that this program made, for want of a better place. One
 * that the commit has, or that is no folder, is the user's. */
static bool is_ours(const struct walk *w, const char *name)
{
	size_t from = 0, to = w->tree->count;
	struct pn_buf below = {0};
	struct stat st;
	char *full;
	bool ours = pn_plan_is_own(name);

	if (!ours)
		return false;
	pn_buf_printf(&below, "%s/", name);
	pn_listing_below(&from, &to, w->tree, pn_buf_text(&below));
	full = full_path(w, name);
	ours = from == to && !lstat(full, &st) && S_ISDIR(st.st_mode);
	free(full);
	pn_buf_release(&below);
	return ours;
}

static int read_names(struct names *out, const struct walk *w, const char *dir)
{
	char *full = full_path(w, dir);
	DIR *stream = opendir(full);
	struct dirent *entry;
	int code = 0;

	while (stream && (errno = 0, entry = readdir(stream))) {
		const char *name = entry->d_name;

		if (!strcmp(name, ".") || !strcmp(name, "..") ||
		    !strcmp(name, ".git") || (!*dir && is_ours(w, name)))
			continue;
		out->items = pn_grow(out->items, &out->cap, out->count + 1,
				     sizeof(*out->items));
		out->items[out->count++] = pn_strdup(name);
	}
	if (errno) /* of opendir or of the last readdir */
		code = pn_error_system(w->err, "cannot read folder '%s'", full);
	if (stream)
		closedir(stream);
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_name);
	free(full);
	return code;
}

/* The bytes of a link are its target. */
static int hash_link(struct pn_oid *out, const char *path,
		     const struct stat *st, struct pn_error *err)
{
	size_t size = (size_t)st->st_size + 1;
	char *target = pn_malloc(size);
	ssize_t n = readlink(path, target, size);

	if (n >= 0)
		pn_hash_git_object(out, "blob", target, (size_t)n);
	free(target);
	return n < 0 ? pn_error_system(err, "cannot read '%s'", path) : 0;
}

/* By libgit2, which looks for bytes that were made to collide: their name is
 * all that tells whether they are those of a commit. PN_ENOTFOUND: it could
 * not read the file, which somebody may be writing. */
static int hash_checked(struct pn_oid *out, int fd, const char *path,
			struct pn_error *err)
{
	const git_error *last;
	char name[32];
	git_oid oid;

	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	if (!git_odb_hashfile(&oid, name, GIT_OBJECT_BLOB)) {
		pn_git_from(out, &oid);
		return 0;
	}
	last = git_error_last();
	if (last && last->klass == GIT_ERROR_SHA)
		return pn_error_set(err, PN_EREFUSED,
				    "cannot tell '%s' by its SHA-1: %s", path,
				    last->message);
	return PN_ENOTFOUND;
}

static int hash_read(struct pn_oid *out, int fd, const struct stat *st,
		     const char *path, struct pn_error *err)
{
	struct pn_hash_sha1 *hash = pn_hash_sha1_new();
	char head[32], *room = pn_malloc(READ_BYTES);
	int len, code = 0;
	ssize_t n;

	len = snprintf(head, sizeof(head), "blob %lld", (long long)st->st_size);
	pn_hash_sha1_add(hash, head, (size_t)len + 1);
	while ((n = read(fd, room, READ_BYTES)) > 0)
		pn_hash_sha1_add(hash, room, (size_t)n);
	if (n < 0)
		code = pn_error_system(err, "cannot read '%s'", path);
	pn_hash_sha1_end(out->bytes, hash);
	free(room);
	return code;
}

int pn_plan_hash(struct pn_oid *out, const char *path, const struct stat *st,
		 struct pn_error *err)
{
	struct stat now;
	int fd, code;

	if (S_ISLNK(st->st_mode))
		return hash_link(out, path, st, err);
	/* nobody may ever write to a pipe that took its place meanwhile */
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &now)) {
		pn_error_system(err, "cannot read '%s'", path);
		if (fd >= 0)
			close(fd);
		return PN_EIO;
	}
	if (!S_ISREG(now.st_mode)) {
		close(fd);
		memset(out, 0, sizeof(*out));
		return 0;
	}
	code = hash_checked(out, fd, path, err);
	if (code == PN_ENOTFOUND)
		code = hash_read(out, fd, st, path, err);
	close(fd);
	return code;
}

static bool same_type(const struct stat *st, unsigned int mode)
{
	if (mode == PN_MODE_SYMLINK)
		return S_ISLNK(st->st_mode);
	return S_ISREG(st->st_mode) &&
	       !(st->st_mode & S_IXUSR) == (mode != PN_MODE_PROGRAM);
}

static int64_t as_ns(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

/* Nothing was written to the file since: any write gives it a new st_ctim,
 * but one right after another may get the same. */
static bool is_as_seen(const struct walk *w, const struct stat *seen,
		       const struct stat *st)
{
	return w->second && seen->st_nlink && seen->st_dev == st->st_dev &&
	       seen->st_ino == st->st_ino && seen->st_mode == st->st_mode &&
	       seen->st_nlink == st->st_nlink && seen->st_size == st->st_size &&
	       as_ns(&seen->st_mtim) == as_ns(&st->st_mtim) &&
	       as_ns(&seen->st_ctim) == as_ns(&st->st_ctim) &&
	       as_ns(&st->st_ctim) < w->begun_ns - SURE_NS;
}

/*
 * 1 when the file is the commit's. One with a second name is moved, not
 * written over: the other name would lose it. So is one with attributes that a
 * checkout would not give it again.
 */
static int is_commits(struct walk *w, const char *full, const struct stat *st,
		      const struct pn_listed *item)
{
	struct stat *seen = &w->seen->files[item - w->tree->items];
	struct pn_oid have;
	int code;

	if (!same_type(st, item->mode) ||
	    (S_ISREG(st->st_mode) && st->st_nlink != 1))
		return 0;
	if (is_as_seen(w, seen, st))
		return 1;
	code = pn_plan_is_plain(full, st, w->err);
	if (code <= 0)
		return code;
	code = pn_plan_hash(&have, full, st, w->err);
	if (code)
		return code;
	memset(seen, 0, sizeof(*seen));
	if (!pn_oid_equal(&have, &item->oid))
		return 0;
	*seen = *st;
	return 1;
}

static int compare_file(struct walk *w, const char *path, const char *full,
			const struct stat *st, const struct pn_listed *item)
{
	mode_t plain = item->mode == PN_MODE_PROGRAM ? 0777 : 0666;
	int same = is_commits(w, full, st, item);

	if (!same)
		pn_plan_add(w->out, PN_PLAN_CHANGED, 0, path);
	else if (same > 0 && S_ISREG(st->st_mode) &&
		 (st->st_mode & 07777) != (plain & ~w->umask))
		pn_plan_add(w->out, PN_PLAN_MODE, st->st_mode & 07777, path);
	return same < 0 ? same : 0;
}

/* 1 when it is. */
static int is_repository(const char *full, struct pn_error *err)
{
	struct pn_buf git = {0};
	struct stat st;
	int found;

	pn_buf_printf(&git, "%s/.git", full);
	found = pn_file_look(&st, pn_buf_text(&git), err);
	pn_buf_release(&git);
	return found;
}

/* 1: the path is kept; 2: something below it is, or the folder itself without
 * what is in it; 0: neither. */
static int is_kept(const struct walk *w, const char *path)
{
	size_t i, len = strlen(path);
	int found = 0;

	for (i = 0; w->keep && i < w->keep->count; i++) {
		const struct pn_plan_item *item = &w->keep->items[i];

		if (item->kind == PN_PLAN_OWNED && !strcmp(item->path, path))
			found = 2;
		if (item->kind != PN_PLAN_KEEP)
			continue;
		if (!strcmp(item->path, path))
			return 1;
		if (!strncmp(item->path, path, len) && item->path[len] == '/')
			found = 2;
	}
	return found;
}

/* Everything of the commit in [from, to), whose paths begin with `dir`. */
static void add_missing(struct walk *w, const char *dir, size_t from, size_t to)
{
	size_t dir_len = strlen(dir);

	while (from < to) {
		const char *path = w->tree->items[from].path;
		const char *slash = strchr(path + dir_len, '/');
		struct pn_buf below = {0};
		size_t end = to;

		if (!slash) {
			pn_plan_add(w->out, PN_PLAN_GONE, 0, path);
			from++;
			continue;
		}
		pn_buf_add(&below, path, (size_t)(slash - path));
		pn_plan_add(w->out, PN_PLAN_NO_DIR, 0, pn_buf_text(&below));
		pn_buf_add_byte(&below, '/');
		pn_listing_below(&from, &end, w->tree, pn_buf_text(&below));
		add_missing(w, pn_buf_text(&below), from, end);
		from = end;
		pn_buf_release(&below);
	}
}

static int walk_dir(struct walk *w, const char *dir, size_t from, size_t to);

/* Something that the commit has nothing of, at this path or below. */
static int visit_extra(struct walk *w, const char *path, const char *below,
		       const char *full, const struct stat *st, size_t at)
{
	int kept = is_kept(w, path);

	if (kept == 2 && S_ISDIR(st->st_mode))
		return walk_dir(w, below, at, at);
	if (!kept && S_ISDIR(st->st_mode))
		kept = is_repository(full, w->err);
	if (kept < 0)
		return kept;
	pn_plan_add(w->out,
		    kept == 1 && !pn_listing_find(w->tree, path)
			    ? PN_PLAN_NESTED
			    : PN_PLAN_EXTRA,
		    0, path);
	return 0;
}

/* Listed a moment ago, and gone. */
static void visit_gone(struct walk *w, const char *path, const char *below,
		       size_t from, size_t to)
{
	if (!w->seen)
		return;
	if (pn_listing_find(w->tree, path))
		pn_plan_add(w->out, PN_PLAN_GONE, 0, path);
	if (from < to) {
		pn_plan_add(w->out, PN_PLAN_NO_DIR, 0, path);
		add_missing(w, below, from, to);
	}
}

/* One name that is on the disk; the commit's items are in [from, to). */
static int visit(struct walk *w, const char *path, size_t from, size_t to)
{
	const struct pn_listed *item = pn_listing_find(w->tree, path);
	char *full = full_path(w, path);
	struct pn_buf below = {0};
	struct stat st = {0};
	int found, code = 0;

	pn_buf_printf(&below, "%s/", path);
	pn_listing_below(&from, &to, w->tree, pn_buf_text(&below));
	found = pn_file_look(&st, full, w->err);
	if (found < 0)
		code = found;
	else if (!found)
		visit_gone(w, path, pn_buf_text(&below), from, to);
	else if (S_ISDIR(st.st_mode) && from < to)
		code = walk_dir(w, pn_buf_text(&below), from, to);
	else if (item && item->mode == PN_MODE_GITLINK && S_ISDIR(st.st_mode))
		pn_plan_add(w->out, PN_PLAN_NESTED, 0, path);
	else if (item && !S_ISDIR(st.st_mode) && w->seen)
		code = compare_file(w, path, full, &st, item);
	else if (!item || S_ISDIR(st.st_mode))
		code = visit_extra(w, path, pn_buf_text(&below), full, &st, to);
	if (!code && w->seen && found && from < to && !S_ISDIR(st.st_mode)) {
		pn_plan_add(w->out, PN_PLAN_NO_DIR, 0, path);
		add_missing(w, pn_buf_text(&below), from, to);
	}
	pn_buf_release(&below);
	free(full);
	return code;
}

/* What the commit has in this folder and the disk has not. */
static void visit_absent(struct walk *w, const char *dir, size_t from,
			 size_t to, const struct names *names)
{
	size_t dir_len = strlen(dir);

	while (from < to) {
		const char *path = w->tree->items[from].path;
		size_t len = strcspn(path + dir_len, "/");
		char *name = pn_strndup(path + dir_len, len);
		struct pn_buf below = {0};
		size_t low = from, end = to;

		if (path[dir_len + len]) {
			pn_buf_printf(&below, "%s%s/", dir, name);
			pn_listing_below(&low, &end, w->tree,
					 pn_buf_text(&below));
		} else {
			end = from + 1;
		}
		if (!names->count || !bsearch(&name, names->items, names->count,
					      sizeof(*names->items), by_name))
			add_missing(w, dir, from, end);
		from = end;
		pn_buf_release(&below);
		free(name);
	}
}

/* `dir` ends with a slash. */
static int add_dir(struct walk *w, const char *dir)
{
	char *full = full_path(w, dir),
	     *path = pn_strndup(dir, strlen(dir) - 1);
	struct stat st;
	int plain = -1;

	if (lstat(full, &st))
		pn_error_system(w->err, "cannot read '%s'", full);
	else
		plain = pn_plan_is_plain(full, &st, w->err);
	if (plain >= 0)
		pn_plan_add(w->out, PN_PLAN_DIR, st.st_mode & 07777, path);
	if (!plain)
		pn_plan_add(w->out, PN_PLAN_OWNED, 0, path);
	free(full);
	free(path);
	return plain < 0 ? PN_EIO : 0;
}

/* `dir` ends with a slash unless it is the root. */
static int walk_dir(struct walk *w, const char *dir, size_t from, size_t to)
{
	struct names names = {0};
	struct pn_buf path = {0};
	size_t i;
	int code = read_names(&names, w, dir);

	if (!code && w->seen && *dir)
		code = add_dir(w, dir);
	for (i = 0; !code && i < names.count; i++) {
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s%s", dir, names.items[i]);
		code = visit(w, pn_buf_text(&path), from, to);
	}
	if (!code && w->seen)
		visit_absent(w, dir, from, to, &names);
	names_release(&names);
	pn_buf_release(&path);
	return code;
}

int pn_plan_walk(struct pn_plan *out, const char *root,
		 const struct pn_listing *tree, const struct pn_plan *keep,
		 struct pn_seen *seen, struct pn_error *err)
{
	struct walk w = {.out = out,
			 .root = root,
			 .tree = tree,
			 .keep = keep,
			 .seen = seen,
			 .second = seen && seen->files,
			 .begun_ns = pn_time_now_ns(),
			 .umask = umask(022),
			 .err = err};

	umask(w.umask);
	if (seen && !seen->files)
		seen->files = pn_calloc(tree->count + 1, sizeof(*seen->files));
	return walk_dir(&w, "", 0, tree->count);
}
