/* Which remote, and uniting what was fetched of it. */
#include "base/alloc.h"
#include "base/escape.h"
#include "storage/exchange/again.h"
#include "storage/exchange/bundle.h"
#include "storage/exchange/exchange.h"
#include "storage/exchange/tracked.h"
#include "storage/sync.h"
#include "vcs/repo.h"
#include "vcs/transport/transport.h"
#include "vcs/walk/reach.h"

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

/* git remote rename and remove know nothing of perf.remote. */
static int refuse_unknown(const struct pn_exchange *x, struct pn_error *err)
{
	char *kept = NULL;
	int code = 0;

	if (x->own)
		code = pn_repo_config(&kept, x->repo, "perf.remote", err);
	if (!code && kept)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no remote '%s', as perf.remote calls it: "
				    "'git perf init --remote=<name>' takes "
				    "another",
				    kept);
	else if (!code)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no remote '%s': 'git remote add %s <url>' "
				    "makes one",
				    x->remote, x->remote);
	free(kept);
	return code;
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
				    "no remote to share profiles with: name "
				    "one of 'git remote', 'git remote add "
				    "<name> <url>' makes one");
	if (!code && !is_name(x->remote))
		code = pn_error_set(err, PN_EINVAL,
				    "'%s' is no name of a remote: 'git remote "
				    "add <name> <url>' gives a URL one",
				    x->remote);
	pn_buf_printf(&key, "remote.%s.url", x->remote ? x->remote : "");
	if (!code)
		code = pn_repo_config(&url, x->repo, pn_buf_text(&key), err);
	if (!code && !url)
		code = refuse_unknown(x, err);
	if (!code)
		code = pn_sync_check_remote(x->repo, x->remote, err);
	if (!code)
		code = pn_lean_read(&x->lean, x->repo, x->remote, err);
	if (!code && (x->filter || x->all) && !x->dry_run)
		code = pn_lean_set(&x->lean, x->repo, x->remote, x->filter,
				   err);
	if (!code)
		code = pn_exchange_sweep(x->repo, err);
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

