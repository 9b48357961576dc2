/*
 * Files of git's give way to a checkout by rename(2), and are looked at then:
 * what somebody wrote into them, or put in their place, cannot be overwritten
 * between a look and a write. They lie in "taken/<n>/<path>" until the commit
 * is there. Those that are as git made them are deleted, all others go to the
 * leftovers.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "vcs/inplace/state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOLD_MAX 10 /* paths that a report names */

/* Beside the files that were set aside: on the work tree's file system. */
static char *taken_root(const struct pn_inplace *run)
{
	char *aside = pn_inplace_aside(run, "");
	struct pn_buf root = {0};

	pn_buf_printf(&root, "%.*s/taken", (int)(strrchr(aside, '/') - aside),
		      aside);
	free(aside);
	return pn_buf_detach(&root);
}

int pn_inplace_take(struct pn_inplace *run, const char *path,
		    struct pn_error *err)
{
	char *from = pn_inplace_in_tree(run, path), *root = taken_root(run);
	int code = pn_inplace_reach(run, path, err);
	struct pn_buf to = {0};
	struct stat st;

	pn_buf_printf(&to, "%s/%u/%s", root, run->takes, path);
	if (code > 0)
		code = pn_file_look(&st, from, err);
	if (code > 0 && S_ISDIR(st.st_mode))
		code = pn_inplace_remove(run, from, AT_REMOVEDIR)
			       ? pn_inplace_leave(run, path, from, err)
			       : 0;
	else if (code > 0)
		code = pn_inplace_move(run, from, pn_buf_text(&to), err);
	pn_buf_release(&to);
	free(from);
	free(root);
	/* gone since the look: nothing has to give way */
	return code == PN_ENOTFOUND ? 0 : code;
}

struct settling {
	struct pn_inplace *run;
	const struct pn_listing *known;
	const char *root;	  /* taken/<n> */
	struct pn_listing unsure; /* not the bytes of any commit, */
	struct stat *were;	  /* and how each was found */
	size_t cap;
	struct pn_listing have;	  /* of the index before the checkout, */
	struct pn_listing edited; /* and those of it that differ */
	struct pn_error *err;
};

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
	       a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* 1: these bytes are a commit's, nothing is lost with the file. */
static int is_known(const struct settling *s, const char *path,
		    const char *full, const struct stat *st)
{
	size_t from = 0, to = s->known->count;
	struct pn_oid have;
	struct stat now;
	bool known = false;
	int code;

	if (!S_ISREG(st->st_mode) && !S_ISLNK(st->st_mode))
		return 0;
	code = pn_plan_hash(&have, full, st, s->err);
	if (code)
		return code;
	pn_listing_below(&from, &to, s->known, path);
	for (; from < to && !known; from++)
		known = !strcmp(s->known->items[from].path, path) &&
			pn_oid_equal(&s->known->items[from].oid, &have);
	/* who had it open may have written meanwhile */
	return known && !lstat(full, &now) && is_same_file(st, &now);
}

static void add_unsure(struct settling *s, const char *path,
		       const struct stat *st)
{
	pn_listing_put(&s->unsure, 0, &s->run->home, path);
	s->were = pn_grow(s->were, &s->cap, s->unsure.count, sizeof(*s->were));
	s->were[s->unsure.count - 1] = *st;
}

static int settle_file(struct settling *s, const char *path, const char *full,
		       const struct stat *st)
{
	int known = is_known(s, path, full, st);

	if (!known)
		add_unsure(s, path, st);
	else if (known > 0 && unlink(full))
		known = pn_error_system(s->err, "cannot remove '%s'", full);
	return known < 0 ? known : 0;
}

/* `path` below s->root, "" for itself. */
static int settle_dir(struct settling *s, const char *path)
{
	struct pn_buf dir = {0};
	struct dirent *entry;
	DIR *stream;
	int code = 0;

	pn_buf_printf(&dir, "%s%s%s", s->root, *path ? "/" : "", path);
	stream = opendir(pn_buf_text(&dir));
	while (!code && stream && (errno = 0, entry = readdir(stream))) {
		struct pn_buf below = {0}, full = {0};
		const char *name = entry->d_name;
		struct stat st;

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		pn_buf_printf(&below, "%s%s%s", path, *path ? "/" : "", name);
		pn_buf_printf(&full, "%s/%s", pn_buf_text(&dir), name);
		if (lstat(pn_buf_text(&full), &st))
			code = pn_error_system(s->err, "cannot read '%s'",
					       pn_buf_text(&full));
		else if (S_ISDIR(st.st_mode))
			code = settle_dir(s, pn_buf_text(&below));
		else
			code = settle_file(s, pn_buf_text(&below),
					   pn_buf_text(&full), &st);
		pn_buf_release(&below);
		pn_buf_release(&full);
	}
	if (!code && errno)
		code = pn_error_system(s->err, "cannot read folder '%s'",
				       pn_buf_text(&dir));
	if (stream)
		closedir(stream);
	if (!code)
		rmdir(pn_buf_text(&dir));
	pn_buf_release(&dir);
	return code;
}

