/* What a commit changes. */
#include "vcs/patch_id.h"

#include "vcs/child.h"
#include "vcs/walk/walk_all.h"

#include <stdio.h>
#include <string.h>

/* The changes, from the file of ids into another. */
static int write_changes(struct pn_repo *repo, FILE *ids, FILE *to,
			 struct pn_error *err)
{
	static const char *const argv[] = {
		"git",		 "--no-replace-objects",
		"diff-tree",	 "--stdin",
		"--root",	 "-p",
		"--no-ext-diff", "--no-textconv",
		"--no-color",	 NULL};
	struct pn_process_options options = pn_child_options(repo);
	struct pn_process process;
	int status = 0, code;

	options.in = fileno(ids);
	options.out = fileno(to);
	options.ends_with_us = true;
	code = pn_process_start(&process, argv, &options, err);
	if (!code)
		code = pn_process_wait(&status, &process, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO,
				    "git diff-tree failed: 'git fsck' says "
				    "why");
	return code;
}

/* "<patch id> <commit>" */
static void take_lines(struct pn_buf *out, const char *at)
{
	struct pn_patch_id pair;
	size_t len;

	for (; *at; at += len + (at[len] != '\0')) {
		len = strcspn(at, "\n");
		if (len == 2 * PN_OID_HEX + 1 &&
		    !pn_oid_parse(&pair.patch, at) &&
		    !pn_oid_parse(&pair.commit, at + PN_OID_HEX + 1))
			pn_buf_add(out, &pair, sizeof(pair));
	}
}

static int read_ids(struct pn_buf *out, struct pn_repo *repo, FILE *changes,
		    struct pn_error *err)
{
	static const char *const argv[] = {"git", "patch-id", "--stable", NULL};
	struct pn_process_options options = pn_child_options(repo);
	struct pn_buf text = {0};
	char said[1024] = "";
	int status = 0, code;

	options.in = fileno(changes);
	code = pn_process_capture(&text, said, &status, argv, &options,
				  PN_CHILD_TEXT_MAX, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "git patch-id failed: %s",
				    pn_child_said(said));
	if (!code)
		take_lines(out, pn_buf_text(&text));
	pn_buf_release(&text);
	return code;
}

int pn_patch_ids(struct pn_buf *out, struct pn_repo *repo,
		 const struct pn_buf *commits, struct pn_error *err)
{
	FILE *ids = tmpfile(), *changes = tmpfile();
	int code = 0;

	if (ids)
		pn_walk_write_ids(ids, "", commits);
	if (!ids || !changes || fflush(ids) || fseek(ids, 0, SEEK_SET))
		code = pn_error_system(err, "cannot write a temporary file");
	if (!code)
		code = write_changes(repo, ids, changes, err);
	if (!code && fseek(changes, 0, SEEK_SET))
		code = pn_error_system(err, "cannot read a temporary file");
	if (!code)
		code = read_ids(out, repo, changes, err);
	if (ids)
		fclose(ids);
	if (changes)
		fclose(changes);
	return code;
}
