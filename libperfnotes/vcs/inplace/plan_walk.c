/* Comparing a work tree with the files of a commit. */
#include "base/alloc.h"
#include "base/hash.h"
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

struct walk {
	struct pn_plan *out;
	const char *root;
	const struct pn_listing *tree;
	const struct pn_plan *keep;
	bool compare;
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
	return pn_buf_detach(&full);
}

static int read_names(struct names *out, const struct walk *w, const char *dir)
{
	char *full = full_path(w, dir);
	DIR *stream = opendir(full);
	struct dirent *entry;
	int code = 0;

	errno = 0;
	while (stream && (entry = readdir(stream))) {
		const char *name = entry->d_name;

		if (!strcmp(name, ".") || !strcmp(name, "..") ||
		    !strcmp(name, ".git") ||
		    (!*dir && !strncmp(name, PN_PLAN_OWN, strlen(PN_PLAN_OWN))))
			continue;
		out->items = pn_grow(out->items, &out->cap, out->count + 1,
				     sizeof(*out->items));
		out->items[out->count++] = pn_strdup(name);
	}
	if (errno)
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

int pn_plan_hash(struct pn_oid *out, const char *path, const struct stat *st,
		 struct pn_error *err)
{
	struct pn_hash_sha1 *hash;
	char head[32], *room;
	ssize_t n;
	int fd, len;

	if (S_ISLNK(st->st_mode))
		return hash_link(out, path, st, err);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return pn_error_system(err, "cannot read '%s'", path);
	hash = pn_hash_sha1_new();
	room = pn_malloc(READ_BYTES);
	len = snprintf(head, sizeof(head), "blob %lld", (long long)st->st_size);
	pn_hash_sha1_add(hash, head, (size_t)len + 1);
	while ((n = read(fd, room, READ_BYTES)) > 0)
		pn_hash_sha1_add(hash, room, (size_t)n);
	pn_hash_sha1_end(out->bytes, hash);
	free(room);
	close(fd);
	return n < 0 ? pn_error_system(err, "cannot read '%s'", path) : 0;
}

static bool same_type(const struct stat *st, unsigned int mode)
{
	if (mode == PN_MODE_SYMLINK)
		return S_ISLNK(st->st_mode);
	return S_ISREG(st->st_mode) &&
	       !(st->st_mode & S_IXUSR) == (mode != PN_MODE_PROGRAM);
}

/* A file with a second name is moved, not written over: the other name would
 * lose it. */
static int compare_file(struct walk *w, const char *path, const char *full,
			const struct stat *st, const struct pn_listed *item)
{
	mode_t plain = item->mode == PN_MODE_PROGRAM ? 0777 : 0666;
	struct pn_oid have;
	int code;

	if (same_type(st, item->mode) &&
	    (S_ISLNK(st->st_mode) || st->st_nlink == 1)) {
		code = pn_plan_hash(&have, full, st, w->err);
		if (code)
			return code;
		if (pn_oid_equal(&have, &item->oid)) {
			if (S_ISREG(st->st_mode) &&
			    (st->st_mode & 07777) != (plain & ~w->umask))
				pn_plan_add(w->out, PN_PLAN_MODE,
					    st->st_mode & 07777, path);
			return 0;
		}
	}
	pn_plan_add(w->out, PN_PLAN_CHANGED, 0, path);
	return 0;
}

static bool is_repository(const char *full)
{
	struct pn_buf git = {0};
	struct stat st;
	bool found;

	pn_buf_printf(&git, "%s/.git", full);
	found = !lstat(pn_buf_text(&git), &st);
	pn_buf_release(&git);
	return found;
}

/* 1: the path is kept; 2: something below it is; 0: neither. */
static int is_kept(const struct walk *w, const char *path)
{
	size_t i, len = strlen(path);
	int found = 0;

	for (i = 0; w->keep && i < w->keep->count; i++) {
		const struct pn_plan_item *item = &w->keep->items[i];

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
	if (!pn_listing_find(w->tree, path) &&
	    (kept == 1 || (S_ISDIR(st->st_mode) && is_repository(full))))
		pn_plan_add(w->out, PN_PLAN_NESTED, 0, path);
	else
		pn_plan_add(w->out, PN_PLAN_EXTRA, 0, path);
	return 0;
}

/* One name that is on the disk; the commit's items are in [from, to). */
static int visit(struct walk *w, const char *path, size_t from, size_t to)
{
	const struct pn_listed *item = pn_listing_find(w->tree, path);
	char *full = full_path(w, path);
	struct pn_buf below = {0};
	struct stat st = {0};
	int code = 0;

	pn_buf_printf(&below, "%s/", path);
	pn_listing_below(&from, &to, w->tree, pn_buf_text(&below));
	if (lstat(full, &st))
		code = pn_error_system(w->err, "cannot read '%s'", full);
	else if (S_ISDIR(st.st_mode) && from < to)
		code = walk_dir(w, pn_buf_text(&below), from, to);
	else if (item && item->mode == PN_MODE_GITLINK && S_ISDIR(st.st_mode))
		pn_plan_add(w->out, PN_PLAN_NESTED, 0, path);
	else if (item && !S_ISDIR(st.st_mode) && w->compare)
		code = compare_file(w, path, full, &st, item);
	else if (!item || S_ISDIR(st.st_mode))
		code = visit_extra(w, path, pn_buf_text(&below), full, &st, to);
	if (!code && w->compare && from < to && !S_ISDIR(st.st_mode)) {
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

/* `dir` ends with a slash unless it is the root. */
static int walk_dir(struct walk *w, const char *dir, size_t from, size_t to)
{
	struct names names = {0};
	struct pn_buf path = {0};
	struct stat st;
	size_t i;
	int code = read_names(&names, w, dir);

	if (!code && w->compare && *dir) {
		char *full = full_path(w, dir);

		pn_buf_add(&path, dir, strlen(dir) - 1);
		if (lstat(full, &st))
			code = pn_error_system(w->err, "cannot read '%s'",
					       full);
		else
			pn_plan_add(w->out, PN_PLAN_DIR, st.st_mode & 07777,
				    pn_buf_text(&path));
		free(full);
	}
	for (i = 0; !code && i < names.count; i++) {
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s%s", dir, names.items[i]);
		code = visit(w, pn_buf_text(&path), from, to);
	}
	if (!code && w->compare)
		visit_absent(w, dir, from, to, &names);
	names_release(&names);
	pn_buf_release(&path);
	return code;
}

int pn_plan_walk(struct pn_plan *out, const char *root,
		 const struct pn_listing *tree, const struct pn_plan *keep,
		 bool compare, struct pn_error *err)
{
	struct walk w = {out, root, tree, keep, compare, umask(022), err};

	umask(w.umask);
	return walk_dir(&w, "", 0, tree->count);
}
