/*
 * Who writes a commit. libgit2 does not know the variables of git-commit(1),
 * COMMIT INFORMATION: where one of these is set, git is asked, but for what it
 * would give back as it is.
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

/* git takes these from both ends of a name, and some from within. */
static bool is_plain(const char *text)
{
	static const char crud[] = ".,:;<>\"\\'";
	size_t len = strlen(text);
	const char ends[] = {text[0], len ? text[len - 1] : '\0'};
	int i;

	for (i = 0; i < 2; i++)
		if ((unsigned char)ends[i] <= ' ' || strchr(crud, ends[i]))
			return false;
	return !text[strcspn(text, "<>\n")];
}

/* Seconds since 1970 and a zone, git's own form: "[@]<digits> <+|->hhmm"; nine
 * or ten digits below 4,000,000,000, which are no other date. */
static bool is_plain_date(const char *text)
{
	size_t digits = strspn(text += *text == '@', "0123456789");
	const char *zone = text + digits;

	if (*text == '0' || digits < 9 || digits > 10 ||
	    (digits == 10 && *text > '3'))
		return false;
	return zone[0] == ' ' && zone[1] && strchr("+-", zone[1]) &&
	       strspn(zone + 2, "0123456789") == 4 && !zone[6] &&
	       zone[2] <= '1' && zone[4] <= '5' &&
	       strncmp(zone, " -00", 4) != 0;
}

static int add_now(struct pn_buf *out, struct pn_error *err)
{
	git_signature *now = NULL;
	int minutes;

	if (git_signature_now(&now, "x", "x") < 0)
		return pn_git_fail(err, PN_EIO, "cannot read the clock");
	minutes = now->when.offset < 0 ? -now->when.offset : now->when.offset;
	pn_buf_printf(out, "%lld %c%02d%02d", (long long)now->when.time,
		      now->when.offset < 0 ? '-' : '+', minutes / 60,
		      minutes % 60);
	git_signature_free(now);
	return 0;
}

/* `name`: of the variables, in the order name, address, date. */
static bool is_given(const char *const *name)
{
	const char *who = getenv(name[0]), *mail = getenv(name[1]);
	const char *date = getenv(name[2]);

	return who && mail && is_plain(who) && is_plain(mail) &&
	       (!date || is_plain_date(date));
}

static int given_ident(struct pn_buf *out, const char *const *name,
		       struct pn_error *err)
{
	const char *date = getenv(name[2]);

	pn_buf_printf(out, "%s <%s> ", getenv(name[0]), getenv(name[1]));
	if (!date)
		return add_now(out, err);
	pn_buf_add_text(out, date + (*date == '@'));
	return 0;
}

static int own_ident(struct pn_buf *out, struct pn_repo *repo, bool committer,
		     struct pn_error *err)
{
	char *name = NULL, *mail = NULL;
	int code;

	code = config_or(&name, repo,
			 committer ? "committer.name" : "author.name",
			 "user.name", FALLBACK_NAME, err);
	if (!code)
		code = config_or(&mail, repo,
				 committer ? "committer.email" : "author.email",
				 "user.email", FALLBACK_MAIL, err);
	if (!code) {
		add_clean(out, name);
		pn_buf_add_text(out, " <");
		add_clean(out, mail);
		pn_buf_add_text(out, "> ");
		code = add_now(out, err);
	}
	free(name);
	free(mail);
	return code;
}

int pn_identity(struct pn_buf *out, struct pn_repo *repo, bool committer,
		struct pn_error *err)
{
	/* as is_given() has them */
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

	if (is_given(committer ? of_committer : of_author))
		return given_ident(out, committer ? of_committer : of_author,
				   err);
	if (pn_config_any_set(committer ? of_committer : of_author))
		code = pn_child_ask(&text, said, &status, repo, argv, err);
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
