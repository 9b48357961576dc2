/*
 * While a commit is measured, index and HEAD are the run's: git in another
 * terminal writes to them nevertheless. What only they have is kept by a ref
 * before they are replaced: what is staged as a commit on top of HEAD, HEAD's
 * commits as they are. Names come from what is kept: who is killed here and
 * begins again makes the same ref.
 */
#include "vcs/inplace/meanwhile.h"

#include "base/alloc.h"
#include "base/file.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/identity.h"
#include "vcs/objects/objects.h"
#include "vcs/ref/ref.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KEPT "refs/perf/kept/"
#define MERGE "MERGE_HEAD"
#define TOLD "told"	  /* lines of the report, for who comes after a kill */
#define MERGING "merging" /* MERGE_HEAD as the run found it */
#define USERS "users"	  /* copy of the index that the user has written */
#define HEAD_MAX 4096
#define SMALL_MAX (1u << 20)
#define TOLD_MAX 10 /* builds may stage something at each commit */
#define SHORT 12    /* digits of an id in the name of a ref */

static void tell(struct pn_inplace *run, const char *line)
{
	char *path = pn_inplace_path(run, TOLD);
	struct pn_buf text = {0};
	struct pn_error ignored;

	if (run->kept++ < TOLD_MAX) {
		pn_inplace_note(run, "%s", line);
		pn_file_read(&text, path, SMALL_MAX, NULL);
		pn_buf_printf(&text, "%s\n", line);
		pn_file_write(path, text.data, text.len, false, &ignored);
	} else if (run->kept == TOLD_MAX + 1) {
		pn_inplace_note(run, "more of that: git for-each-ref %s", KEPT);
	}
	pn_buf_release(&text);
	free(path);
}

int pn_meanwhile_load(struct pn_inplace *run, struct pn_error *err)
{
	char *path = pn_inplace_path(run, TOLD);
	int code = pn_file_read(&run->notes, path, SMALL_MAX, err);

	free(path);
	return code == PN_ENOTFOUND ? 0 : code;
}

/* Nothing else uses the name, so that no lock is waited for: index.lock is held
 * now. */
static int make_ref(const struct pn_inplace *run, const char *ref,
		    const struct pn_oid *to, struct pn_error *err)
{
	const struct pn_oid none = {{0}};
	struct pn_buf ident = {0};
	int64_t waited_us = 0;
	int code = pn_identity(&ident, run->repo, true, err);

	if (!code)
		code = pn_ref_move(&waited_us, run->repo, ref, &none, to,
				   pn_buf_text(&ident), "git perf", err);
	pn_buf_release(&ident);
	return code == PN_ECONFLICT ? 0 : code; /* it is kept already */
}

/* A commit of `tree` on top of `parent`. */
static int make_commit(const struct pn_inplace *run, const char *ref,
		       const struct pn_oid *tree, const struct pn_oid *parent,
		       struct pn_error *err)
{
	char tree_hex[PN_OID_HEX + 1], hex[PN_OID_HEX + 1];
	struct pn_objects objects = {.ref_follows = true};
	struct pn_buf text = {0};
	struct pn_oid id;
	int code;

	pn_oid_hex(tree_hex, tree);
	pn_oid_hex(hex, parent);
	pn_buf_printf(&text, "tree %s\nparent %s\nauthor ", tree_hex, hex);
	code = pn_identity(&text, run->repo, false, err);
	pn_buf_add_text(&text, "\ncommitter ");
	if (!code)
		code = pn_identity(&text, run->repo, true, err);
	pn_buf_printf(&text,
		      "\n\nstaged while git perf measured %.10s in place\n",
		      hex);
	if (!code) {
		pn_objects_add(&id, &objects, PN_OBJECT_COMMIT, text.data,
			       text.len);
		code = pn_objects_write(run->repo, &objects, err);
	}
	if (!code)
		code = make_ref(run, ref, &id, err);
	if (!code)
		pn_objects_published(&objects);
	pn_objects_release(&objects);
	pn_buf_release(&text);
	return code;
}

/* "refs/perf/kept/<parent>-<tree>" or "refs/perf/kept/<commit>" */
static char *kept_ref(const struct pn_oid *commit, const struct pn_oid *tree)
{
	char hex[PN_OID_HEX + 1];
	struct pn_buf ref = {0};

	pn_oid_hex(hex, commit);
	pn_buf_printf(&ref, KEPT "%.*s", SHORT, hex);
	if (tree) {
		pn_oid_hex(hex, tree);
		pn_buf_printf(&ref, "-%.*s", SHORT, hex);
	}
	return pn_buf_detach(&ref);
}

