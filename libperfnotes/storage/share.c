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

/* What the star of a pattern (up to `end`) stands for in `name`; without a star
 * the empty text behind it. False where it does not match. */
static bool match(struct pn_buf *star, const char *pattern, const char *end,
		  const char *name)
{
	const char *at = memchr(pattern, '*', (size_t)(end - pattern));
	size_t before = (size_t)((at ? at : end) - pattern);
	size_t behind = at ? (size_t)(end - at) - 1 : 0, len = strlen(name);

	if (len < before + behind || (!at && len != before) ||
	    memcmp(name, pattern, before) != 0 ||
	    memcmp(name + len - behind, end - behind, behind) != 0)
		return false;
	pn_buf_clear(star);
	pn_buf_add(star, name + before, len - before - behind);
	return true;
}

/* Whether a negative refspec leaves this ref of the remote out. */
static bool is_left_out(const struct pn_buf *refspecs, const char *ref)
{
	const char *at = pn_buf_text(refspecs), *end = at + refspecs->len;
	struct pn_buf star = {0};
	bool out = false;

	for (; !out && at < end; at += strlen(at) + 1)
		out = *at == '^' && match(&star, at + 1, at + strlen(at), ref);
	pn_buf_release(&star);
	return out;
}

bool pn_share_is_danger(struct pn_buf *from, const struct pn_buf *refspecs,
			const char *refspec)
{
	const char *colon = strchr(refspec, ':'), *at;
	struct pn_buf star = {0};
	bool danger = *refspec == '+' && colon &&
		      match(&star, colon + 1, refspec + strlen(refspec),
			    PN_NOTES_REF);

	pn_buf_clear(from);
	for (at = refspec + 1; danger && at < colon; at++)
		if (*at == '*')
			pn_buf_add(from, star.data, star.len);
		else
			pn_buf_add_byte(from, (unsigned char)*at);
	if (danger)
		danger = !is_left_out(refspecs, pn_buf_text(from));
	pn_buf_release(&star);
	return danger;
}

/* A refspec that writes straight to the notes loses what is not pushed. */
static int find_dangers(struct pn_share *s, struct pn_repo *repo,
			const char *key, struct pn_error *err)
{
	struct pn_buf values = {0}, from = {0};
	struct pn_share_danger *found;
	const char *at, *end;
	int code = pn_setup_values(&values, repo, key, err);

	/* a refspec and its NUL take four bytes at least */
	found = pn_arena_alloc(&s->arena,
			       (values.len / 4 + 1) * sizeof(*found));
	at = pn_buf_text(&values);
	for (end = at + values.len; !code && at < end; at += strlen(at) + 1)
		if (pn_share_is_danger(&from, &values, at))
			found[s->told.danger_count++] =
				(struct pn_share_danger){
					keep(s, at),
					keep(s, pn_buf_text(&from))};
	s->told.danger_key = keep(s, key);
	s->told.dangers = found;
	pn_buf_release(&values);
	pn_buf_release(&from);
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
		code = find_dangers(out, repo, pn_buf_text(&key), err);
	pn_buf_release(&key);
	return code;
}

void pn_share_release(struct pn_share *share)
{
	pn_arena_release(&share->arena);
	memset(share, 0, sizeof(*share));
}
