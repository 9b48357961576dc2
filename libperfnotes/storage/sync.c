/* What a remote has and has not of our notes. */
#include "storage/sync.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/strtab.h"
#include "model/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int config_of(char **out, struct pn_repo *repo, const char *before,
		     const char *name, const char *after, struct pn_error *err)
{
	struct pn_buf key = {0};
	int code;

	pn_buf_printf(&key, "%s%s%s", before, name, after);
	code = pn_repo_config(out, repo, pn_buf_text(&key), err);
	pn_buf_release(&key);
	return code;
}

int pn_sync_remote(char **out, struct pn_repo *repo, struct pn_error *err)
{
	char *remote = NULL, *url = NULL;
	struct pn_head head;
	int code;

	code = pn_repo_config(&remote, repo, "perf.remote", err);
	if (!code && !remote)
		code = pn_repo_head(&head, repo, err);
	if (!code && !remote && *head.branch)
		code = config_of(&remote, repo, "branch.", head.branch,
				 ".remote", err);
	if (!code && remote && !strcmp(remote, ".")) {
		free(remote); /* a branch that follows a local one */
		remote = NULL;
	}
	if (!code && !remote) {
		code = config_of(&url, repo, "remote.", "origin", ".url", err);
		if (url)
			remote = pn_strdup("origin");
		free(url);
	}
	if (code)
		free(remote);
	else
		*out = remote;
	return code;
}

/* Lines of `ours` that are not among those of `theirs`. */
static size_t missing(const struct pn_buf *ours, const struct pn_buf *theirs)
{
	const char *at = pn_buf_text(theirs), *end = at + theirs->len, *line;
	struct pn_strtab known = {0};
	size_t len, n = 0;
	uint32_t id;

	while (pn_note_line(&line, &len, &at, end))
		pn_strtab_add(&known, line, len);
	at = pn_buf_text(ours);
	end = at + ours->len;
	while (pn_note_line(&line, &len, &at, end))
		n += !pn_strtab_find(&id, &known, line, len);
	pn_strtab_release(&known);
	return n;
}

static int count(size_t *lines, struct pn_notes *ours, struct pn_notes *theirs,
		 struct pn_error *err)
{
	struct pn_buf commits = {0}, a = {0}, b = {0};
	struct pn_oid commit;
	size_t i;
	int code;

	*lines = 0;
	code = pn_notes_differing(&commits, ours, theirs, err);
	for (i = 0; !code && i < commits.len; i += PN_OID_BYTES) {
		memcpy(commit.bytes, commits.data + i, PN_OID_BYTES);
		pn_buf_clear(&a);
		pn_buf_clear(&b);
		code = pn_notes_read(&a, ours, &commit, err);
		if (!code)
			code = pn_notes_read(&b, theirs, &commit, err);
		if (!code)
			*lines += missing(&a, &b);
	}
	pn_buf_release(&commits);
	pn_buf_release(&a);
	pn_buf_release(&b);
	return code;
}

int pn_sync_unpushed(struct pn_unpushed *out, struct pn_repo *repo,
		     struct pn_notes *notes, struct pn_error *err)
{
	struct pn_unpushed u = {0};
	struct pn_notes *theirs = NULL;
	struct pn_buf ref = {0};
	char *remote = NULL;
	int code;

	code = pn_sync_remote(&remote, repo, err);
	if (!code && remote) {
		snprintf(u.remote, sizeof(u.remote), "%s", remote);
		pn_buf_printf(&ref, PN_TRACKING_REF, remote);
		code = pn_notes_open(&theirs, repo, pn_buf_text(&ref), err);
	}
	if (!code && theirs && !pn_oid_is_zero(pn_notes_tip(theirs))) {
		u.known = true;
		if (!pn_oid_equal(pn_notes_tip(theirs), pn_notes_tip(notes)))
			code = count(&u.lines, notes, theirs, err);
		if (!code &&
		    !pn_oid_equal(pn_notes_tip(theirs), pn_notes_tip(notes)))
			code = count(&u.incoming, theirs, notes, err);
	}
	pn_notes_free(theirs);
	pn_buf_release(&ref);
	free(remote);
	if (!code)
		*out = u;
	return code;
}
