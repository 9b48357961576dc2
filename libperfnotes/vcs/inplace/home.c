/*
 * The first commit's files come back as bytes. Without git, whose filters may
 * not be able to make a file any more (an absent key, a pruned cache, no
 * network), and whose conversions would change one that the user has as the
 * commit has it: what differs from the commit's bytes was set aside, so the
 * bytes are what was there. Nothing is written over, and what one file needs
 * does not keep another from coming back.
 */
#include "vcs/inplace/home.h"

#include "base/alloc.h"
#include "base/file.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/objects/stored.h"
#include "vcs/objects/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MISSING "missing"      /* the paths of what could not be written */
#define MEMORY_MAX (64u << 20) /* larger ones git writes to the file */

struct home {
	struct pn_room *room;
	struct pn_inplace *run;
	struct pn_listing files;
	struct pn_listing users; /* places that are not the commit's */
	struct pn_buf missing;	 /* paths, NUL each */
	struct timespec begun;	 /* when the plan was made */
	struct pn_error *err;	 /* the first one */
	int code;
};

static void home_release(struct home *h)
{
	pn_listing_release(&h->files);
	pn_listing_release(&h->users);
	pn_buf_release(&h->missing);
}

/* Zero, when that is not known: everything counts as younger. */
static void read_begun(struct home *h)
{
	char *path = pn_inplace_path(h->run, PN_INPLACE_PLAN);
	struct stat st;

	if (!h->run->elsewhere && !lstat(path, &st))
		h->begun = st.st_mtim;
	free(path);
}

/* Places of what is aside, of nothing, and of folders. */
static void list_users(struct home *h)
{
	const struct pn_plan *plan = &h->run->plan;
	size_t i;

	for (i = 0; i < plan->count; i++) {
		const struct pn_plan_item *item = &plan->items[i];

		if (item->kind == PN_PLAN_CHANGED ||
		    item->kind == PN_PLAN_EXTRA || item->kind == PN_PLAN_GONE)
			pn_listing_put(&h->users, 0, &h->run->home, item->path);
		else if (item->kind == PN_PLAN_DIR)
			pn_listing_put(&h->users, PN_MODE_TREE, &h->run->home,
				       item->path);
	}
	pn_listing_sort(&h->users);
}

/* What the user has in the place of a file of the commit, a folder for one,
 * comes back by itself, and must not make room for that file again. */
static bool is_users(const struct home *h, const struct pn_listed *item)
{
	const struct pn_listed *users = pn_listing_find(&h->users, item->path);

	return users &&
	       (users->mode != PN_MODE_TREE || item->mode != PN_MODE_GITLINK);
}

static int home_fill(struct home *h, struct pn_room *room, struct pn_error *err)
{

	h->room = room;
	h->run = room->run;
	h->err = err;
	read_begun(h);
	list_users(h);
	return pn_listing_add(&h->files, h->run->repo, &h->run->home, err);
}

/* Folders that no commit of the run needs any more. */
static void remove_parents(const struct home *h, const char *path)
{
	struct pn_buf dir = {0};
	char *at;

	pn_buf_add_text(&dir, path);
	while ((at = strrchr(pn_buf_text(&dir), '/'))) {
		size_t from = 0, to = h->files.count;
		char *full;
		int failed;

		at[1] = '\0';
		pn_listing_below(&from, &to, &h->files, pn_buf_text(&dir));
		if (from < to)
			break;
		*at = '\0';
		full = pn_inplace_in_tree(h->run, pn_buf_text(&dir));
		failed = pn_inplace_remove(h->run, full, AT_REMOVEDIR);
		free(full);
		if (failed)
			break;
	}
	pn_buf_release(&dir);
}

static int remove_other(const struct home *h, const char *path,
			const char *full, struct pn_error *err)
{
	struct stat st;
	int found = pn_file_look(&st, full, err);

	if (found <= 0 || S_ISDIR(st.st_mode))
		return found < 0 ? found : 0;
	return pn_room_make(h->room, path, full, err);
}

/* What only a measured commit has. It is in nobody's way; what fails is tried
 * once more, with the folder open. */
