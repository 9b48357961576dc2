/* All commits that a repository leads to. */
#include "vcs/walk/walk_all.h"

#include "base/alloc.h"
#include "base/number.h"
#include "vcs/child.h"
#include "vcs/walk/roots.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pn_walk_all {
	struct pn_process process;
	FILE *in, *out; /* what git reads; what it writes */
	FILE *said;	/* and what it says beside it */
	char *line;
	size_t cap;
	bool waited;
};

void pn_walk_write_ids(FILE *to, const char *mark, const struct pn_buf *ids)
{
	char hex[PN_OID_HEX + 1];
	struct pn_oid id;
	size_t at;

	for (at = 0; at < ids->len; at += PN_OID_BYTES) {
		memcpy(id.bytes, ids->data + at, PN_OID_BYTES);
		pn_oid_hex(hex, &id);
		fprintf(to, "%s%s\n", mark, hex);
	}
}

static int start(struct pn_walk_all **out, struct pn_repo *repo,
		 const char *const *words, const struct pn_buf *more,
		 const struct pn_buf *less, struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(repo);
	struct pn_walk_all *walk = pn_calloc(1, sizeof(*walk));
	int code = 0;

	walk->in = tmpfile();
	if (walk->in && more)
		pn_walk_write_ids(walk->in, "", more);
	if (walk->in && less)
		pn_walk_write_ids(walk->in, "^", less);
	walk->said = tmpfile();
	if (!walk->in || !walk->said || fflush(walk->in) || ferror(walk->in) ||
	    fseek(walk->in, 0, SEEK_SET))
		code = pn_error_system(err, "cannot write a temporary file");
	walk->waited = true;
	if (!code) {
		options.in = fileno(walk->in);
		options.err = fileno(walk->said);
		options.pipe_out = true;
		options.ends_with_us = true;
		code = pn_process_start(&walk->process, words, &options, err);
		walk->waited = code != 0;
	}
	if (!code) {
		walk->out = fdopen(walk->process.out, "r");
		if (!walk->out)
			code = pn_error_system(err, "cannot read from git");
	}
	if (code)
		pn_walk_all_free(walk);
	else
		*out = walk;
	return code;
}

int pn_walk_all_open(struct pn_walk_all **out, struct pn_repo *repo,
		     enum pn_walk how, const struct pn_buf *more,
		     struct pn_error *err)
{
	static const char *const all[] = {"git",
					  "--no-replace-objects",
					  "rev-list",
					  "--format=%H %T %ct %at",
					  "--ignore-missing",
					  "--exclude=refs/notes/*",
					  "--exclude=refs/perf/*",
					  "--all",
					  "--reflog",
					  "--stdin",
					  NULL};
	static const char *const past[] = {
		"git",		"--no-replace-objects",
		"rev-list",	"--format=%H %T %ct %at",
		"--date-order", "HEAD",
		"--",		NULL};
	static const char *const these[] = {
		"git",	     "--no-replace-objects",
		"rev-list",  "--format=%H %T %ct %at",
		"--no-walk", "--stdin",
		NULL};
	static const char *const *const words[] = {all, past, these};

	return start(out, repo, words[how], more, NULL, err);
}

int pn_walk_outside(struct pn_walk_all **out, struct pn_repo *repo,
		    const struct pn_buf *ids, const struct pn_buf *tips,
		    struct pn_error *err)
{
	static const char *const words[] = {"git",
					    "--no-replace-objects",
					    "rev-list",
					    "--format=%H %T %ct %at",
					    "--ignore-missing",
					    "--stdin",
					    NULL};

	return start(out, repo, words, ids, tips, err);
}

/* "<id> <tree> <time> <author's time>" */
static bool take_line(struct pn_walked *out, const char *line, size_t len)
{
	const char *times = line + 2 * PN_OID_HEX + 2, *second;

	if (len < 2 * PN_OID_HEX + 5 || pn_oid_parse(&out->id, line) ||
	    pn_oid_parse(&out->tree, line + PN_OID_HEX + 1))
		return false;
	second = strchr(times, ' ');
	return second &&
	       pn_number_int(&out->time_s, times, (size_t)(second - times)) &&
	       pn_number_int(&out->author_s, second + 1,
			     strcspn(second + 1, "\n"));
}

