/* What is asked of an open repository: HEAD, commits, blobs, refs. */
#include "vcs/repo.h"

#include "base/alloc.h"
#include "base/number.h"
#include "vcs/child.h"
#include "vcs/commit.h"
#include "vcs/git.h"
#include "vcs/objects/stored.h"
#include "vcs/ref/ref.h"
#include "vcs/replaced.h"
#include "vcs/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *pn_repo_git_dir(const struct pn_repo *repo)
{
	return repo->git_dir;
}

const char *pn_repo_common_dir(const struct pn_repo *repo)
{
	return repo->common_dir;
}

const char *pn_repo_work_dir(const struct pn_repo *repo)
{
	return repo->work_dir;
}

bool pn_repo_is_shallow(const struct pn_repo *repo)
{
	struct pn_buf path = {0};
	struct stat st;
	bool whole;

	/* libgit2 looks into a linked worktree's own folder. */
	pn_buf_printf(&path, "%s/shallow", repo->common_dir);
	whole = stat(pn_buf_text(&path), &st) ? errno == ENOENT : !st.st_size;
	pn_buf_release(&path);
	return !whole;
}

/* `git symbolic-ref` and `rev-parse` for a HEAD that libgit2 cannot see. */
static int head_by_git(struct pn_head *out, struct pn_repo *repo,
		       struct pn_error *err)
{
	static const char *const name[] = {"git",     "symbolic-ref", "-q",
					   "--short", "HEAD",	      NULL};
	static const char *const verify[] = {"git", "rev-parse",     "--verify",
					     "-q",  "HEAD^{commit}", NULL};
	struct pn_buf text = {0};
	struct pn_head head = {0};
	char said[1024] = "";
	int status, code;

	code = pn_child_run(&text, said, &status, repo, name, err);
	if (!code && !status && text.len) {
		size_t len = text.len - 1;

		if (len >= sizeof(head.branch))
			len = sizeof(head.branch) - 1;
		memcpy(head.branch, text.data, len);
	}
	pn_buf_clear(&text);
	if (!code)
		code = pn_child_run(&text, said, &status, repo, verify, err);
	if (!code && (status || text.len < PN_OID_HEX ||
		      pn_oid_parse(&head.commit, pn_buf_text(&text))))
		head.unborn = true;
	pn_buf_release(&text);
	if (!code)
		*out = head;
	return code;
}

static void set_branch(struct pn_head *head, const char *ref)
{
	size_t len;

	if (!strncmp(ref, "refs/heads/", 11))
		ref += 11;
	len = strlen(ref);
	if (len >= sizeof(head->branch))
		len = sizeof(head->branch) - 1;
	memcpy(head->branch, ref, len);
	head->branch[len] = '\0';
}

int pn_repo_head(struct pn_head *out, struct pn_repo *repo,
		 struct pn_error *err)
{
	git_reference *ref = NULL;
	const char *target = "HEAD";
	struct pn_head head = {0};
	git_oid id;
	int result, code = 0;

	if (repo->head_by_git)
		return head_by_git(out, repo, err);
	if (git_reference_lookup(&ref, repo->git, "HEAD") < 0)
		return pn_git_fail(err, PN_EINVAL, "cannot read HEAD");
	if (git_reference_type(ref) == GIT_REFERENCE_SYMBOLIC) {
		target = git_reference_symbolic_target(ref);
		set_branch(&head, target);
	}
	result = git_reference_name_to_id(&id, repo->git, "HEAD");
	if (result == GIT_ENOTFOUND)
		head.unborn = true;
	else if (result < 0)
		code = pn_ref_unreadable(repo, target, err);
	else
		pn_git_from(&head.commit, &id);
	git_reference_free(ref);
	if (!code)
		*out = head;
	return code;
}

/* git's answer to `rev-parse --verify`; out->len is 0 when it has none. */
static int rev_parse(struct pn_buf *out, char said[1024], struct pn_repo *repo,
		     const char *rev, struct pn_error *err)
{
	const char *const argv[] = {
		"git",	     "-c",	 "core.disambiguate=committish",
		"rev-parse", "--verify", "--end-of-options",
		rev,	     NULL};
	int status, code = pn_child_run(out, said, &status, repo, argv, err);

	if (!code && (status || out->len < PN_OID_HEX))
		pn_buf_clear(out);
	return code;
}

/* Of a branch without commits HEAD names none, and so do its ancestors. */
static int refuse(struct pn_repo *repo, const char *rev, struct pn_error *err)
{
	struct pn_head head = {0};
	bool none = (*rev == '@' || !strncmp(rev, "HEAD", 4)) &&
		    !pn_repo_head(&head, repo, NULL) && head.unborn;
	const char *why = "";

	if (none)
		why = ": there is no commit yet";
	else if (pn_repo_is_shallow(repo))
		why = " in this shallow clone ('git fetch --unshallow' gets "
		      "all)";
	return pn_error_set(err, PN_ENOTFOUND, "no such commit '%s'%s", rev,
			    why);
}

