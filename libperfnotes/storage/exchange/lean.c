/* Fetching indexes without bodies: what the configuration has of it. */
#include "storage/exchange/lean.h"

#include "base/alloc.h"
#include "vcs/setup.h"

#include <stdlib.h>
#include <string.h>

#define OWN "perf-%s"
#define ON "true"
#define NOTHING "blob:limit=4096g"

static int get(char **out, struct pn_repo *repo, const char *remote,
	       const char *key, struct pn_error *err)
{
	struct pn_buf name = {0};
	int code;

	pn_buf_printf(&name, "remote.%s.%s", remote, key);
	code = pn_repo_config(out, repo, pn_buf_text(&name), err);
	pn_buf_release(&name);
	return code;
}

static int set(struct pn_repo *repo, const char *remote, const char *key,
	       const char *value, struct pn_error *err)
{
	struct pn_buf name = {0};
	bool changed;
	int code;

	pn_buf_printf(&name, "remote.%s.%s", remote, key);
	code = pn_setup_set(&changed, repo, pn_buf_text(&name), value, err);
	pn_buf_release(&name);
	return code;
}

static bool promises(struct pn_repo *repo, const char *remote)
{
	struct pn_buf names = {0};
	bool found;

	pn_repo_promisors(&names, repo);
	found = pn_buf_lists(&names, remote, strlen(remote));
	pn_buf_release(&names);
	return found;
}

/* How the other side is reached, and that nothing else fetches from it. */
static int make_remote(struct pn_repo *repo, const char *own,
		       const char *remote, struct pn_error *err)
{
	static const char *const copied[] = {"url", "uploadpack", "proxy",
					     "proxyAuthMethod"};
	char *value;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < sizeof(copied) / sizeof(*copied); i++) {
		value = NULL;
		code = get(&value, repo, remote, copied[i], err);
		if (!code && value)
			code = set(repo, own, copied[i], value, err);
		free(value);
	}
	if (!code)
		code = set(repo, own, "tagOpt", "--no-tags", err);
	if (!code)
		code = set(repo, own, "skipFetchAll", "true", err);
	return code;
}

/* Somebody may have moved the other side. */
static int follow(struct pn_repo *repo, const char *own, const char *remote,
		  struct pn_error *err)
{
	char *from = NULL, *to = NULL;
	int code = get(&from, repo, remote, "url", err);

	if (!code)
		code = get(&to, repo, own, "url", err);
	if (!code && from && (!to || strcmp(from, to) != 0))
		code = make_remote(repo, own, remote, err);
	free(from);
	free(to);
	return code;
}

/* By the remote of our own, which is asked for what it promised once whether
 * more is left out or not. */
static int read_own(struct pn_lean *out, struct pn_repo *repo, const char *own,
		    const char *remote, struct pn_error *err)
{
	char *value = NULL;
	int code = get(&value, repo, remote, PN_LEAN_KEY, err);
	bool on = value && !strcmp(value, ON);
	bool there = promises(repo, own);

	free(value);
	if (code)
		return code;
	if (on && !there) /* 'git remote rename' took the key along alone */
		return pn_lean_set(out, repo, remote, true, err);
	if (on) {
		out->filter = pn_strdup(PN_LEAN_FILTER);
		out->remote = pn_strdup(own);
	}
	return there ? follow(repo, own, remote, err) : 0;
}

int pn_lean_read(struct pn_lean *out, struct pn_repo *repo, const char *remote,
		 struct pn_error *err)
{
	struct pn_buf own = {0};
	int code = 0;

	memset(out, 0, sizeof(*out));
	pn_buf_printf(&own, OWN, remote);
	if (promises(repo, remote))
		out->filter = pn_strdup(PN_LEAN_FILTER);
	else
		code = read_own(out, repo, pn_buf_text(&own), remote, err);
	pn_buf_release(&own);
	return code;
}

void pn_lean_release(struct pn_lean *lean)
{
	free(lean->remote);
	free(lean->filter);
	memset(lean, 0, sizeof(*lean));
}

/* The remote of our own stays: it has what is absent. */
static int turn_off(struct pn_repo *repo, const char *remote,
		    struct pn_error *err)
{
	struct pn_buf key = {0};
	bool removed;
	int code;

	pn_buf_printf(&key, "remote.%s." PN_LEAN_KEY, remote);
	code = pn_setup_remove(&removed, repo, pn_buf_text(&key), ON, err);
	pn_buf_release(&key);
	return code;
}

int pn_lean_whole(struct pn_lean *out, struct pn_repo *repo, const char *remote,
		  struct pn_error *err)
{
	struct pn_buf own = {0};
	int code = 0;

	pn_buf_printf(&own, OWN, remote);
	if (!promises(repo, pn_buf_text(&own))) {
		code = make_remote(repo, pn_buf_text(&own), remote, err);
		if (!code)
			code = set(repo, pn_buf_text(&own), "promisor", ON,
				   err);
		if (!code)
			code = set(repo, pn_buf_text(&own),
				   "partialclonefilter", NOTHING, err);
	}
	*out = (struct pn_lean){0};
	if (!code)
		*out = (struct pn_lean){pn_strdup(pn_buf_text(&own)),
					pn_strdup(NOTHING)};
	pn_buf_release(&own);
	return code;
}

int pn_lean_set(struct pn_lean *lean, struct pn_repo *repo, const char *remote,
		bool on, struct pn_error *err)
{
	struct pn_buf own = {0};
	int code = 0;

	if (promises(repo, remote))
		return !on ? 0
			   : pn_error_set(err, PN_EREFUSED,
					  "this clone is partial by '%s' "
					  "already: what is large comes when "
					  "it is needed",
					  remote);
	pn_buf_printf(&own, OWN, remote);
	if (on)
		code = make_remote(repo, pn_buf_text(&own), remote, err);
	if (!code && on)
		code = set(repo, pn_buf_text(&own), "promisor", ON, err);
	if (!code && on)
		code = set(repo, pn_buf_text(&own), "partialclonefilter",
			   PN_LEAN_FILTER, err);
	if (!code && on)
		code = set(repo, remote, PN_LEAN_KEY, ON, err);
	if (!code && !on)
		code = turn_off(repo, remote, err);
	pn_lean_release(lean);
	if (!code && on) {
		lean->filter = pn_strdup(PN_LEAN_FILTER);
		lean->remote = pn_strdup(pn_buf_text(&own));
	}
	pn_buf_release(&own);
	return code;
}
