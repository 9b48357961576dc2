/* Which commits a branch has. */
#include "vcs/walk/reach.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "vcs/child.h"
#include "vcs/git.h"

#include <string.h>

int pn_reach_from(bool *out, struct pn_repo *repo, const struct pn_oid *tip,
		  const struct pn_oid *commit, struct pn_error *err)
{
	char from[PN_OID_HEX + 1], to[PN_OID_HEX + 1], said[1024];
	const char *const argv[] = {"git", "merge-base", "--is-ancestor",
				    to,	   from,	 NULL};
	struct pn_buf text = {0};
	int status, code;

	if (pn_oid_equal(tip, commit)) {
		*out = true; /* after each push that had nothing to do */
		return 0;
	}
	pn_oid_hex(from, tip);
	pn_oid_hex(to, commit);
	code = pn_child_run(&text, said, &status, repo, argv, err);
	pn_buf_release(&text);
	if (!code)
		*out = !status;
	return code;
}

bool pn_reach_may_be_from(struct pn_repo *repo, const struct pn_oid *tip,
			  const struct pn_oid *commit)
{
	git_oid from, to;

	pn_git_to(&from, tip);
	pn_git_to(&to, commit);
	return git_graph_descendant_of(repo->git, &from, &to) != 0 ||
	       git_oid_equal(&from, &to);
}

bool pn_reach_lacks(const char *said)
{
	static const char *const words[] = {
		"missing",	     "bad object",    "bad tree",
		"necessary objects", "ould not read", "unable to read",
		"not a valid object"};
	static const char away[] = "ould not read from remote";
	const char *at;
	size_t i;

	/* a remote that is away has told nothing */
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		at = strstr(said, words[i]);
		if (at && strncmp(at, away, sizeof(away) - 1) != 0)
			return true;
	}
	return false;
}

int pn_reach_whole(bool *out, struct pn_repo *repo, const struct pn_oid *commit,
		   struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], said[1024] = "";
	const char *argv[7] = {"git", "rev-list", "--objects", "--quiet"};
	struct pn_buf text = {0};
	size_t n = 4;
	int status, code;

	*out = false;
	if (!pn_repo_has_object(repo, commit))
		return 0;
	pn_oid_hex(hex, commit);
	if (pn_repo_is_partial(repo))
		argv[n++] = "--exclude-promisor-objects";
	argv[n] = hex;
	code = pn_child_run(&text, said, &status, repo, argv, err);
	/* a child that somebody ended, or that had no memory, has told nothing
	 */
	if (!code && status && (status != 128 || !pn_reach_lacks(said)))
		code = pn_error_set(err, PN_EIO, "cannot look at commit %s: %s",
				    hex, pn_child_said(said));
	*out = !status;
	pn_buf_release(&text);
	return code;
}

/* git shows a commit where a clone ends as one without parents. */
static int list_ends(struct pn_buf *out, struct pn_repo *repo,
		     const struct pn_oid *tip, const struct pn_oid *without,
		     struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], not_of[PN_OID_HEX + 2] = "^", said[1024] = "";
	const char *argv[] = {"git", "rev-list", "--max-parents=0",
			      hex,   NULL,	 NULL};
	int status, code;

	pn_oid_hex(hex, tip);
	pn_oid_hex(not_of + 1, without);
	if (!pn_oid_is_zero(without))
		argv[4] = not_of;
	code = pn_child_run(out, said, &status, repo, argv, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "cannot look at commit %s: %s",
				    hex, pn_child_said(said));
	return code;
}