static int keep_tree(struct pn_inplace *run, const struct pn_oid *tree,
		     const struct pn_oid *parent, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], *ref = kept_ref(parent, tree);
	struct pn_buf line = {0};
	int code = make_commit(run, ref, tree, parent, err);

	pn_oid_hex(hex, parent);
	pn_buf_printf(&line,
		      "what was staged while %.10s was checked out is kept: "
		      "'git cherry-pick -n %s' brings it, 'git update-ref -d "
		      "%s' removes it",
		      hex, ref, ref);
	if (!code)
		tell(run, pn_buf_text(&line));
	pn_buf_release(&line);
	free(ref);
	return code;
}

/* An index that is no tree, as one with conflicts, stays as a file. */
static int keep_file(struct pn_inplace *run, const char *from,
		     struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	struct pn_buf dir = {0}, to = {0}, line = {0};
	struct stat st;
	int n = 0, code;

	pn_oid_hex(hex,
		   pn_oid_is_zero(&run->current) ? &run->home : &run->current);
	pn_buf_printf(&dir, "%s/perf/leftovers/%s", run->repo->git_dir,
		      run->id);
	code = pn_file_make_dirs(pn_buf_text(&dir), err);
	do {
		pn_buf_clear(&to);
		pn_buf_printf(&to, "%s/index-%.10s", pn_buf_text(&dir), hex);
		if (n++)
			pn_buf_printf(&to, ".%d", n - 1);
	} while (!lstat(pn_buf_text(&to), &st));
	if (!code)
		code = pn_inplace_copy(from, pn_buf_text(&to), err);
	if (!code)
		code = pn_file_sync_names(pn_buf_text(&dir), err);
	pn_buf_printf(&line,
		      "the index that was written while %.10s was checked out "
		      "is kept as '%s': GIT_INDEX_FILE names it to git",
		      hex, pn_buf_text(&to));
	if (!code)
		tell(run, pn_buf_text(&line));
	pn_buf_release(&dir);
	pn_buf_release(&to);
	pn_buf_release(&line);
	return code;
}

static bool has_tree(const struct pn_inplace *run, const struct pn_oid *commit,
		     const struct pn_oid *tree)
{
	struct pn_commit_facts facts;

	return !pn_oid_is_zero(commit) &&
	       !pn_repo_commit_facts(&facts, run->repo, commit, NULL) &&
	       pn_oid_equal(&facts.tree, tree);
}

static int write_tree(struct pn_oid *out, const struct pn_inplace *run,
		      const char *index)
{
	static const char *const args[] = {"-c", PN_CHILD_FSYNC, "write-tree",
					   NULL};
	struct pn_buf text = {0};
	struct pn_error ignored;
	int code = pn_inplace_git(&text, NULL, run, index, args, &ignored);

	if (!code)
		code = text.len < PN_OID_HEX
			       ? PN_EINVAL
			       : pn_oid_parse(out, pn_buf_text(&text));
	pn_buf_release(&text);
	return code;
}

/* Of the copy of an index. */
static int keep(struct pn_inplace *run, const char *index, struct pn_error *err)
{
	struct pn_error ignored;
	struct pn_head head = {.unborn = true};
	struct pn_oid tree, parent;

	if (write_tree(&tree, run, index))
		return keep_file(run, index, err);
	if (pn_repo_head(&head, run->repo, &ignored) || head.unborn)
		head.commit = pn_oid_is_zero(&run->current) ? run->home
							    : run->current;
	parent = head.commit;
	if (has_tree(run, &parent, &tree) ||
	    has_tree(run, &run->current, &tree) ||
	    has_tree(run, &run->next, &tree))
		return 0;
	if (keep_tree(run, &tree, &parent, &ignored))
		return keep_file(run, index, err);
	return 0;
}

int pn_meanwhile_index(struct pn_inplace *run, struct pn_error *err)
{
	char *users = pn_inplace_path(run, USERS);
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s/" PN_INPLACE_INDEX, run->repo->git_dir);
	code = pn_inplace_copy(pn_buf_text(&path), users, err);
	if (!code)
		code = keep(run, users, err);
	pn_buf_release(&path);
	free(users);
	return code == PN_ENOTFOUND ? 0 : code; /* it has nothing */
}

/* 1 when a ref leads to the commit, 0 when none does or git cannot tell. */
static int is_reachable(const struct pn_inplace *run, const char *hex,
			bool with_head)
{
	static const char but_kept[] = "--exclude=" KEPT "*";
	const char *const args[] = {
		"rev-list", "--max-count=1",	       hex, "--not", but_kept,
		"--glob=*", with_head ? "HEAD" : NULL, NULL};
	struct pn_buf text = {0};
	struct pn_error ignored;
	int status = 0;
	int code = pn_inplace_git(&text, &status, run, NULL, args, &ignored);
	bool is = !code && !status && !text.len;

	pn_buf_release(&text);
	return is;
}

