/* Which remote, what is fetched of it, and uniting that. */
#include "base/alloc.h"
#include "base/escape.h"
#include "storage/exchange/exchange.h"
#include "storage/exchange/tracked.h"
#include "storage/sync.h"
#include "vcs/repo.h"
#include "vcs/transport/transport.h"

#include <stdlib.h>
#include <string.h>

#define REMOTE_MAX 200 /* bytes of its name, which is part of refs */

/* git-check-ref-format(1), of a name that stands in the middle of a ref; and
 * no option. */
static bool is_name(const char *name)
{
	size_t len = strlen(name);

	return len && len <= REMOTE_MAX && *name != '-' && *name != '/' &&
	       *name != '.' && name[len - 1] != '/' &&
	       !strpbrk(name, " ~^:?*[\\\177") && !strstr(name, "..") &&
	       !strstr(name, "//") && !strstr(name, "/.") &&
	       !strstr(name, "@{") && !strstr(name, ".lock") &&
	       strspn(name, "\001\002\003\004\005\006\007\010\011\012\013\014"
			    "\015\016\017\020\021\022\023\024\025\026\027\030"
			    "\031\032\033\034\035\036\037") == 0;
}

int pn_exchange_open(struct pn_exchange *x, struct pn_error *err)
{
	struct pn_buf key = {0};
	char *url = NULL;
	int code = 0;

	if (!x->remote)
		code = pn_sync_remote(&x->own, x->repo, err);
	if (!code && !x->remote)
		x->remote = x->own;
	if (!code && !x->remote)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no remote to share profiles with: 'git "
				    "remote add <name> <url>' makes one");
	if (!code && !is_name(x->remote))
		code = pn_error_set(err, PN_EINVAL,
				    "'%s' is no name of a remote: 'git remote "
				    "add <name> <url>' gives a URL one",
				    x->remote);
	pn_buf_printf(&key, "remote.%s.url", x->remote ? x->remote : "");
	if (!code)
		code = pn_repo_config(&url, x->repo, pn_buf_text(&key), err);
	if (!code && !url)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no remote '%s': 'git remote add %s <url>' "
				    "makes one",
				    x->remote, x->remote);
	if (!code)
		code = pn_lean_read(&x->lean, x->repo, x->remote, err);
	pn_buf_release(&key);
	free(url);
	return code;
}

void pn_exchange_release(struct pn_exchange *x)
{
	free(x->own);
	x->own = NULL;
	pn_lean_release(&x->lean);
}

/*
 * A pattern, because git fails where a ref that is named whole is not there.
 * Other tools' notes have names that begin the same way.
 */
int pn_exchange_fetch(const struct pn_exchange *x, struct pn_error *err)
{
	const struct pn_transport transport = {
		.repo = x->repo,
		.remote = x->lean.remote ? x->lean.remote : x->remote,
		.progress = x->progress,
		.dry_run = x->dry_run,
		.filter = x->lean.filter};
	struct pn_buf notes = {0}, inbox = {0};
	const char *refspecs[] = {NULL, "^" PN_NOTES_REF "-*",
				  "^" PN_NOTES_REF "_*", NULL};
	int code;

	pn_buf_printf(&notes, "+" PN_NOTES_REF "*:" PN_TRACKING_REF "*",
		      x->remote);
	pn_buf_printf(&inbox, "+" PN_INBOX_REF "*:" PN_INBOX_TRACKING "*",
		      x->remote);
	refspecs[0] = pn_buf_text(&notes);
	refspecs[3] = pn_buf_text(&inbox);
	code = pn_transport_fetch(&transport, refspecs, 4, err);
	pn_buf_release(&notes);
	pn_buf_release(&inbox);
	return code;
}

/* What was passed over, in words that say how to be rid of it. */
static void tell_passed(struct pn_united *out, const struct pn_exchange *x,
			const struct pn_tracked *inboxes)
{
	struct pn_buf text = {0}, ref = {0};

	if (out->passed) {
		pn_buf_printf(&ref, ":" PN_INBOX_REF "%s",
			      inboxes->items[out->first - 1].name);
		if (out->passed > 1)
			pn_buf_printf(&text,
				      "%zu inboxes of '%s' are passed "
				      "over, among them '%s': ",
				      out->passed, x->remote,
				      pn_buf_text(&ref) + 1);
		else
			pn_buf_printf(&text, "'%s' of '%s' is passed over: ",
				      pn_buf_text(&ref) + 1, x->remote);
		pn_buf_printf(&text, "%s; it goes by: git push %s ",
			      out->why.message, x->remote);
		pn_escape_shell(&text, pn_buf_text(&ref));
	} else if (inboxes->more) {
		pn_buf_printf(&text,
			      "'%s' has more than %d inboxes, the first "
			      "are taken: 'git perf push' empties them, "
			      "then pull again",
			      x->remote, PN_TRACKED_MAX);
	}
	if (text.len)
		pn_error_set(&out->why, PN_ELIMIT, "%s", pn_buf_text(&text));
	pn_buf_release(&text);
	pn_buf_release(&ref);
}

int pn_exchange_unite(struct pn_united *out, const struct pn_exchange *x,
		      struct pn_error *err)
{
	struct pn_buf notes = {0};
	struct pn_tracked inboxes = {0};
	const char **refs;
	size_t i;
	int code = pn_tracked_read(&inboxes, x->repo, x->remote, err);

	pn_buf_printf(&notes, PN_TRACKING_REF, x->remote);
	refs = pn_calloc(inboxes.count + 1, sizeof(*refs));
	refs[0] = pn_buf_text(&notes);
	for (i = 0; i < inboxes.count; i++)
		refs[i + 1] = inboxes.items[i].ref;
	if (!code)
		code = pn_unite(out, x->repo, refs, inboxes.count + 1, err);
	if (!code)
		tell_passed(out, x, &inboxes);
	pn_tracked_release(&inboxes);
	pn_buf_release(&notes);
	free(refs);
	return code;
}
