/* Refs of ours below one place. */
#include "vcs/ref/list.h"

#include "base/strtab.h"
#include "vcs/child.h"
#include "vcs/child_lock.h"
#include "vcs/git.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define TRIES 5	     /* while others make refs */
#define LOCK ".lock" /* no ref's name ends so, git-check-ref-format(1) */

/* What is listed, and a path of a file or folder below the common one. */
struct look {
	struct pn_repo *repo;
	struct pn_strtab listed;
	struct pn_buf path;
	size_t above; /* where the name of the ref begins in the path */
	bool missed;  /* one that can be read is not listed */
};

static bool is_passed(const char *name)
{
	size_t len = strlen(name), end = strlen(LOCK);

	return name[0] == '.' || (len > end && !strcmp(name + len - end, LOCK));
}

static int unread(const struct look *look, struct pn_error *err)
{
	if (errno == ENOENT)
		return 0;
	return pn_error_system(err, "cannot read '%s'",
			       pn_buf_text(&look->path));
}

/* One that is not listed went meanwhile or is damaged, which others tell; or
 * else came meanwhile, or could not be read, though it can be now. */
static int look_at_ref(struct look *look, struct pn_error *err)
{
	const char *name = pn_buf_text(&look->path) + look->above;
	struct pn_error why = {0};
	struct pn_oid id;
	uint32_t row;
	int valid = 0, code;

	if (pn_strtab_find(&row, &look->listed, name, strlen(name)) ||
	    git_reference_name_is_valid(&valid, name) || !valid)
		return 0;
	code = pn_repo_ref(&id, look->repo, name, &why);
	if (code == PN_EIO)
		return pn_error_set(err, code, "%s", why.message);
	if (code || pn_oid_is_zero(&id))
		return 0;
	look->missed = true;
	return pn_error_set(err, PN_EIO, "cannot list ref '%s'", name);
}

static int look_below(struct look *look, struct pn_error *err)
{
	DIR *dir = opendir(pn_buf_text(&look->path));
	size_t before = look->path.len;
	struct dirent *entry = NULL;
	struct stat st;
	int code = 0;

	if (!dir)
		return errno == ENOTDIR ? 0 : unread(look, err);
	while (!code && (errno = 0, entry = readdir(dir))) {
		if (is_passed(entry->d_name))
			continue;
		pn_buf_printf(&look->path, "/%s", entry->d_name);
		if (lstat(pn_buf_text(&look->path), &st))
			code = unread(look, err);
		else if (S_ISDIR(st.st_mode))
			code = look_below(look, err);
		else
			code = look_at_ref(look, err);
		pn_buf_cut(&look->path, before);
	}
	if (!code && !entry && errno)
		code = unread(look, err);
	closedir(dir);
	return code;
}

/* libgit2, as git, passes over a folder or file that it fails to read. */
static int look_for_others(bool *missed, const struct pn_buf *names,
			   struct pn_repo *repo, const char *prefix,
			   struct pn_error *err)
{
	const char *at = pn_buf_text(names), *end = at + names->len;
	struct look look = {.repo = repo};
	int code;

	for (; at < end; at += strlen(at) + 1)
		pn_strtab_add_text(&look.listed, at);
	pn_buf_printf(&look.path, "%s/", pn_repo_common_dir(repo));
	look.above = look.path.len;
	pn_buf_add(&look.path, prefix, strlen(prefix) - 1);
	code = look_below(&look, err);
	*missed = look.missed;
	pn_strtab_release(&look.listed);
	pn_buf_release(&look.path);
	return code;
}

static int list(bool *missed, struct pn_buf *out, struct pn_repo *repo,
		const char *prefix, size_t max, struct pn_error *err)
{
	git_reference_iterator *iter = NULL;
	struct pn_buf glob = {0};
	const char *name;
	size_t count = 0;
	int result;

	*missed = false;
	pn_buf_printf(&glob, "%s*", prefix);
	result = git_reference_iterator_glob_new(&iter, repo->git,
						 pn_buf_text(&glob));
	while (!result && count < max &&
	       !(result = git_reference_next_name(&name, iter))) {
		if (strncmp(name, prefix, strlen(prefix)) != 0)
			continue;
		pn_buf_add(out, name, strlen(name) + 1);
		count++;
	}
	git_reference_iterator_free(iter);
	pn_buf_release(&glob);
	if (result && result != GIT_ITEROVER)
		return pn_git_fail(err, PN_EIO, "cannot read refs '%s*'",
				   prefix);
	return count < max ? look_for_others(missed, out, repo, prefix, err)
			   : 0;
}

int pn_refs_list(struct pn_buf *out, struct pn_repo *repo, const char *prefix,
		 size_t max, struct pn_error *err)
{
	size_t before = out->len;
	bool missed;
	int code, tries = 0;

	do {
		pn_buf_cut(out, before);
		code = list(&missed, out, repo, prefix, max, err);
	} while (code && missed && ++tries < TRIES);
	return code;
}

int pn_refs_merged(struct pn_buf *out, struct pn_repo *repo, const char *prefix,
		   const struct pn_oid *tip, struct pn_error *err)
{
	char merged[PN_OID_HEX + 10] = "--merged=", said[1024] = "";
	const char *argv[] = {"git",  "for-each-ref", "--format=%(refname)%00",
			      merged, prefix,	      NULL};
	struct pn_buf text = {0};
	const char *at, *end;
	int status = 0, code;

	pn_oid_hex(merged + 9, tip);
	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "cannot read refs '%s': %s",
				    prefix, pn_child_said(said));
	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1) {
		while (*at == '\n')
			at++;
		if (at < end && *at)
			pn_buf_add(out, at, strlen(at) + 1);
	}
	pn_buf_release(&text);
	return code;
}

/* Lines of git-update-ref(1) --stdin: all or none. */
static int update(int *status, struct pn_repo *repo, const struct pn_buf *lines,
		  struct pn_error *err)
{
	static const char *const argv[] = {"git", "update-ref", "--no-deref",
					   "--stdin", NULL};
	struct pn_process_options options = pn_child_options(repo);
	struct pn_buf out = {0};
	char said[1024] = "";
	FILE *file = tmpfile();
	int code = 0;

	if (!file)
		return pn_error_system(err, "cannot make a temporary file");
	fwrite(lines->data, 1, lines->len, file);
	if (fflush(file) || fseek(file, 0, SEEK_SET))
		code = pn_error_system(err, "cannot write a temporary file");
	options.in = fileno(file);
	if (!code && lines->len)
		code = pn_process_capture(&out, said, status, argv, &options,
					  PN_CHILD_TEXT_MAX, err);
	if (!code && *status)
		code = pn_error_set(err, PN_EIO, "cannot take refs out: %s",
				    pn_child_said(said));
	fclose(file);
	pn_buf_release(&out);
	return code;
}

int pn_refs_delete(struct pn_repo *repo, const struct pn_buf *names,
		   struct pn_error *err)
{
	const char *at = pn_buf_text(names), *end = at + names->len;
	struct pn_child_lock deleting;
	struct pn_buf lines = {0};
	int status = 0, code;

	for (; at < end; at += strlen(at) + 1)
		pn_buf_printf(&lines, "delete %s\n", at);
	code = pn_child_lock_begin(&deleting, repo, PN_CHILD_REFS, err);
	if (!code)
		code = update(&status, repo, &lines, err);
	pn_child_lock_end(&deleting, status);
	pn_buf_release(&lines);
	return code;
}
