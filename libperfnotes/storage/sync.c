/* What a remote has and has not of our notes. */
#include "storage/sync.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/text/line_set.h"
#include "storage/exchange/unite.h"
#include "storage/record.h"
#include "storage/retain/sift.h"
#include "vcs/notes/epoch.h"
#include "vcs/setup.h"

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
		else if (!code)
			remote = pn_setup_only_remote(repo);
		free(url);
	}
	if (code)
		free(remote);
	else
		*out = remote;
	return code;
}

/* The name of a remote, and one that begins so: it is where the first one's
 * notes or inboxes are known. */
static bool is_inside(const char *name, const char *longer)
{
	size_t len = strlen(name), part = strlen("notes");

	return !strncmp(longer, name, len) && longer[len] == '/' &&
	       (!strncmp(longer + len + 1, "notes", part) ||
		!strncmp(longer + len + 1, "inbox", part)) &&
	       (!longer[len + 1 + part] || longer[len + 1 + part] == '/');
}

int pn_sync_check_remote(struct pn_repo *repo, const char *remote,
			 struct pn_error *err)
{
	struct pn_buf names = {0};
	const char *at, *end;
	int code = 0;

	pn_repo_remotes(&names, repo);
	at = pn_buf_text(&names);
	for (end = at + names.len; !code && at < end; at += strlen(at) + 1)
		if (is_inside(at, remote))
			code = pn_error_set(
				err, PN_EREFUSED,
				"what is known of the remote '%s' would be "
				"where that of '%s' is: 'git remote rename %s "
				"<name>' gives it another name",
				remote, at, remote);
	pn_buf_release(&names);
	return code;
}

/* Leave out the lines that a tombstone of either side speaks of. */
static void leave_living(struct pn_buf *ours, const struct pn_buf *theirs)
{
	const char *at = pn_buf_text(ours), *end = at + ours->len, *line;
	struct pn_sift sift = {0};
	struct pn_buf kept = {0};
	size_t len;

	pn_sift_learn(&sift, ours);
	pn_sift_learn(&sift, theirs);
	while (pn_note_line(&line, &len, &at, end)) {
		if (!pn_sift_keeps(&sift, line, len))
			continue;
		pn_buf_add(&kept, line, len);
		pn_buf_add_byte(&kept, '\n');
	}
	pn_sift_release(&sift);
	pn_buf_release(ours);
	*ours = kept;
}

/* Lines of `ours` that are not among those of `theirs`; one, where there are
 * more than anybody reads. */
static size_t missing(const struct pn_buf *ours, const struct pn_buf *theirs)
{
	struct pn_line_set set = {0};
	size_t n = 0;

	if (pn_line_set_add(&set, theirs->data, theirs->len, PN_NOTE_MAX,
			    PN_NOTE_LINES_MAX)) {
		n = 1;
	} else {
		n = set.count;
		pn_line_set_add(&set, ours->data, ours->len, 2 * PN_NOTE_MAX,
				2 * PN_NOTE_LINES_MAX);
		n = set.count - n;
	}
	pn_line_set_release(&set);
	return n;
}

/* A note that is too long to be read differs by a line at least, and must not
 * hide what can be told of all others. */
static int count_note(size_t *lines, struct pn_notes *ours,
		      struct pn_notes *theirs, bool living,
		      const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_buf a = {0}, b = {0};
	int code = pn_notes_read(&a, ours, commit, err);

	if (!code)
		code = pn_notes_read(&b, theirs, commit, err);
	if (!code && living)
		leave_living(&a, &b);
	if (!code)
		*lines += missing(&a, &b);
	else if (code == PN_ELIMIT)
		*lines += 1;
	pn_buf_release(&a);
	pn_buf_release(&b);
	return code == PN_ELIMIT ? 0 : code;
}

/* `living`: what a compaction of `theirs` left out for its tombstones' sake
 * counts for nothing. */
static int count(size_t *lines, struct pn_notes *ours, struct pn_notes *theirs,
		 bool living, struct pn_error *err)
{
	struct pn_buf commits = {0};
	struct pn_oid commit;
	size_t i;
	int code;

	*lines = 0;
	code = pn_notes_differing(&commits, ours, theirs, err);
	for (i = 0; !code && i < commits.len; i += PN_OID_BYTES) {
		memcpy(commit.bytes, commits.data + i, PN_OID_BYTES);
		code = count_note(lines, ours, theirs, living, &commit, err);
	}
	pn_buf_release(&commits);
	return code;
}

/* What a compaction here left out is not to come, and what one there did is
 * not to go. */
static int count_both(struct pn_unpushed *u, struct pn_repo *repo,
		      struct pn_notes *notes, struct pn_notes *theirs,
		      const char *ref, struct pn_error *err)
{
	struct pn_notes_epoch a, b;
	bool left = true;
	int code = pn_notes_epoch(&a, notes, err);

	if (!code)
		code = pn_notes_epoch(&b, theirs, err);
	if (!code)
		code = count(&u->lines, notes, theirs, b.number > a.number,
			     err);
	if (!code && b.number < a.number)
		code = pn_unite_left(&left, repo, pn_notes_tip(notes), ref,
				     pn_notes_tip(theirs), err);
	return code || !left ? code
			     : count(&u->incoming, theirs, notes, false, err);
}

int pn_sync_incoming(size_t *lines, struct pn_repo *repo,
		     struct pn_notes *notes, const char *ref,
		     const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_notes *theirs = NULL;
	struct pn_unpushed u = {0};
	int code = pn_notes_open_at(&theirs, repo, ref, commit, err);

	if (!code && !pn_oid_equal(commit, pn_notes_tip(notes)))
		code = count_both(&u, repo, notes, theirs, ref, err);
	*lines = u.incoming;
	pn_notes_free(theirs);
	return code;
}

int pn_sync_compare(struct pn_unpushed *out, struct pn_repo *repo,
		    struct pn_notes *notes, const char *remote,
		    struct pn_error *err)
{
	struct pn_unpushed u = {0};
	struct pn_notes *theirs = NULL;
	struct pn_buf ref = {0};
	int code;

	snprintf(u.remote, sizeof(u.remote), "%s", remote);
	pn_buf_printf(&ref, PN_TRACKING_REF, remote);
	code = pn_notes_open(&theirs, repo, pn_buf_text(&ref), err);
	if (!code && !pn_oid_is_zero(pn_notes_tip(theirs))) {
		u.known = true;
		if (!pn_oid_equal(pn_notes_tip(theirs), pn_notes_tip(notes)))
			code = count_both(&u, repo, notes, theirs,
					  pn_buf_text(&ref), err);
	}
	pn_notes_free(theirs);
	pn_buf_release(&ref);
	if (code == PN_ENOTFOUND) {
		/* some of it is gone, and the next pull brings it again */
		u.known = false;
		u.lines = u.incoming = 0;
		code = 0;
	}
	if (!code)
		*out = u;
	return code;
}

int pn_sync_unpushed(struct pn_unpushed *out, struct pn_repo *repo,
		     struct pn_notes *notes, struct pn_error *err)
{
	const struct pn_unpushed none = {0};
	char *remote = NULL;
	int code = pn_sync_remote(&remote, repo, err);

	if (!code && remote)
		code = pn_sync_compare(out, repo, notes, remote, err);
	else if (!code)
		*out = none;
	free(remote);
	return code;
}