/* What was passed over, in words that say how to be rid of it. */
static void tell_passed(struct pn_united *out, const struct pn_exchange *x,
			const struct pn_tracked *inboxes, const char *first)
{
	struct pn_buf text = {0}, ref = {0};

	if (out->passed) {
		pn_buf_printf(&ref, ":" PN_INBOX_REF "%s", first);
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

static int by_id(const void *a, const void *b)
{
	const struct pn_tracked_ref *const *x = a, *const *y = b;
	int order = pn_oid_cmp(&(*x)->id, &(*y)->id);

	return order ? order : strcmp((*x)->name, (*y)->name);
}

static int by_place(const void *a, const void *b)
{
	const struct pn_tracked_ref *const *x = a, *const *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Those that are to be united: each commit once, in the order of their names.
 */
static size_t choose(const struct pn_tracked_ref **out,
		     const struct pn_tracked *inboxes)
{
	size_t i, n = 0, kept = 0;

	for (i = 0; i < inboxes->count; i++)
		if (!inboxes->items[i].merged)
			out[n++] = &inboxes->items[i];
	qsort(out, n, sizeof(*out), by_id);
	for (i = 0; i < n; i++)
		if (!i || !pn_oid_equal(&out[i]->id, &out[kept - 1]->id))
			out[kept++] = out[i];
	qsort(out, kept, sizeof(*out), by_place);
	return kept;
}

static int count_inboxes(size_t *out, const struct pn_exchange *x,
			 const struct pn_oid *tip, struct pn_error *err)
{
	const struct pn_tracked_ref **chosen;
	struct pn_tracked known = {0}, asked = {0};
	const struct pn_tracked *inboxes = x->dry_run ? &asked : &known;
	int code = pn_tracked_read(&known, x->repo, x->remote, tip, err);

	pn_tracked_find_taken(&known, x->repo, tip);
	if (!code && x->dry_run)
		code = pn_tracked_ask(&asked, x, &known, err);
	chosen = pn_calloc(inboxes->count + 1, sizeof(const void *));
	*out = choose(chosen, inboxes);
	pn_tracked_release(&known);
	pn_tracked_release(&asked);
	free(chosen);
	return code;
}

/* The notes that the remote has now; zero: none. */
static int ask_notes(struct pn_oid *out, const struct pn_exchange *x,
		     struct pn_error *err)
{
	const struct pn_transport transport = {
		.repo = x->repo,
		.remote = x->lean.remote ? x->lean.remote : x->remote};
	struct pn_buf refs = {0};
	const char *at, *end;
	int code = pn_transport_list(&refs, &transport, PN_NOTES_REF, err);

	memset(out, 0, sizeof(*out));
	at = pn_buf_text(&refs);
	for (end = at + refs.len; !code && at < end;
	     at += PN_OID_BYTES + strlen(at + PN_OID_BYTES) + 1)
		if (!strcmp(at + PN_OID_BYTES, PN_NOTES_REF))
			memcpy(out->bytes, at, PN_OID_BYTES);
	pn_buf_release(&refs);
	return code;
}

/* git has fetched what they are made of, and moved no ref. */
static int count_asked(struct pn_waiting *out, const struct pn_exchange *x,
		       struct pn_notes *notes, const char *ref,
		       struct pn_error *err)
{
	struct pn_oid theirs;
	int code = ask_notes(&theirs, x, err);

	if (code || pn_oid_is_zero(&theirs)) {
		out->none = !code;
		return code;
	}
	out->uncounted = !pn_repo_has_object(x->repo, &theirs);
	return out->uncounted ? 0
			      : pn_sync_incoming(&out->records, x->repo, notes,
						 ref, &theirs, err);
}

static int count_fetched(struct pn_waiting *out, const struct pn_exchange *x,
			 struct pn_notes *notes, const char *ref,
			 struct pn_error *err)
{
	struct pn_unpushed compared = {0};
	struct pn_oid theirs;
	int code = pn_repo_ref(&theirs, x->repo, ref, err);

	if (!code)
		code = pn_sync_compare(&compared, x->repo, notes, x->remote,
				       err);
	if (!code) {
		out->none = pn_oid_is_zero(&theirs);
		out->records = compared.incoming;
	}
	return code;
}

int pn_exchange_waiting(struct pn_waiting *out, const struct pn_exchange *x,
			struct pn_error *err)
{
	struct pn_notes *notes = NULL;
	struct pn_buf ref = {0};
	int code = pn_notes_open(&notes, x->repo, PN_NOTES_REF, err);

	memset(out, 0, sizeof(*out));
	pn_buf_printf(&ref, PN_TRACKING_REF, x->remote);
	if (!code && x->dry_run)
		code = count_asked(out, x, notes, pn_buf_text(&ref), err);
	else if (!code)
		code = count_fetched(out, x, notes, pn_buf_text(&ref), err);
	if (!code)
		code = count_inboxes(&out->inboxes, x, pn_notes_tip(notes),
				     err);
	pn_buf_release(&ref);
	pn_notes_free(notes);
	return code;
}

static int unite(struct pn_united *out, const struct pn_exchange *x,
		 struct pn_error *err)
{
	const struct pn_tracked_ref **chosen;
	struct pn_tracked inboxes = {0};
	struct pn_buf notes = {0};
	struct pn_oid theirs;
	const char **refs;
	size_t i, count;
	int code = pn_tracked_read(&inboxes, x->repo, x->remote, NULL, err);

	pn_buf_printf(&notes, PN_TRACKING_REF, x->remote);
	refs = pn_calloc(inboxes.count + 1, sizeof(*refs));
	chosen = pn_calloc(inboxes.count + 1, sizeof(const void *));
	count = choose(chosen, &inboxes);
	refs[0] = pn_buf_text(&notes);
	for (i = 0; i < count; i++)
		refs[i + 1] = chosen[i]->ref;
	if (!code)
		code = pn_unite(out, x->repo, refs, count + 1, err);
	if (!code && !inboxes.count)
		code = pn_repo_ref(&theirs, x->repo, refs[0], err);
	if (!code)
		out->none = !inboxes.count && pn_oid_is_zero(&theirs);
	if (!code)
		tell_passed(out, x, &inboxes,
			    out->passed ? chosen[out->first - 1]->name : "");
	pn_tracked_release(&inboxes);
	pn_buf_release(&notes);
	free(chosen);
	free(refs);
	return code;
}

/* What cannot be read, because some of it is gone, is fetched again. */
int pn_exchange_unite(struct pn_united *out, const struct pn_exchange *x,
		      struct pn_error *err)
{
	struct pn_error why = {0}, aside;
	struct pn_again again;
	int code = unite(out, x, &why);

	if (pn_reach_lacks(code ? why.message : out->why.message) &&
	    pn_again_begin(&again, x)) {
		code = pn_exchange_fetch(&aside, x, &why);
		pn_again_end(&again, code);
		if (!code)
			code = unite(out, x, &why);
	}
	if (code && err)
		*err = why;
	return code;
}