/* What git passes over, as a ref or a log that it cannot read, is an error to
 * us: what it leads to would seem to be gone. */
static int judge(struct pn_walk_all *walk, int status, struct pn_error *err)
{
	char said[1024], *at;

	rewind(walk->said);
	said[fread(said, 1, sizeof(said) - 1, walk->said)] = '\0';
	if (status)
		return pn_error_set(err, PN_EIO,
				    "git rev-list failed ('git fsck' says "
				    "more): %s",
				    pn_child_said(said));
	at = !strncmp(said, "error: ", 7) ? said : strstr(said, "\nerror: ");
	if (!at)
		return 0;
	return pn_error_set(err, PN_EREFUSED,
			    "cannot tell which commits are needed: %s",
			    pn_child_said(at + (*at == '\n')));
}

int pn_walk_all_next(struct pn_walked *out, struct pn_walk_all *walk,
		     struct pn_error *err)
{
	int status = 0, code;
	ssize_t len;

	do { /* each has a line before it that says "commit <id>" */
		len = getline(&walk->line, &walk->cap, walk->out);
	} while (len > 7 && !memcmp(walk->line, "commit ", 7));

	if (len > 0) {
		if (take_line(out, walk->line, (size_t)len))
			return 1;
		return pn_error_set(err, PN_EINVAL,
				    "git rev-list said what nobody asked for");
	}
	if (ferror(walk->out))
		return pn_error_system(err, "cannot read from git");
	walk->process.out = -1; /* the stream's */
	walk->waited = true;
	code = pn_process_wait(&status, &walk->process, err);
	return code ? code : judge(walk, status, err);
}

void pn_walk_all_free(struct pn_walk_all *walk)
{
	int status;

	if (!walk)
		return;
	if (!walk->waited) {
		kill(walk->process.pid, SIGTERM);
		if (walk->out)
			walk->process.out = -1;
		pn_process_wait(&status, &walk->process, NULL);
	}
	if (walk->out)
		fclose(walk->out);
	if (walk->in)
		fclose(walk->in);
	if (walk->said)
		fclose(walk->said);
	free(walk->line);
	free(walk);
}

/* The ids that git lists, one a line, appended. */
static int list_ids(struct pn_buf *out, struct pn_repo *repo,
		    const char *const *argv, struct pn_error *err)
{
	struct pn_buf text = {0};
	char said[1024] = "";
	struct pn_oid id;
	const char *at;
	size_t len;
	int status = 0, code;

	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "cannot read refs: %s",
				    pn_child_said(said));
	for (at = pn_buf_text(&text); !code && *at;
	     at += len + (at[len] != '\0')) {
		len = strcspn(at, "\n");
		if (len == PN_OID_HEX && !pn_oid_parse(&id, at))
			pn_buf_add(out, id.bytes, PN_OID_BYTES);
	}
	pn_buf_release(&text);
	return code;
}

int pn_walk_tags(struct pn_buf *out, struct pn_repo *repo, struct pn_error *err)
{
	static const char *const argv[] = {"git", "for-each-ref",
					   "--format=%(objectname)",
					   "refs/tags", NULL};

	return list_ids(out, repo, argv, err);
}

struct own_refs {
	struct pn_buf *out;
	struct pn_repo *repo;
};

/* Its tree may be gone, its refs are in the common folder. */
static int add_worktree(void *data, const char *dir, struct pn_error *err)
{
	struct own_refs *refs = data;
	struct pn_buf option = {0};
	const char *argv[] = {"git",
			      NULL,
			      "for-each-ref",
			      "--format=%(objectname)",
			      "refs/bisect",
			      "refs/worktree",
			      "refs/rewritten",
			      NULL};
	int code;

	pn_buf_printf(&option, "--git-dir=%s", dir);
	argv[1] = pn_buf_text(&option);
	code = list_ids(refs->out, refs->repo, argv, err);
	pn_buf_release(&option);
	return code;
}

int pn_walk_worktrees(struct pn_buf *out, struct pn_repo *repo,
		      struct pn_error *err)
{
	struct own_refs refs = {out, repo};

	return pn_roots_worktrees(repo, add_worktree, &refs, err);
}
