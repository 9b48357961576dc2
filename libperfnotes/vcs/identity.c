/*
 * Who writes a commit. libgit2 does not know the variables of git-commit(1),
 * COMMIT INFORMATION: where one of these is set, git is asked.
 */
#include "vcs/identity.h"

#include "base/alloc.h"
#include "vcs/child.h"
#include "vcs/config/config.h"
#include "vcs/git.h"

#include <stdlib.h>
#include <string.h>

#define FALLBACK_NAME "git-perf"
#define FALLBACK_MAIL "git-perf@localhost"

static int config_or(char **out, struct pn_repo *repo, const char *first,
		     const char *second, const char *fallback,
		     struct pn_error *err)
{
	int code = pn_repo_config(out, repo, first, err);

	if (!code && (!*out || !**out)) {
		free(*out);
		*out = NULL;
		code = pn_repo_config(out, repo, second, err);
	}
	if (!code && (!*out || !**out)) {
		free(*out);
		*out = pn_strdup(fallback);
	}
	return code;
}

/* What git takes out of a name: angle brackets and line ends. */
static void add_clean(struct pn_buf *out, const char *text)
{
	for (; *text; text++)
		if (*text != '<' && *text != '>' && *text != '\n')
			pn_buf_add_byte(out, (unsigned char)*text);
}

static int own_ident(struct pn_buf *out, struct pn_repo *repo, bool committer,
		     struct pn_error *err)
{
	char *name = NULL, *mail = NULL;
	git_signature *now = NULL;
	int code, minutes;

	code = config_or(&name, repo,
			 committer ? "committer.name" : "author.name",
			 "user.name", FALLBACK_NAME, err);
	if (!code)
		code = config_or(&mail, repo,
				 committer ? "committer.email" : "author.email",
				 "user.email", FALLBACK_MAIL, err);
	if (!code && git_signature_now(&now, "x", "x") < 0)
		code = pn_git_fail(err, PN_EIO, "cannot read the clock");
	if (!code) {
		minutes = now->when.offset < 0 ? -now->when.offset
					       : now->when.offset;
		add_clean(out, name);
		pn_buf_add_text(out, " <");
		add_clean(out, mail);
		pn_buf_printf(out, "> %lld %c%02d%02d",
			      (long long)now->when.time,
			      now->when.offset < 0 ? '-' : '+', minutes / 60,
			      minutes % 60);
	}
	git_signature_free(now);
	free(name);
	free(mail);
	return code;
}

int pn_identity(struct pn_buf *out, struct pn_repo *repo, bool committer,
		struct pn_error *err)
{
	static const char *const of_author[] = {
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
		"EMAIL", NULL};
	static const char *const of_committer[] = {
		"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
		"GIT_COMMITTER_DATE", "EMAIL", NULL};
	const char *argv[] = {
		"git", "var",
		committer ? "GIT_COMMITTER_IDENT" : "GIT_AUTHOR_IDENT", NULL};
	struct pn_buf text = {0};
	char said[1024] = "";
	int status = 1, code = 0;

	if (pn_config_any_set(committer ? of_committer : of_author))
		code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && !status && text.len) {
		if (text.data[text.len - 1] == '\n')
			text.len--;
		pn_buf_add(out, text.data, text.len);
	} else if (!code) {
		code = own_ident(out, repo, committer, err);
	}
	pn_buf_release(&text);
	return code;
}

int pn_who(struct pn_buf *out, struct pn_repo *repo, struct pn_error *err)
{
	struct pn_buf line = {0};
	const char *end;
	int code = pn_identity(&line, repo, true, err);

	end = code ? NULL : strrchr(pn_buf_text(&line), '>');
	if (end)
		pn_buf_add(out, pn_buf_text(&line),
			   (size_t)(end + 1 - pn_buf_text(&line)));
	pn_buf_release(&line);
	return code;
}
