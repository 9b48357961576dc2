/* Setting a repository up for sharing. */
#include "storage/share.h"

#include "storage/sync.h"
#include "vcs/notes/notes.h"
#include "vcs/setup.h"

#include <stdlib.h>
#include <string.h>

static const char *keep(struct pn_share *s, const char *text)
{
	return pn_arena_copy(&s->arena, text, strlen(text));
}

static void note(struct pn_share *s, enum pn_share_kind kind, const char *key,
		 const char *value)
{
	s->told.changes[s->told.change_count++] =
		(struct pn_share_change){kind, keep(s, key), keep(s, value)};
}

static int set_value(struct pn_share *s, struct pn_repo *repo,
		     enum pn_share_kind kind, const char *key,
		     const char *value, struct pn_error *err)
{
	bool changed = false;
	int code = pn_setup_set(&changed, repo, key, value, err);

	if (!code && changed)
		note(s, kind, key, value);
	return code;
}

/*
 * A pattern: git fails to fetch anything where a ref that is named whole is not
 * on the remote, as before the first push. Version 0.1.0 named it whole; that
 * goes when the pattern is there, so that what is interrupted between them is
 * done by the next run.
 */
static int set_fetch(struct pn_share *s, struct pn_repo *repo, const char *key,
		     struct pn_error *err)
{
	struct pn_buf pattern = {0}, whole = {0};
	bool added = false, removed = false;
	int code;

	pn_buf_printf(&pattern, "+" PN_NOTES_REF "*:" PN_TRACKING_REF "*",
		      s->told.remote);
	pn_buf_printf(&whole, "+" PN_NOTES_REF ":" PN_TRACKING_REF,
		      s->told.remote);
	code = pn_setup_add(&added, repo, key, pn_buf_text(&pattern), err);
	if (!code && added)
		note(s, PN_SHARE_FETCH, key, pn_buf_text(&pattern));
	if (!code)
		code = pn_setup_remove(&removed, repo, key, pn_buf_text(&whole),
				       err);
	if (!code && removed)
		note(s, PN_SHARE_OLD_FETCH, key, pn_buf_text(&whole));
	pn_buf_release(&pattern);
	pn_buf_release(&whole);
	return code;
}

/* *has: git knows the remote, whose name is in s->told.remote. */
static int find_remote(bool *has, struct pn_share *s, struct pn_repo *repo,
		       const char *wanted, struct pn_error *err)
{
	char *remote = NULL;
	int code = 0;

	if (!wanted)
		code = pn_sync_remote(&remote, repo, err);
	if (!code && (wanted || remote))
		s->told.remote = keep(s, wanted ? wanted : remote);
	free(remote);
	if (!code && s->told.remote)
		code = pn_setup_has_remote(has, repo, s->told.remote, err);
	if (!code && !*has && wanted)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no remote '%s': 'git remote add %s "
				    "<url>' makes one",
				    wanted, wanted);
	if (!code && *has)
		code = pn_sync_check_remote(repo, s->told.remote, err);
	return code;
}

int pn_share_set_up(struct pn_share *out, struct pn_repo *repo,
		    const char *wanted, struct pn_error *err)
{
	struct pn_buf key = {0};
	bool has = false;
	int code;

	memset(out, 0, sizeof(*out));
	code = find_remote(&has, out, repo, wanted, err);
	if (!code)
		code = set_value(out, repo, PN_SHARE_MERGE,
				 "notes.perf.mergeStrategy", "cat_sort_uniq",
				 err);
	if (code || !has) {
		out->told.remote = NULL;
		return code;
	}
	if (wanted)
		code = set_value(out, repo, PN_SHARE_REMOTE, "perf.remote",
				 wanted, err);
	pn_buf_printf(&key, "remote.%s.fetch", out->told.remote);
	if (!code)
		code = set_fetch(out, repo, pn_buf_text(&key), err);
	if (!code)
		code = pn_share_dangers(&out->told.dangers,
					&out->told.danger_count, &out->arena,
					repo, err);
	pn_buf_release(&key);
	return code;
}

void pn_share_release(struct pn_share *share)
{
	pn_arena_release(&share->arena);
	memset(share, 0, sizeof(*share));
}