/* The commit that an object is or points to. */
static int peel(struct pn_oid *out, struct pn_repo *repo,
		const struct pn_oid *oid, const char *rev, struct pn_error *err)
{
	char hex[PN_OID_HEX + sizeof("^{commit}")], said[1024] = "";
	git_object_t type = GIT_OBJECT_INVALID;
	struct pn_buf text = {0};
	size_t len;
	int code, result = pn_stored_header(&len, &type, repo, oid);

	/* a whole id needs no object to be one */
	if (result == GIT_ENOTFOUND && strlen(rev) == PN_OID_HEX)
		return refuse(repo, rev, err);
	if (result < 0)
		return pn_git_fail(err, PN_ENOTFOUND, "cannot read '%s'", rev);
	if (type == GIT_OBJECT_COMMIT) {
		*out = *oid;
		return 0;
	}
	pn_oid_hex(hex, oid);
	memcpy(hex + PN_OID_HEX, "^{commit}", sizeof("^{commit}"));
	code = rev_parse(&text, said, repo, hex, err);
	if (!code && (!text.len || pn_oid_parse(out, pn_buf_text(&text))))
		code = pn_error_set(err, PN_EINVAL,
				    "'%s' is a %s, not a commit", rev,
				    git_object_type2string(type));
	pn_buf_release(&text);
	return code;
}

static int resolve_by_git(struct pn_oid *out, struct pn_repo *repo,
			  const char *rev, struct pn_error *err)
{
	struct pn_buf text = {0};
	char said[1024] = "";
	struct pn_oid found;
	int code = rev_parse(&text, said, repo, rev, err);

	if (code)
		goto out;
	if (text.len && !pn_oid_parse(&found, pn_buf_text(&text)))
		code = peel(out, repo, &found, rev, err);
	else if (strstr(said, "is ambiguous"))
		code = pn_error_set(err, PN_EAMBIGUOUS,
				    "'%s' fits more than one object", rev);
	else if (!strncmp(said, "error: ", 7))
		code = pn_error_set(err, PN_EIO, "cannot read '%s': %s", rev,
				    pn_child_said(said));
	else
		code = refuse(repo, rev, err);
out:
	pn_buf_release(&text);
	return code;
}

/* A whole id needs no search: batches name their commits so. */
static bool is_commit_id(struct pn_oid *out, struct pn_repo *repo,
			 const char *rev)
{
	struct pn_oid oid;

	if (strlen(rev) != PN_OID_HEX || pn_oid_parse(&oid, rev))
		return false;
	if (!pn_stored_is(repo, &oid, GIT_OBJECT_COMMIT, PN_COMMIT_MAX))
		return false;
	*out = oid;
	return true;
}

/* What a ref or an abbreviated id stands for, without a look at the object. */
static bool find_name(struct pn_oid *out, struct pn_repo *repo,
		      const char *name)
{
	git_reference *ref = NULL, *direct = NULL;
	size_t len = strlen(name);
	git_oid id, found;
	bool good;

	good = !git_reference_dwim(&ref, repo->git, name) &&
	       !git_reference_resolve(&direct, ref);
	if (good)
		pn_git_from(out, git_reference_target(direct));
	git_reference_free(ref);
	git_reference_free(direct);
	if (good || len < GIT_OID_MINPREFIXLEN || len >= PN_OID_HEX ||
	    git_oid_fromstrn(&id, name, len) ||
	    git_odb_exists_prefix(&found, pn_stored_odb(repo), &id, len))
		return good;
	pn_git_from(out, &found);
	return true;
}

/*
 * The commonest ways to name a commit: a ref or an abbreviated id, and "^" and
 * "~<n>" of first parents. False for all else, which is git's. Not by
 * git_revparse_single: see pn_stored_read for what that does on a cut object.
 */
static bool resolve_plain(struct pn_oid *out, struct pn_repo *repo,
			  const char *rev)
{
	size_t len = strcspn(rev, "~^");
	char *name = pn_strndup(rev, len);
	bool good = find_name(out, repo, name);
	struct pn_commit_facts facts;
	const char *at = rev + len;
	uint64_t steps;

	free(name);
	good = good && !pn_repo_commit_facts(&facts, repo, out, NULL);
	while (good && *at) {
		len = strspn(at + 1, "0123456789");
		steps = 1;
		good = !len || pn_number_uint(&steps, at + 1, len);
		good = good && (*at == '~' || (*at == '^' && steps <= 1));
		for (at += 1 + len; good && steps; steps--) {
			good = facts.parent_count > 0;
			*out = facts.first_parent;
			good = good &&
			       !pn_repo_commit_facts(&facts, repo, out, NULL);
		}
	}
	return good;
}

