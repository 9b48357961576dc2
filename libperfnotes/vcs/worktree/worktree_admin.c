/* Folders of git for worktrees of ours: gitrepository-layout(5). */
#include "vcs/worktree/worktree_admin.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/hash.h"
#include "vcs/child.h"
#include "vcs/config/config.h"
#include "vcs/git.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "git-perf-"
#define REASON "git perf run measures here\n"
#define SMALL_MAX 8192
#define CONFIG_MAX (1u << 20)
#define TRIES 10 /* git removes the folder above when it is empty */

static int write_file(const char *dir, const char *name, const char *text,
		      size_t len, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s/%s", dir, name);
	code = pn_file_write(pn_buf_text(&path), text, len, false, err);
	pn_buf_release(&path);
	return code;
}

static bool file_is(const char *dir, const char *name, const char *text)
{
	struct pn_buf path = {0}, have = {0};
	struct stat st;
	bool is;

	pn_buf_printf(&path, "%s/%s", dir, name);
	is = !lstat(pn_buf_text(&path), &st) && S_ISREG(st.st_mode) &&
	     !pn_file_read(&have, pn_buf_text(&path), SMALL_MAX, NULL) &&
	     !strcmp(pn_buf_text(&have), text);
	pn_buf_release(&path);
	pn_buf_release(&have);
	return is;
}

/* Each of "gitdir" and ".git" as it is made. */
static char *back_link(const char *path)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "%s/.git\n", path);
	return pn_buf_detach(&text);
}

static char *link_to(const char *admin)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "gitdir: %s\n", admin);
	return pn_buf_detach(&text);
}

/* Take what is about the user's own files out of a copied config.worktree. */
static int forget_place(struct pn_repo *repo, const char *file,
			struct pn_error *err)
{
	static const char *const keys[] = {
		"core.sparseCheckout", "core.sparseCheckoutCone",
		"index.sparse", "core.worktree", "core.bare"};
	struct pn_buf dropped = {0};
	int status, code = 0;
	size_t i;

	for (i = 0; !code && i < sizeof(keys) / sizeof(*keys); i++) {
		const char *const argv[] = {"git", "config",	  "--file",
					    file,  "--unset-all", keys[i],
					    NULL};
		char said[1024] = "";

		code = pn_child_run(&dropped, said, &status, repo, argv, err);
		if (!code && status && status != 5) /* 5: it is not there */
			code = pn_error_set(err, PN_EIO,
					    "cannot change '%s': %s", file,
					    pn_child_said(said));
	}
	pn_buf_release(&dropped);
	return code;
}

/* The settings of the user's worktree are those of ours, too, but for where
 * its files are and which of them. */
static int copy_config(struct pn_repo *repo, const char *dir,
		       struct pn_error *err)
{
	struct pn_buf from = {0}, to = {0}, text = {0};
	char *enabled = NULL;
	bool has = false;
	int code =
		pn_config_own(&enabled, repo, "extensions.worktreeConfig", err);

	pn_buf_printf(&from, "%s/config.worktree", repo->git_dir);
	pn_buf_printf(&to, "%s/config.worktree", dir);
	if (!code && enabled) {
		code = pn_file_read(&text, pn_buf_text(&from), CONFIG_MAX, err);
		has = !code;
		code = code == PN_ENOTFOUND ? 0 : code;
	}
	if (has)
		code = pn_file_write(pn_buf_text(&to), text.data, text.len,
				     false, err);
	if (has && !code)
		code = forget_place(repo, pn_buf_text(&to), err);
	free(enabled);
	pn_buf_release(&from);
	pn_buf_release(&to);
	pn_buf_release(&text);
	return code;
}

static int fill(struct pn_repo *repo, const char *dir, const char *path,
		const struct pn_oid *commit, struct pn_error *err)
{
	char *link = back_link(path), head[PN_OID_HEX + 2];
	int code;

	pn_oid_hex(head, commit);
	head[PN_OID_HEX] = '\n';
	head[PN_OID_HEX + 1] = '\0';
	code = write_file(dir, "locked", REASON, strlen(REASON), err);
	if (!code)
		code = write_file(dir, "gitdir", link, strlen(link), err);
	if (!code)
		code = write_file(dir, "commondir", "../..\n", 6, err);
	if (!code)
		code = write_file(dir, "HEAD", head, strlen(head), err);
	if (!code)
		code = copy_config(repo, dir, err);
	free(link);
	return code;
}

static int put_in_place(const char *made, const char *above, const char *name,
			struct pn_error *err)
{
	int tries, failed = -1;