static void remove_others(struct home *h)
{
	const struct pn_listing *known = &h->room->known;
	struct pn_error why;
	size_t i;

	for (i = 0; i < known->count; i++) {
		const struct pn_listed *item = &known->items[i];
		char *full;

		if (item->mode == PN_MODE_GITLINK ||
		    pn_listing_find(&h->files, item->path) ||
		    !pn_room_is_reachable(h->run, item->path))
			continue;
		full = pn_inplace_in_tree(h->run, item->path);
		if (remove_other(h, item->path, full, &why)) {
			pn_inplace_open_folders(h->run, full);
			if (remove_other(h, item->path, full, &why))
				pn_inplace_stuck(h->run, full, &why);
		}
		remove_parents(h, item->path);
		free(full);
	}
}

static int write_large(int fd, const struct home *h, const struct pn_oid *oid,
		       struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(h->run->repo);
	char hex[PN_OID_HEX + 1];
	const char *const argv[] = {"git", "cat-file", "blob", hex, NULL};
	struct pn_process process;
	int status = 0, code;

	pn_oid_hex(hex, oid);
	options.out = fd;
	code = pn_process_start(&process, argv, &options, err);
	if (!code)
		code = pn_process_wait(&status, &process, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "cannot read blob '%s'", hex);
	return code;
}

/* In the folder `dir`, as all that comes back. */
static int write_file(const struct home *h, int dir,
		      const struct pn_listed *item,
		      const struct pn_stored *blob, const char *full,
		      struct pn_error *err)
{
	mode_t mode = item->mode == PN_MODE_PROGRAM ? 0777 : 0666;
	const char *name = pn_file_basename(full);
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			mode);
	int code = 0;

	if (fd < 0)
		return pn_error_system(err, "cannot create '%s'", full);
	if (!blob->bytes)
		code = write_large(fd, h, &item->oid, err);
	else if (pn_file_write_all(fd, blob->bytes, blob->len))
		code = pn_error_system(err, "cannot write '%s'", full);
	if (!code && pn_file_write_out(fd))
		code = pn_error_system(err, "cannot write '%s'", full);
	if (close(fd) && !code)
		code = pn_error_system(err, "cannot write '%s'", full);
	if (code)
		unlinkat(dir, name, 0);
	return code;
}

static int write_link(int dir, const struct pn_stored *blob, const char *full,
		      struct pn_error *err)
{
	char *target = pn_strndup((const char *)blob->bytes, blob->len);
	int code = 0;

	if (symlinkat(target, dir, pn_file_basename(full)))
		code = pn_error_system(err, "cannot create '%s'", full);
	free(target);
	return code;
}

static int write_item(struct home *h, int dir, const struct pn_listed *item,
		      const char *full, struct pn_error *err)
{
	struct pn_stored blob = {0};
	int code = pn_stored_read(&blob, h->run->repo, &item->oid,
				  GIT_OBJECT_BLOB, MEMORY_MAX, err);

	if (!code && !blob.bytes)
		blob.bytes = (const unsigned char *)"";
	if (code == PN_ELIMIT && item->mode != PN_MODE_SYMLINK)
		code = 0;
	if (!code)
		code = item->mode == PN_MODE_SYMLINK
			       ? write_link(dir, &blob, full, err)
			       : write_file(h, dir, item, &blob, full, err);
	pn_stored_release(&blob);
	return code;
}

static bool is_good(const struct pn_listed *item, const char *full)
{
	bool is_link = item->mode == PN_MODE_SYMLINK;
	bool runs = item->mode == PN_MODE_PROGRAM;
	struct pn_oid have;
	struct stat st;

	if (lstat(full, &st))
		return false;
	if (item->mode == PN_MODE_GITLINK)
		return S_ISDIR(st.st_mode);
	if (is_link ? !S_ISLNK(st.st_mode)
		    : !S_ISREG(st.st_mode) || !(st.st_mode & S_IXUSR) == runs)
		return false;
	return !pn_plan_hash(&have, full, &st, NULL) &&
	       pn_oid_equal(&have, &item->oid);
}