int pn_repo_resolve(struct pn_oid *out, struct pn_repo *repo, const char *rev,
		    struct pn_error *err)
{
	struct pn_oid found;

	if (!*rev)
		return pn_error_set(err, PN_EINVAL,
				    "an empty name names no commit");
	/* No revision begins so, and git would take it for an option. */
	if (*rev == '-')
		return pn_error_set(err, PN_ENOTFOUND, "no such commit '%s'",
				    rev);
	if (is_commit_id(out, repo, rev))
		return 0;
	if (!repo->head_by_git && resolve_plain(&found, repo, rev)) {
		*out = found;
		return 0;
	}
	/* Before it is called absent or ambiguous, git has the last word. */
	return resolve_by_git(out, repo, rev, err);
}

int pn_repo_commit_facts(struct pn_commit_facts *out, struct pn_repo *repo,
			 const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_oid read;

	pn_replaced(&read, repo, commit);
	return pn_commit_facts(out, NULL, NULL, repo, &read, err);
}

/* A large one is there once. */
static void take_own(struct pn_buf *out, struct pn_stored *object)
{
	memmove(object->own.data, object->bytes, object->len);
	object->own.len = object->len;
	object->own.data[object->len] = '\0';
	pn_buf_release(out);
	*out = object->own;
	memset(&object->own, 0, sizeof(object->own));
}

int pn_repo_read_blob(struct pn_buf *out, struct pn_repo *repo,
		      const struct pn_oid *oid, uint64_t limit,
		      struct pn_error *err)
{
	struct pn_stored object;
	int code =
		pn_stored_read(&object, repo, oid, GIT_OBJECT_BLOB, limit, err);

	if (code)
		return code;
	if (out->len || !object.own.len)
		pn_buf_add(out, object.bytes, object.len);
	else
		take_own(out, &object);
	pn_stored_release(&object);
	return 0;
}

bool pn_repo_has_object(struct pn_repo *repo, const struct pn_oid *oid)
{
	git_oid id;

	if (pn_packed_has(repo, oid) > 0)
		return true;
	pn_git_to(&id, oid);
	return git_odb_exists(pn_stored_odb(repo), &id) == 1;
}

bool pn_repo_ends_before(struct pn_repo *repo, const struct pn_oid *commit)
{
	return pn_repo_is_shallow(repo) && !pn_repo_has_object(repo, commit);
}

bool pn_repo_had_object(struct pn_repo *repo, const struct pn_oid *oid)
{
	git_oid id;

	if (pn_packed_has(repo, oid) > 0)
		return true;
	pn_git_to(&id, oid);
	return git_odb_exists_ext(pn_stored_odb(repo), &id,
				  GIT_ODB_LOOKUP_NO_REFRESH) == 1;
}

int pn_repo_is_dirty(bool *out, struct pn_repo *repo, struct pn_error *err)
{
	static const char *const argv[] = {"git",
					   "--no-optional-locks",
					   "status",
					   "--porcelain",
					   "--untracked-files=no",
					   "--no-renames",
					   "-z",
					   NULL};
	struct pn_buf text = {0};
	char said[1024] = "";
	int status, code;

	if (!repo->work_dir) {
		*out = false;
		return 0;
	}
	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO,
				    "cannot tell whether the work tree is "
				    "clean: %s",
				    pn_child_said(said));
	if (!code)
		*out = text.len > 0;
	pn_buf_release(&text);
	return code;
}

int pn_repo_maintain(struct pn_repo *repo, struct pn_error *err)
{
	static const char *const argv[] = {"git",    "maintenance", "run",
					   "--auto", "--quiet",	    NULL};
	struct pn_process_options options = pn_child_options(repo);
	struct pn_process process;

	/* A caller's pipe must not stay open, nor ^C end it halfway. */
	options.out = options.err = -1;
	options.own_group = true;
	return pn_process_start(&process, argv, &options, err);
}

void pn_repo_share(struct pn_repo *repo, const char *path)
{
	int shared;

	if (!pn_shared_mode(&shared, repo, NULL) && shared)
		pn_shared_apply(path, shared, NULL);
}

int pn_repo_ref(struct pn_oid *out, struct pn_repo *repo, const char *name,
		struct pn_error *err)
{
	git_oid id;
	int result = git_reference_name_to_id(&id, repo->git, name);

	if (result == GIT_ENOTFOUND) {
		memset(out, 0, sizeof(*out));
		return 0;
	}
	if (result < 0)
		return pn_ref_unreadable(repo, name, err);
	pn_git_from(out, &id);
	return 0;
}