static int ask_names(struct pn_listing *out, const struct settling *s,
		     const char *const *args)
{
	char *index = pn_inplace_path(s->run, PN_INPLACE_BEFORE);
	struct pn_buf text = {0};
	const char *at, *end;
	int code = pn_inplace_git(&text, NULL, s->run, index, args, s->err);

	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1)
		pn_listing_put(out, 0, &s->run->home, at);
	pn_listing_sort(out);
	pn_buf_release(&text);
	free(index);
	return code;
}

/* Where git converts (line ends, filters) the bytes are not the commit's; then
 * the index from before the checkout knows what git wrote. A rename changes
 * nothing of what it looks at but st_ctim. */
static int ask_index(struct settling *s)
{
	char *index = pn_inplace_path(s->run, PN_INPLACE_BEFORE);
	struct pn_buf tree = {0};
	const char *const differ[] = {"-c",
				      "core.trustctime=false",
				      NULL,
				      "diff-files",
				      "-z",
				      "--name-only",
				      "--ignore-submodules=all",
				      NULL};
	const char *const list[] = {"ls-files", "-z", NULL};
	const char *args[sizeof(differ) / sizeof(*differ)];
	struct stat st;
	int code = pn_file_look(&st, index, s->err);

	memcpy(args, differ, sizeof(differ));
	pn_buf_printf(&tree, "--work-tree=%s", s->root);
	args[2] = pn_buf_text(&tree);
	if (code > 0) {
		code = ask_names(&s->have, s, list);
		if (!code)
			code = ask_names(&s->edited, s, args);
	}
	pn_buf_release(&tree);
	free(index);
	return code;
}

static int keep_file(struct settling *s, const char *path, const char *full)
{
	struct pn_inplace *run = s->run;
	int code = pn_inplace_leave(run, path, full, s->err);

	if (!code && run->told++ < TOLD_MAX)
		pn_inplace_note(run,
				"'%s' was changed while a commit was checked "
				"out; it is kept in '%s'",
				path, run->leftovers);
	return code;
}

static int settle_unsure(struct settling *s)
{
	struct pn_error ignored;
	struct pn_error *err = s->err;
	size_t i;
	int code = 0;

	s->err = &ignored;
	if (s->unsure.count && ask_index(s)) /* then all of it is kept */
		pn_listing_release(&s->have);
	s->err = err;
	for (i = 0; !code && i < s->unsure.count; i++) {
		const char *path = s->unsure.items[i].path;
		struct pn_buf full = {0};
		struct stat now;

		pn_buf_printf(&full, "%s/%s", s->root, path);
		if (!pn_listing_find(&s->have, path) ||
		    pn_listing_find(&s->edited, path) ||
		    lstat(pn_buf_text(&full), &now) ||
		    !is_same_file(&s->were[i], &now))
			code = keep_file(s, path, pn_buf_text(&full));
		else if (unlink(pn_buf_text(&full)))
			code = pn_error_system(s->err, "cannot remove '%s'",
					       pn_buf_text(&full));
		pn_buf_release(&full);
	}
	return code;
}

static int settle_one(struct pn_inplace *run, const struct pn_listing *known,
		      const char *root, struct pn_error *err)
{
	struct settling s = {
		.run = run, .known = known, .root = root, .err = err};
	int code = settle_dir(&s, "");

	bool again = s.unsure.count > 0;

	if (!code && again)
		code = settle_unsure(&s);
	if (!code && again) /* folders that are empty only now */
		code = settle_dir(&s, "");
	free(s.were);
	pn_listing_release(&s.unsure);
	pn_listing_release(&s.have);
	pn_listing_release(&s.edited);
	return code;
}

int pn_inplace_settle(struct pn_inplace *run, const struct pn_listing *known,
		      struct pn_error *err)
{
	char *root = taken_root(run);
	unsigned int n;
	struct stat st;
	int code = pn_file_look(&st, root, err);

	for (n = 0; code > 0 && n <= PN_INPLACE_TAKES_MAX; n++) {
		struct pn_buf dir = {0};

		pn_buf_printf(&dir, "%s/%u", root, n);
		code = pn_file_look(&st, pn_buf_text(&dir), err);
		if (code > 0)
			code = settle_one(run, known, pn_buf_text(&dir), err);
		code = code < 0 ? code : 1;
		pn_buf_release(&dir);
	}
	rmdir(root);
	free(root);
	run->takes = 0;
	return code < 0 ? code : 0;
}