/* git has written it for the last commit that was measured, and waited for no
 * disk. */
static int sync_file(const struct home *h, const struct pn_listed *item,
		     const char *full, struct pn_error *err)
{
	struct stat st;
	int fd, code = 0;

	if (item->mode == PN_MODE_GITLINK || item->mode == PN_MODE_SYMLINK ||
	    lstat(full, &st) || st.st_ctim.tv_sec < h->begun.tv_sec)
		return 0;
	fd = open(full, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || pn_file_write_out(fd))
		code = pn_error_system(err, "cannot sync '%s'", full);
	if (fd >= 0)
		close(fd);
	return code;
}

/* One file of the commit to its place. */
static int bring_once(struct home *h, const struct pn_listed *item,
		      const char *full, struct pn_error *err)
{
	int dir = -1;
	int code = pn_inplace_open(&dir, h->run, full, true, err);

	if (!code)
		code = pn_room_make(h->room, item->path, full, err);
	if (!code && item->mode != PN_MODE_GITLINK)
		code = write_item(h, dir, item, full, err);
	else if (!code && mkdirat(dir, pn_file_basename(full), 0777))
		code = pn_error_system(err, "cannot create folder '%s'", full);
	if (dir >= 0)
		close(dir);
	return code;
}

static void bring_one(struct home *h, const struct pn_listed *item)
{
	char *full = pn_inplace_in_tree(h->run, item->path);
	struct pn_error why;
	int code = 0;

	if (!pn_room_is_reachable(h->run, item->path) || !is_good(item, full))
		code = bring_once(h, item, full, &why);
	else
		code = sync_file(h, item, full, &why);
	if (code && pn_inplace_open_folders(h->run, full))
		code = bring_once(h, item, full, &why);
	if (code) {
		pn_inplace_stuck(h->run, full, &why);
		pn_buf_add(&h->missing, item->path, strlen(item->path) + 1);
		if (!h->code)
			*h->err = why;
		h->code = h->code ? h->code : code;
	}
	free(full);
}

int pn_home_sync(const struct pn_inplace *run, struct pn_error *err)
{
	char *aside = pn_inplace_aside(run, "");
	struct pn_buf path = {0};
	int code = 0;

	pn_buf_printf(&path, "%s.synced", aside);
	if (run->elsewhere)
		code = pn_file_write(pn_buf_text(&path), "", 0, true, err);
	if (!code)
		code = pn_inplace_sync_tree(run, err);
	pn_buf_release(&path);
	free(aside);
	return code;
}

static int save_missing(struct home *h)
{
	char *path = pn_inplace_path(h->run, MISSING);
	int code = 0;

	if (h->missing.len)
		code = pn_file_write(path, h->missing.data, h->missing.len,
				     true, h->err);
	else
		unlink(path);
	free(path);
	return code;
}

int pn_home_bring(struct pn_room *room, struct pn_error *err)
{
	struct home h = {0};
	int later, code = home_fill(&h, room, err);
	size_t i;

	if (!code)
		remove_others(&h);
	for (i = 0; !code && i < h.files.count; i++)
		if (!is_users(&h, &h.files.items[i]))
			bring_one(&h, &h.files.items[i]);
	if (!code) {
		later = save_missing(&h);
		code = later ? later : pn_home_sync(room->run, err);
	}
	home_release(&h);
	return code;
}

int pn_home_bring_missing(struct pn_room *room, struct pn_error *err)
{
	char *path = pn_inplace_path(room->run, MISSING);
	const struct pn_listed *item;
	struct pn_buf text = {0};
	const char *at, *end;
	struct home h = {0};
	int code = pn_file_read(&text, path, PN_INPLACE_FILE_MAX, err);

	free(path);
	if (code)
		return code == PN_ENOTFOUND ? 0 : code;
	code = home_fill(&h, room, err);
	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1) {
		item = pn_listing_find(&h.files, at);
		if (item && !is_users(&h, item))
			bring_one(&h, item);
	}
	if (!code)
		code = save_missing(&h);
	code = code ? code : h.code;
	home_release(&h);
	pn_buf_release(&text);
	return code;
}
