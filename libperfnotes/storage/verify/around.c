/* What is around the notes. */
#include "storage/verify/around.h"

#include "base/escape.h"
#include "storage/exchange/exchange.h"
#include "storage/share.h"
#include "storage/sync.h"
#include "vcs/notes/epoch.h"
#include "vcs/ref/list.h"
#include "vcs/setup.h"
#include "vcs/walk/reach.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define REFS_MAX 10000
#define OLD_S 600 /* nobody of git's holds a lock for so long */

struct around {
	struct pn_verify_report *report;
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_notes_epoch epoch;
};

static void add(struct around *a, struct pn_buf *what, struct pn_buf *repair)
{
	pn_verify_add(a->report, NULL,
		      pn_arena_copy(&a->report->arena, pn_buf_text(repair),
				    repair->len),
		      pn_buf_text(what));
	pn_buf_clear(what);
	pn_buf_clear(repair);
}

/* A `git fetch` would write over what is here. What takes it out of the remote
 * that profiles are shared with says what to have instead, too. */
static int check_refspecs(struct around *a, struct pn_error *err)
{
	struct pn_buf what = {0}, repair = {0};
	const struct pn_shared_danger *d = NULL;
	size_t i, n = 0;
	char *remote = NULL;
	int code = pn_sync_remote(&remote, a->repo, err);

	if (!code)
		code = pn_share_dangers(&d, &n, &a->report->arena, a->repo,
					err);
	for (i = 0; !code && i < n; i++, d++) {
		pn_buf_printf(&what, "%s is '%s': each 'git fetch' %s", d->key,
			      d->value,
			      d->prunes ? "deletes profiles that are not "
					  "pushed while the remote has none"
					: "overwrites profiles that are not "
					  "pushed");
		if (pn_shared_is_mirror(d->value))
			pn_buf_printf(&repair, "git config --add %s '^%s'",
				      d->key, d->from);
		else
			pn_buf_printf(&repair,
				      "git config --fixed-value --unset %s "
				      "'%s'",
				      d->key, d->value);
		if (!pn_shared_is_mirror(d->value) && remote &&
		    !strcmp(remote, d->remote))
			pn_buf_printf(&repair,
				      ", then git perf init --remote=%s",
				      remote);
		add(a, &what, &repair);
	}
	pn_buf_release(&what);
	pn_buf_release(&repair);
	free(remote);
	return code;
}

/* A process that was killed leaves one; nobody else may take it away, because
 * nobody can tell whose it is. */
static void check_lock(struct around *a, const char *ref)
{
	struct pn_buf path = {0}, what = {0}, repair = {0};
	struct stat st;

	pn_buf_printf(&path, "%s/%s.lock", pn_repo_common_dir(a->repo), ref);
	if (!stat(pn_buf_text(&path), &st) && S_ISREG(st.st_mode) &&
	    time(NULL) - st.st_mtime > OLD_S) {
		pn_buf_printf(&what,
			      "'%s' is %lld minutes old and stops all writers",
			      pn_buf_text(&path),
			      (long long)(time(NULL) - st.st_mtime) / 60);
		pn_buf_add_text(&repair, "remove it, if no git is at work in "
					 "this repository");
		add(a, &what, &repair);
	}
	pn_buf_release(&path);
	pn_buf_release(&what);
	pn_buf_release(&repair);
}

/* A plain merge of a compaction takes the 'format' of its own side. */
static int check_epoch(struct around *a, struct pn_notes *theirs,
		       const char *ref, struct pn_error *err)
{
	struct pn_buf what = {0}, repair = {0};
	struct pn_notes_epoch epoch = {0};
	bool has = false;
	int code = 0;

	if (pn_oid_is_zero(pn_notes_tip(theirs)) ||
	    pn_notes_epoch(&epoch, theirs, NULL) ||
	    epoch.number <= a->epoch.number)
		return 0;
	if (!pn_oid_is_zero(pn_notes_tip(a->notes)))
		code = pn_reach_from(&has, a->repo, pn_notes_tip(a->notes),
				     pn_notes_tip(theirs), err);
	if (!code && has) {
		pn_buf_printf(
			&what,
			"'%s' leads to '%s', which is of a later epoch: a "
			"plain merge brought the history back",
			PN_NOTES_REF, ref);
		pn_buf_add_text(&repair, "git perf pull");
		add(a, &what, &repair);
	}
	pn_buf_release(&what);
	pn_buf_release(&repair);
	return code;
}

/* What cannot be read comes again by a pull where it went from here; an inbox
 * that is bad goes at the remote, as the pull says that passes it over. */
static void add_unreadable(struct around *a, const char *ref,
			   const struct pn_error *why)
{
	static const char below[] = "refs/perf/remotes/", part[] = "/inbox/";
	struct pn_buf what = {0}, repair = {0}, word = {0};
	const char *remote = ref + sizeof(below) - 1;
	const char *name = strstr(remote, part), *next;

	/* the name of a remote may have such a part, that of an inbox not */
	while (name && (next = strstr(name + 1, part)))
		name = next;
	pn_buf_printf(&what, "what was fetched cannot be read: %s",
		      why->message);
	if (name && !pn_reach_lacks(why->message)) {
		pn_buf_printf(&word, ":" PN_INBOX_REF "%s",
			      name + sizeof(part) - 1);
		pn_buf_printf(&repair, "git push %.*s ", (int)(name - remote),
			      remote);
		pn_escape_shell(&repair, pn_buf_text(&word));
		pn_buf_add_text(&repair, ", then ");
	}
	pn_buf_add_text(&repair, "git perf pull");
	add(a, &what, &repair);
	pn_buf_release(&what);
	pn_buf_release(&repair);
	pn_buf_release(&word);
}

/* What was fetched. */
static int check_fetched(struct around *a, const char *ref,
			 struct pn_error *err)
{
	struct pn_notes *theirs = NULL;
	struct pn_error why = {0};
	int code = 0;

	check_lock(a, ref);
	if (pn_notes_open(&theirs, a->repo, ref, &why))
		add_unreadable(a, ref, &why);
	else
		code = check_epoch(a, theirs, ref, err);
	pn_notes_free(theirs);
	return code;
}

int pn_verify_around(struct pn_verify_report *report, struct pn_repo *repo,
		     struct pn_notes *notes, struct pn_error *err)
{
	struct around a = {.report = report, .repo = repo, .notes = notes};
	struct pn_buf refs = {0};
	const char *at, *end;
	int code;

	(void)pn_notes_epoch(&a.epoch, notes, NULL); /* said elsewhere */
	report->told.epoch = a.epoch.number;
	check_lock(&a, PN_NOTES_REF);
	check_lock(&a, "packed-refs");
	code = check_refspecs(&a, err);
	if (!code)
		code = pn_refs_list(&refs, repo, "refs/perf/remotes/", REFS_MAX,
				    err);
	at = pn_buf_text(&refs);
	for (end = at + refs.len; !code && at < end; at += strlen(at) + 1)
		code = check_fetched(&a, at, err);
	pn_buf_release(&refs);
	return code;
}
