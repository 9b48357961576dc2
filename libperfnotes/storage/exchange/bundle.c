/* Profiles as a file. */
#include "storage/exchange/bundle.h"

#include "base/hash.h"
#include "storage/body_fetch.h"
#include "storage/exchange/cut.h"
#include "storage/sync.h"
#include "vcs/lock.h"
#include "vcs/notes/unite.h"
#include "vcs/objects/gone.h"
#include "vcs/ref/list.h"
#include "vcs/transport/bundle.h"
#include "vcs/walk/reach.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define LOCK "bundle"
#define HAS_MAX 1000 /* refs of remotes that a bundle may build on */

/* A file is of no use to who lacks what is behind the end of a shallow fetch:
 * then all of it goes, without the history. */
static int make_whole(const struct pn_exchange *x, const struct pn_oid *tip,
		      struct pn_oid *known, struct pn_error *err)
{
	bool cut = false;
	int code = pn_reach_is_cut(&cut, x->repo, tip, known, err);

	if (code || !cut)
		return code;
	memset(known, 0, sizeof(*known));
	return pn_cut_leave(x->repo, err);
}

int pn_exchange_bundle(const struct pn_exchange *x, const char *path,
		       struct pn_error *err)
{
	const struct pn_transport t = {.repo = x->repo,
				       .progress = x->progress};
	struct pn_oid tip, known = {{0}};
	struct pn_buf ref = {0};
	struct pn_error why = {0};
	struct pn_united united;
	int code = pn_unite(&united, x->repo, NULL, 0, err);

	if (!code)
		code = pn_repo_ref(&tip, x->repo, PN_NOTES_REF, err);
	if (!code && pn_oid_is_zero(&tip))
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no profiles here: 'git perf add' stores "
				    "some");
	if (!code && x->remote) {
		pn_buf_printf(&ref, PN_TRACKING_REF, x->remote);
		code = pn_repo_ref(&known, x->repo, pn_buf_text(&ref), err);
	}
	if (!code && pn_oid_equal(&tip, &known))
		code = pn_error_set(err, PN_ENOTFOUND,
				    "'%s' has all profiles that are here "
				    "(--all writes them anyway)",
				    x->remote);
	if (!code)
		code = make_whole(x, &tip, &known, err);
	if (!code)
		code = pn_bundle_write(&t, path, PN_NOTES_REF, &known, &why);
	if (code && pn_gone_is(why.message))
		pn_error_set(&why, PN_ENOTFOUND,
			     "cannot write '%s': profiles that this partial "
			     "clone lacks are not where it is from any more "
			     "('git perf pull' first; 'git perf fsck' names "
			     "what is missing after it)",
			     path);
	if (code && why.code && err)
		*err = why;
	pn_buf_release(&ref);
	return code;
}

/* With the lock of bundles held, each is of an apply that was killed, and so is
 * the lock file of one. */
static int sweep(struct pn_repo *repo, struct pn_error *err)
{
	static const struct pn_oid none;
	struct pn_buf names = {0};
	const char *at, *end;
	int code = pn_refs_clear_dead(repo, PN_BUNDLE_PLACE, err);

	if (!code)
		code = pn_refs_list(&names, repo, PN_BUNDLE_REFS, HAS_MAX, err);
	at = pn_buf_text(&names);
	for (end = at + names.len; !code && at < end; at += strlen(at) + 1)
		code = pn_notes_point(repo, at, &none, NULL, err);
	pn_buf_release(&names);
	return code;
}

int pn_exchange_sweep(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_buf names = {0};
	int fd, code = pn_refs_list(&names, repo, PN_BUNDLE_REFS, 1, err);

	if (!code && names.len) {
		code = pn_lock_named(&fd, repo, LOCK, err);
		if (!code) {
			code = sweep(repo, err);
			close(fd);
		}
	}
	pn_buf_release(&names);
	return code;
}

/* Where a partial clone lacks bodies beside which the bundle's lie, git takes
 * the bundle only when it has them: they are fetched then, those that are known
 * by their ids, be they in the notes or not. */
static int read_file(const struct pn_exchange *x, const char *path,
		     const char *ref, const struct pn_buf *has,
		     struct pn_error *err)
{
	const struct pn_transport t = {.repo = x->repo};
	struct pn_buf lacks = {0}, again = {0};
	struct pn_notes *notes = NULL;
	int code =
		pn_bundle_read(&t, path, PN_NOTES_REF, ref, has, &lacks, err);

	if (code == PN_ENOTFOUND && lacks.len) {
		pn_bodies_fetch_ids(x->repo, &lacks);
		code = pn_bundle_read(&t, path, PN_NOTES_REF, ref, has, &again,
				      err);
	}
	if (code == PN_ENOTFOUND && !again.len && pn_repo_is_partial(x->repo) &&
	    !pn_notes_open(&notes, x->repo, PN_NOTES_REF, NULL)) {
		if (!pn_bodies_fetch_all(x->repo, notes, NULL))
			code = pn_bundle_read(&t, path, PN_NOTES_REF, ref, has,
					      &again, err);
		pn_notes_free(notes);
	}
	pn_buf_release(&lacks);
	pn_buf_release(&again);
	return code;
}

int pn_exchange_apply(struct pn_united *out, const struct pn_exchange *x,
		      const char *path, struct pn_error *err)
{
	static const struct pn_oid none;
	struct pn_buf to = {0}, has = {0};
	const char *ref, *refs[] = {"", NULL};
	int fd = -1, code = pn_lock_named(&fd, x->repo, LOCK, err);

	if (code)
		return code;
	pn_buf_printf(&to, PN_BUNDLE_REFS "%016" PRIx64, pn_hash_random());
	pn_buf_add(&has, PN_NOTES_REF, sizeof(PN_NOTES_REF));
	code = sweep(x->repo, err);
	if (!code)
		code = pn_refs_list(&has, x->repo, "refs/perf/remotes/",
				    HAS_MAX, err);
	ref = pn_buf_text(&to);
	if (!code)
		code = read_file(x, path, ref, &has, err);
	if (!code) {
		refs[1] = ref; /* it begins no epoch here */
		code = pn_unite(out, x->repo, refs, 2, err);
		if (!code && out->passed)
			code = pn_error_set(err, out->why.code, "%s",
					    out->why.message);
		if (pn_notes_point(x->repo, ref, &none, NULL,
				   code ? NULL : err) &&
		    !code)
			code = err->code;
	}
	close(fd);
	pn_buf_release(&to);
	pn_buf_release(&has);
	return code;
}