	for (tries = 0; failed && tries < TRIES; tries++) {
		failed = mkdir(above, 0777) && errno != EEXIST;
		if (!failed)
			failed = rename(made, name);
		if (failed && errno != ENOENT)
			break;
	}
	if (failed && errno == EXDEV)
		return pn_error_set(err, PN_EREFUSED,
				    "cannot rename '%s' to '%s': the two are "
				    "on different file systems",
				    made, name);
	return failed ? pn_error_system(err, "cannot make '%s'", name) : 0;
}

/* Where it is made: beside the worktree. */
static char *draft_of(const char *path)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "%s.admin", path);
	return pn_buf_detach(&text);
}

int pn_worktree_admin_make(char **out, struct pn_repo *repo, unsigned int slot,
			   const char *path, const struct pn_oid *commit,
			   struct pn_error *err)
{
	struct pn_buf above = {0}, name = {0};
	char *draft = draft_of(path), *link;
	int code = 0;

	pn_buf_printf(&above, "%s/worktrees", repo->common_dir);
	pn_buf_printf(&name, "%s/" PREFIX "%u-%016" PRIx64, pn_buf_text(&above),
		      slot, pn_hash_random());
	if (mkdir(draft, 0777))
		code = pn_error_system(err, "cannot make '%s'", draft);
	if (!code)
		code = fill(repo, draft, path, commit, err);
	pn_repo_share(repo, draft);
	if (!code)
		code = put_in_place(draft, pn_buf_text(&above),
				    pn_buf_text(&name), err);
	link = link_to(pn_buf_text(&name));
	if (!code)
		code = write_file(path, ".git", link, strlen(link), err);
	if (!code)
		*out = pn_strdup(pn_buf_text(&name));
	free(link);
	free(draft);
	pn_buf_release(&above);
	pn_buf_release(&name);
	return code;
}

/* Ours by its name; or by what it names, which was enough for git-perf 0.1. A
 * folder that names nothing yet is one that somebody is making. */
static bool is_of(const char *admin, const char *name, unsigned int slot,
		  const char *path)
{
	char prefix[32], *link = back_link(path);
	bool is;

	snprintf(prefix, sizeof(prefix), PREFIX "%u-", slot);
	is = (!strncmp(name, prefix, strlen(prefix)) &&
	      strspn(name + strlen(prefix), "0123456789abcdef") == 16 &&
	      strlen(name) == strlen(prefix) + 16) ||
	     file_is(admin, "gitdir", link);
	free(link);
	return is;
}

static int remove_each(DIR *stream, const char *dir, unsigned int slot,
		       const char *path, struct pn_error *err)
{
	struct dirent *entry;
	int code = 0;

	while (!code && (errno = 0, entry = readdir(stream)) != NULL) {
		struct pn_buf admin = {0};

		pn_buf_printf(&admin, "%s/%s", dir, entry->d_name);
		if (entry->d_name[0] != '.' &&
		    is_of(pn_buf_text(&admin), entry->d_name, slot, path))
			code = pn_folder_remove(pn_buf_text(&admin), err);
		pn_buf_release(&admin);
	}
	if (!code && errno)
		code = pn_error_system(err, "cannot read folder '%s'", dir);
	return code;
}

int pn_worktree_admin_remove(const struct pn_repo *repo, unsigned int slot,
			     const char *path, struct pn_error *err)
{
	struct pn_buf dir = {0};
	char *draft = draft_of(path);
	int code = pn_folder_remove(draft, err);
	DIR *stream;

	pn_buf_printf(&dir, "%s/worktrees", repo->common_dir);
	if (!code) {
		stream = opendir(pn_buf_text(&dir));
		if (stream)
			code = remove_each(stream, pn_buf_text(&dir), slot,
					   path, err);
		else if (errno != ENOENT)
			code = pn_error_system(err, "cannot read folder '%s'",
					       pn_buf_text(&dir));
		if (stream)
			closedir(stream);
	}
	/* it stays when it is empty: somebody may be about to use it */
	free(draft);
	pn_buf_release(&dir);
	return code;
}

int pn_worktree_admin_check(const char *admin, const char *path,
			    struct pn_error *err)
{
	char *link = link_to(admin), *back = back_link(path);
	int code = 0;

	if (!file_is(path, ".git", link))
		code = pn_error_set(err, PN_EREFUSED,
				    "'%s/.git' is not as it was made", path);
	else if (!file_is(admin, "gitdir", back) ||
		 !file_is(admin, "commondir", "../..\n"))
		code = pn_error_set(err, PN_EREFUSED,
				    "'%s' is not as it was made", admin);
	free(link);
	free(back);
	return code;
}