/* A ref to a commit that no other one leads to; its name, or NULL. */
static char *keep_commit(const struct pn_inplace *run,
			 const struct pn_oid *commit, bool with_head)
{
	char hex[PN_OID_HEX + 1], *ref = kept_ref(commit, NULL);
	struct pn_error ignored;

	pn_oid_hex(hex, commit);
	if (is_reachable(run, hex, with_head) ||
	    make_ref(run, ref, commit, &ignored)) {
		free(ref);
		return NULL;
	}
	return ref;
}

/* Whether HEAD's text is the run's, or the user's as it comes back. */
static bool is_expected(const struct pn_inplace *run, const char *text)
{
	char *own = pn_inplace_path(run, PN_INPLACE_HEAD);
	struct pn_buf users = {0};
	struct pn_oid id;
	bool is;

	is = (strlen(text) == PN_OID_HEX && !pn_oid_parse(&id, text) &&
	      (pn_oid_equal(&id, &run->current) ||
	       pn_oid_equal(&id, &run->next))) ||
	     (!pn_file_read(&users, own, HEAD_MAX, NULL) &&
	      strlen(text) == strcspn(pn_buf_text(&users), "\n") &&
	      !strncmp(text, pn_buf_text(&users), strlen(text)));
	pn_buf_release(&users);
	free(own);
	return is;
}

/* The first line of HEAD; the caller's. */
static char *read_head(const struct pn_inplace *run)
{
	struct pn_buf path = {0}, text = {0};
	char *line;

	pn_buf_printf(&path, "%s/HEAD", run->repo->git_dir);
	if (pn_file_read(&text, pn_buf_text(&path), HEAD_MAX, NULL))
		pn_buf_clear(&text);
	line = pn_strndup(pn_buf_text(&text),
			  strcspn(pn_buf_text(&text), "\n"));
	pn_buf_release(&path);
	pn_buf_release(&text);
	return line;
}

void pn_meanwhile_head(struct pn_inplace *run)
{
	char *now = read_head(run), *ref = NULL;
	struct pn_buf line = {0};
	struct pn_oid id;

	if (*now && !is_expected(run, now)) {
		if (strlen(now) == PN_OID_HEX && !pn_oid_parse(&id, now))
			ref = keep_commit(run, &id, false);
		pn_buf_printf(&line,
			      "HEAD was moved to '%s' during the run%s%s%s; it "
			      "is back where it was",
			      now, ref ? " (kept as '" : "", ref ? ref : "",
			      ref ? "')" : "");
		tell(run, pn_buf_text(&line));
	}
	free(ref);
	free(now);
	pn_buf_release(&line);
}

static int read_merge(struct pn_buf *out, const struct pn_inplace *run,
		      struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s/" MERGE, run->repo->git_dir);
	code = pn_file_read(out, pn_buf_text(&path), SMALL_MAX, err);
	pn_buf_release(&path);
	return code == PN_ENOTFOUND ? 0 : code;
}

int pn_meanwhile_remember(const struct pn_inplace *run, struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = read_merge(&text, run, err);

	if (!code && text.len)
		code = pn_inplace_put(run, MERGING, pn_buf_text(&text), err);
	pn_buf_release(&text);
	return code;
}

/* One that the run found is the user's as before. */
static void tell_merge(struct pn_inplace *run)
{
	char *path = pn_inplace_path(run, MERGING);
	struct pn_buf then = {0}, now = {0};
	struct pn_error ignored;

	pn_file_read(&then, path, SMALL_MAX, NULL);
	if (!read_merge(&now, run, &ignored) && now.len &&
	    strcmp(pn_buf_text(&then), pn_buf_text(&now)))
		tell(run, "a merge that was begun during the run waits for its "
			  "commit: 'git merge --quit' forgets it");
	pn_buf_release(&then);
	pn_buf_release(&now);
	free(path);
}

/* The branch of HEAD was moved or removed: index and files are those of the
 * commit where the run found it. */
static void tell_branch(struct pn_inplace *run)
{
	char from[PN_OID_HEX + 1], to[PN_OID_HEX + 1] = "", *ref;
	struct pn_head head = {.unborn = true};
	struct pn_buf line = {0};
	struct pn_error ignored;

	if (pn_repo_head(&head, run->repo, &ignored) ||
	    (!head.unborn && pn_oid_equal(&head.commit, &run->home)))
		return;
	pn_oid_hex(from, &run->home);
	if (!head.unborn)
		pn_oid_hex(to, &head.commit);
	ref = keep_commit(run, &run->home, true);
	pn_buf_printf(
		&line,
		"%s was at %.10s when the run began and %s%.10s now%s%s%s",
		*head.branch ? head.branch : "HEAD", from,
		head.unborn ? "is gone" : "is at ", to,
		ref ? "; the former is kept as '" : "", ref ? ref : "",
		ref ? "'" : "");
	tell(run, pn_buf_text(&line));
	free(ref);
	pn_buf_release(&line);
}

void pn_meanwhile_tell(struct pn_inplace *run)
{
	tell_branch(run);
	tell_merge(run);
}
