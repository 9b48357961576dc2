/* Refs of ours below one place. */
#include "vcs/ref/list.h"

#include "vcs/child.h"
#include "vcs/git.h"

#include <stdio.h>
#include <string.h>

int pn_refs_list(struct pn_buf *out, struct pn_repo *repo, const char *prefix,
		 size_t max, struct pn_error *err)
{
	git_reference_iterator *iter = NULL;
	struct pn_buf glob = {0};
	const char *name;
	size_t count = 0;
	int result;

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
	return 0;
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
static int update(struct pn_repo *repo, const struct pn_buf *lines,
		  struct pn_error *err)
{
	static const char *const argv[] = {"git", "update-ref", "--no-deref",
					   "--stdin", NULL};
	struct pn_process_options options = pn_child_options(repo);
	struct pn_buf out = {0};
	char said[1024] = "";
	FILE *file = tmpfile();
	int status = 0, code = 0;

	if (!file)
		return pn_error_system(err, "cannot make a temporary file");
	fwrite(lines->data, 1, lines->len, file);
	if (fflush(file) || fseek(file, 0, SEEK_SET))
		code = pn_error_system(err, "cannot write a temporary file");
	options.in = fileno(file);
	if (!code && lines->len)
		code = pn_process_capture(&out, said, &status, argv, &options,
					  PN_CHILD_TEXT_MAX, err);
	if (!code && status)
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
	struct pn_buf lines = {0};
	int code;

	for (; at < end; at += strlen(at) + 1)
		pn_buf_printf(&lines, "delete %s\n", at);
	code = update(repo, &lines, err);
	pn_buf_release(&lines);
	return code;
}
