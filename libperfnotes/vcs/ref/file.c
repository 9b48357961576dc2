/*
 * A ref as a file: "<ref>.lock" is made, which only one can, the old value is
 * compared, the new one written beside it and renamed, as git's
 * refs/files-backend.c does.
 */
#include "vcs/ref/ref.h"

#include "base/alloc.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OURS "refs/notes/"
#define REF_TEXT (PN_OID_HEX + 1) /* with its line feed */

struct move {
	struct pn_repo *repo;
	struct pn_buf path, lock, log;
	int fd;	    /* of the lock file */
	int log_fd; /* -1: no reflog is kept */
};

/* Up to `size` bytes of a regular file; -1 with errno. */
static ssize_t read_start(char *out, size_t size, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, out, size);
	close(fd);
	return n;
}

/* HEAD's own reflog would have to say it, too. */
static bool is_head(struct pn_repo *repo, const char *ref)
{
	struct pn_buf path = {0}, want = {0};
	char text[1024];
	ssize_t n;
	bool is;

	pn_buf_printf(&path, "%s/HEAD", repo->git_dir);
	pn_buf_printf(&want, "ref: %s", ref);
	n = read_start(text, sizeof(text), pn_buf_text(&path));
	is = repo->head_by_git || n <= 0 ||
	     ((size_t)n >= want.len && !memcmp(text, want.data, want.len));
	pn_buf_release(&path);
	pn_buf_release(&want);
	return is;
}

/* Whether git would begin a reflog for a note's ref. */
static bool wants_log(struct pn_repo *repo)
{
	char *value = NULL;
	bool wants;

	if (pn_repo_config(&value, repo, "core.logAllRefUpdates", NULL))
		return true;
	wants = value ? strcmp(value, "false") != 0
		      : !git_repository_is_bare(repo->git);
	free(value);
	return wants;
}

/* A reflog that is there goes on, whatever is configured. With the lock held:
 * git-reflog(1) expire and git-gc(1) put another file in its place, under the
 * same lock. */
static int open_log(struct move *m)
{
	m->log_fd = open(pn_buf_text(&m->log),
			 O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
	if (m->log_fd >= 0)
		return 0;
	return errno == ENOENT && !wants_log(m->repo) ? 0 : GIT_PASSTHROUGH;
}

static int compare(const struct move *m, const struct pn_oid *old)
{
	char text[REF_TEXT + 1] = "";
	struct pn_oid now;
	ssize_t n = read_start(text, sizeof(text), pn_buf_text(&m->path));

	if (n != REF_TEXT || text[PN_OID_HEX] != '\n' ||
	    pn_oid_parse(&now, text))
		return GIT_PASSTHROUGH;
	return pn_oid_equal(&now, old) ? 0 : GIT_EMODIFIED;
}

static int write_log(const struct move *m, const struct pn_oid *old,
		     const struct pn_oid *to, const char *ident,
		     const char *subject)
{
	char from[PN_OID_HEX + 1], hex[PN_OID_HEX + 1];
	struct pn_buf line = {0};
	off_t before;
	int result;

	if (m->log_fd < 0)
		return 0;
	before = lseek(m->log_fd, 0, SEEK_END);
	pn_oid_hex(from, old);
	pn_oid_hex(hex, to);
	pn_buf_printf(&line, "%s %s %s\t%s\n", from, hex, ident, subject);
	result = pn_file_write_all(m->log_fd, line.data, line.len);
	pn_buf_release(&line);
	/* half a line would spoil the next one, too */
	if (result && before >= 0)
		result = ftruncate(m->log_fd, before) ? -1 : result;
	return result;
}

static int fill_lock(const struct move *m, const struct pn_oid *to)
{
	char hex[PN_OID_HEX + 1];
	int shared = 0;

	pn_oid_hex(hex, to);
	hex[PN_OID_HEX] = '\n';
	if (pn_file_write_all(m->fd, hex, REF_TEXT) || pn_file_sync(m->fd) ||
	    pn_shared_mode(&shared, m->repo, NULL) ||
	    pn_shared_apply(pn_buf_text(&m->lock), shared, NULL))
		return GIT_PASSTHROUGH;
	return 0;
}

/* A power cut must not take back what was said to be there. */
static int sync_name(const struct move *m, struct pn_error *err)
{
	const char *path = pn_buf_text(&m->path);

	if (!pn_file_sync_folder_of(path))
		return 0;
	pn_error_system(err, "'%s' has moved, but cannot be synced", path);
	return GIT_EUSER;
}

/* With the lock file made. */
static int move_locked(struct move *m, const struct pn_oid *old,
		       const struct pn_oid *to, const char *ident,
		       const char *subject, struct pn_error *err)
{
	int result = open_log(m);

	if (!result)
		result = compare(m, old);
	if (!result)
		result = fill_lock(m, to);
	if (!result && (write_log(m, old, to, ident, subject) ||
			rename(pn_buf_text(&m->lock), pn_buf_text(&m->path))))
		result = GIT_PASSTHROUGH;
	if (!result)
		return sync_name(m, err);
	unlink(pn_buf_text(&m->lock));
	return result;
}

static size_t last_slash(const char *text)
{
	const char *slash = strrchr(text, '/');

	return slash ? (size_t)(slash - text) : 0;
}

int pn_ref_sync(struct pn_repo *repo, const char *ref, struct pn_error *err)
{
	struct pn_buf path = {0};
	int fd, code = 0;

	pn_buf_printf(&path, "%s/%s", repo->common_dir, ref);
	fd = open(pn_buf_text(&path), O_RDONLY | O_CLOEXEC);
	/* without a file it was packed meanwhile, which git syncs */
	if (fd >= 0 ? pn_file_sync(fd) : errno != ENOENT)
		code = -1;
	while (!code && path.len > strlen(repo->common_dir)) {
		code = pn_file_sync_folder_of(pn_buf_text(&path));
		/* git deletes folders of refs that are empty */
		if (code && errno == ENOENT)
			code = 0;
		path.len = strlen(repo->common_dir) +
			   last_slash(pn_buf_text(&path) +
				      strlen(repo->common_dir));
		path.data[path.len] = '\0';
	}
	if (code)
		code = pn_error_system(
			err, "'%s' has moved, but cannot be synced", ref);
	if (fd >= 0)
		close(fd);
	pn_buf_release(&path);
	return code;
}

int pn_ref_move_file(struct pn_repo *repo, const char *ref,
		     const struct pn_oid *old, const struct pn_oid *to,
		     const char *ident, const char *subject,
		     struct pn_error *err)
{
	struct move m = {.repo = repo, .fd = -1, .log_fd = -1};
	int result = GIT_PASSTHROUGH;

	if (strncmp(ref, OURS, strlen(OURS)) != 0 || is_head(repo, ref))
		return GIT_PASSTHROUGH;
	pn_buf_printf(&m.path, "%s/%s", repo->common_dir, ref);
	pn_buf_printf(&m.lock, "%s.lock", pn_buf_text(&m.path));
	pn_buf_printf(&m.log, "%s/logs/%s", repo->common_dir, ref);
	m.fd = open(pn_buf_text(&m.lock),
		    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (m.fd >= 0)
		result = move_locked(&m, old, to, ident, subject, err);
	else if (errno == EEXIST)
		result = GIT_ELOCKED;
	if (m.fd >= 0)
		close(m.fd);
	if (m.log_fd >= 0)
		close(m.log_fd);
	pn_buf_release(&m.path);
	pn_buf_release(&m.lock);
	pn_buf_release(&m.log);
	return result;
}
