/* Fetching again what is gone. */
#include "storage/exchange/again.h"

#include "storage/exchange/tracked.h"
#include "storage/sync.h"
#include "vcs/notes/unite.h"
#include "vcs/ref/list.h"
#include "vcs/walk/reach.h"

#include <string.h>

static const struct pn_oid none;

/* What cannot be told is left as it is. */
static void take_out(struct pn_again *out, const char *ref)
{
	struct pn_repo *repo = out->exchange->repo;
	struct pn_oid id;
	bool whole;

	if (pn_repo_ref(&id, repo, ref, NULL) || pn_oid_is_zero(&id) ||
	    pn_reach_whole(&whole, repo, &id, NULL) || whole ||
	    pn_notes_point(repo, ref, &none, &id, NULL))
		return;
	pn_buf_add(&out->ids, id.bytes, PN_OID_BYTES);
	pn_buf_add(&out->names, ref, strlen(ref) + 1);
}

bool pn_again_begin(struct pn_again *out, const struct pn_exchange *x)
{
	struct pn_buf ref = {0}, place = {0}, names = {0};
	const char *at, *end;

	memset(out, 0, sizeof(*out));
	out->exchange = x;
	if (x->dry_run)
		return false;
	pn_buf_printf(&ref, PN_TRACKING_REF, x->remote);
	pn_buf_printf(&place, PN_INBOX_TRACKING, x->remote);
	take_out(out, pn_buf_text(&ref));
	if (!pn_refs_list(&names, x->repo, pn_buf_text(&place), PN_TRACKED_MAX,
			  NULL)) {
		at = pn_buf_text(&names);
		for (end = at + names.len; at < end; at += strlen(at) + 1)
			take_out(out, at);
	}
	pn_buf_release(&ref);
	pn_buf_release(&place);
	pn_buf_release(&names);
	return out->ids.len > 0;
}

void pn_again_end(struct pn_again *again, int code)
{
	struct pn_repo *repo = again->exchange->repo;
	const char *name = pn_buf_text(&again->names);
	struct pn_oid id;
	size_t at;

	for (at = 0; code && at < again->ids.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, again->ids.data + at, PN_OID_BYTES);
		if (pn_repo_has_object(repo, &id))
			(void)pn_notes_point(repo, name, &id, &none, NULL);
		name += strlen(name) + 1;
	}
	pn_buf_release(&again->ids);
	pn_buf_release(&again->names);
}
