/* Refs moved as git-update-ref(1) does it: looked at under the lock. */
#define _GNU_SOURCE
#include "near.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOVES_MAX 64
#define TRIES 100
#define WAIT_US 1000

static char *path_of(git_repository *repo, const char *folder, const char *ref,
		     const char *end)
{
	char *path;

	if (asprintf(&path, "%s%s%s%s", git_repository_commondir(repo), folder,
		     ref, end) < 0)
		abort();
	return path;
}

static void make_folders(char *path)
{
	size_t i;

	for (i = 1; path[i]; i++) {
		if (path[i] != '/')
			continue;
		path[i] = '\0';
		mkdir(path, 0777);
		path[i] = '/';
	}
}

static int lock(char *path)
{
	int fd, tries;

	for (tries = 0; tries < TRIES; tries++) {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return fd;
		if (errno == ENOENT)
			make_folders(path);
		else if (errno == EEXIST)
			usleep(WAIT_US);
		else
			return -1;
	}
	return -1;
}

static bool stands(git_repository *repo, const struct move *move)
{
	git_oid now;
	int code = git_reference_name_to_id(&now, repo, move->ref);

	if (code && code != GIT_ENOTFOUND)
		return false;
	if (!move->leased)
		return true;
	if (code)
		return git_oid_is_zero(&move->was);
	return git_oid_equal(&now, &move->was);
}

static void log_move(git_repository *repo, const struct move *move,
		     const char *message)
{
	git_signature *who;
	git_reflog *log;

	if (!message || strncmp(move->ref, "refs/notes/", 11) != 0 ||
	    git_repository_is_bare(repo))
		return;
	if (!git_signature_now(&who, "C O Mitter", "committer@example.com")) {
		if (!git_reflog_read(&log, repo, move->ref)) {
			if (!git_reflog_append(log, &move->to, who, message))
				git_reflog_write(log);
			git_reflog_free(log);
		}
		git_signature_free(who);
	}
}

/* Under its lock, which becomes the ref. */
static int settle(git_repository *repo, const struct move *move, int fd,
		  const char *lock_path, const char *message)
{
	char hex[GIT_OID_HEXSZ + 2] = "";
	char *path;
	int code;

	git_oid_fmt(hex, &move->to);
	hex[GIT_OID_HEXSZ] = '\n';
	if (write(fd, hex, GIT_OID_HEXSZ + 1) != GIT_OID_HEXSZ + 1)
		return -1;
	path = path_of(repo, "", move->ref, "");
	code = rename(lock_path, path);
	free(path);
	if (!code)
		log_move(repo, move, message);
	return code;
}

static int take_out(git_repository *repo, const struct move *move)
{
	git_reference *ref;
	int code = git_reference_lookup(&ref, repo, move->ref);

	if (code)
		return code == GIT_ENOTFOUND && !move->leased ? 0 : code;
	if (move->leased &&
	    !git_oid_equal(git_reference_target(ref), &move->was))
		code = -1;
	else
		code = git_reference_delete(ref);
	git_reference_free(ref);
	return code;
}

int near_move(git_repository *repo, const struct move *moves, size_t count,
	      const char *message)
{
	char *locks[MOVES_MAX] = {0};
	int fds[MOVES_MAX], code = count > MOVES_MAX ? -1 : 0;
	size_t i, n = 0;

	for (i = 0; !code && i < count; i++) {
		fds[i] = -1;
		n = i + 1;
		if (git_oid_is_zero(&moves[i].to)) {
			code = stands(repo, &moves[i]) ? 0 : -1;
			continue;
		}
		locks[i] = path_of(repo, "", moves[i].ref, ".lock");
		fds[i] = lock(locks[i]);
		code = fds[i] >= 0 && stands(repo, &moves[i]) ? 0 : -1;
	}
	for (i = 0; !code && i < count; i++)
		if (fds[i] >= 0)
			code = settle(repo, &moves[i], fds[i], locks[i],
				      message);
		else
			code = take_out(repo, &moves[i]);
	for (i = 0; i < n; i++) {
		if (fds[i] >= 0) {
			close(fds[i]);
			unlink(locks[i]);
		}
		free(locks[i]);
	}
	return code;
}