int pn_reach_is_cut(bool *out, struct pn_repo *repo, const struct pn_oid *tip,
		    const struct pn_oid *without, struct pn_error *err)
{
	struct pn_buf ends = {0}, shallow = {0}, path = {0};
	char hex[PN_OID_HEX + 1] = "";
	size_t at;
	int code;

	*out = false;
	if (!pn_repo_is_shallow(repo))
		return 0;
	pn_buf_printf(&path, "%s/shallow", pn_repo_common_dir(repo));
	code = pn_file_read(&shallow, pn_buf_text(&path), PN_CHILD_TEXT_MAX,
			    err);
	if (!code)
		code = list_ends(&ends, repo, tip, without, err);
	for (at = 0; !code && !*out && at + PN_OID_HEX < ends.len;
	     at += PN_OID_HEX + 1) {
		memcpy(hex, ends.data + at, PN_OID_HEX);
		*out = strstr(pn_buf_text(&shallow), hex) != NULL;
	}
	pn_buf_release(&ends);
	pn_buf_release(&shallow);
	pn_buf_release(&path);
	return code;
}

int pn_reach_branch(bool *out, struct pn_repo *repo,
		    const struct pn_oid *commit, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], said[1024];
	const char *const argv[] = {
		"git", "for-each-ref", "--count=1", "--contains",
		hex,   "refs/heads",   NULL};
	struct pn_buf text = {0};
	int status, code;

	pn_oid_hex(hex, commit);
	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code)
		*out = !status && text.len > 0;
	pn_buf_release(&text);
	return code;
}

int pn_reach_common(struct pn_oid *out, struct pn_repo *repo,
		    const struct pn_oid *a, const struct pn_oid *b,
		    struct pn_error *err)
{
	char one[PN_OID_HEX + 1], two[PN_OID_HEX + 1], said[1024];
	const char *const argv[] = {"git", "merge-base", one, two, NULL};
	struct pn_buf text = {0};
	int status, code;

	pn_oid_hex(one, a);
	pn_oid_hex(two, b);
	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && !status && text.len > PN_OID_HEX) {
		pn_buf_cut(&text, PN_OID_HEX);
		code = pn_oid_parse(out, pn_buf_text(&text))
			       ? pn_error_set(err, PN_EINVAL,
					      "git merge-base gave no commit")
			       : 1;
	}
	pn_buf_release(&text);
	return code;
}

/* How many commits of first parents a range has. */
static int count_range(size_t *out, struct pn_repo *repo, const char *range,
		       struct pn_error *err)
{
	struct pn_buf text = {0};
	const char *argv[] = {"git", "rev-list", "--count", "--first-parent",
			      range, "--",	 NULL};
	char said[1024];
	int64_t count = 0;
	int status, code;

	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && !status && text.len)
		(void)pn_number_int(&count, pn_buf_text(&text), text.len - 1);
	*out = (size_t)count;
	pn_buf_release(&text);
	return code;
}

static int count_behind(size_t *out, struct pn_repo *repo, const char *tag,
			const char *hex, struct pn_error *err)
{
	struct pn_buf range = {0};
	int code;

	pn_buf_printf(&range, "refs/tags/%s..%s", tag, hex);
	code = count_range(out, repo, pn_buf_text(&range), err);
	pn_buf_release(&range);
	return code;
}

int pn_reach_count(size_t *out, struct pn_repo *repo, const struct pn_oid *from,
		   const struct pn_oid *to, struct pn_error *err)
{
	char range[2 * PN_OID_HEX + 3];

	pn_oid_hex(range, from);
	memcpy(range + PN_OID_HEX, "..", 2);
	pn_oid_hex(range + PN_OID_HEX + 2, to);
	return count_range(out, repo, range, err);
}

int pn_reach_tag(char **tag, size_t *distance, struct pn_repo *repo,
		 const struct pn_oid *commit, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], said[1024];
	const char *const argv[] = {"git",	  "describe",	    "--tags",
				    "--abbrev=0", "--first-parent", hex,
				    NULL};
	struct pn_buf text = {0};
	int status, code;

	pn_oid_hex(hex, commit);
	*tag = NULL;
	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && !status && text.len > 1) {
		*tag = pn_strndup(pn_buf_text(&text), text.len - 1);
		code = count_behind(distance, repo, *tag, hex, err);
	}
	pn_buf_release(&text);
	return code;
}
