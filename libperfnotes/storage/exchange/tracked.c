/* Inboxes of a remote that are known here. */
#include "storage/exchange/tracked.h"

#include "storage/exchange/exchange.h"
#include "vcs/notes/notes.h"
#include "vcs/ref/list.h"
#include "vcs/transport/transport.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	const struct pn_tracked_ref *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int take_ref(struct pn_tracked *out, struct pn_repo *repo,
		    const char *ref, size_t prefix, struct pn_error *err)
{
	struct pn_tracked_ref *item = &out->items[out->count];

	item->ref = pn_arena_copy(&out->arena, ref, strlen(ref));
	item->name = item->ref + prefix;
	item->merged = false;
	out->count++;
	return pn_repo_ref(&item->id, repo, ref, err);
}

static int find_merged(struct pn_tracked *out, struct pn_repo *repo,
		       const char *prefix, const struct pn_oid *tip,
		       struct pn_error *err)
{
	struct pn_tracked_ref key, *item;
	struct pn_buf names = {0};
	const char *at, *end;
	int code = pn_refs_merged(&names, repo, prefix, tip, err);

	at = pn_buf_text(&names);
	for (end = at + names.len; !code && at < end; at += strlen(at) + 1) {
		if (strncmp(at, prefix, strlen(prefix)) != 0)
			continue;
		key.name = at + strlen(prefix);
		item = bsearch(&key, out->items, out->count,
			       sizeof(*out->items), by_name);
		if (item)
			item->merged = true;
	}
	pn_buf_release(&names);
	return code;
}

int pn_tracked_read(struct pn_tracked *out, struct pn_repo *repo,
		    const char *remote, const struct pn_oid *tip,
		    struct pn_error *err)
{
	struct pn_buf prefix = {0}, names = {0};
	const char *at, *end;
	struct pn_oid now;
	size_t count = 0;
	int code = tip ? 0 : pn_repo_ref(&now, repo, PN_NOTES_REF, err);

	if (!tip)
		tip = &now;
	pn_buf_printf(&prefix, PN_INBOX_TRACKING, remote);
	if (!code)
		code = pn_refs_list(&names, repo, pn_buf_text(&prefix),
				    PN_TRACKED_MAX + 1, err);
	end = pn_buf_text(&names) + names.len;
	for (at = pn_buf_text(&names); at < end; at += strlen(at) + 1)
		count++;
	out->more = count > PN_TRACKED_MAX;
	if (out->more)
		count = PN_TRACKED_MAX;
	out->items = pn_arena_alloc(&out->arena, count * sizeof(*out->items));
	for (at = pn_buf_text(&names); !code && out->count < count;
	     at += strlen(at) + 1)
		code = take_ref(out, repo, at, prefix.len, err);
	if (!code)
		qsort(out->items, out->count, sizeof(*out->items), by_name);
	if (!code && out->count && !pn_oid_is_zero(tip))
		code = find_merged(out, repo, pn_buf_text(&prefix), tip, err);
	pn_buf_release(&prefix);
	pn_buf_release(&names);
	return code;
}

int pn_tracked_ask(struct pn_tracked *out, const struct pn_exchange *x,
		   const struct pn_tracked *known, struct pn_error *err)
{
	const struct pn_transport transport = {
		.repo = x->repo,
		.remote = x->lean.remote ? x->lean.remote : x->remote};
	struct pn_tracked_ref *item, *same;
	const char *at, *end;
	struct pn_buf refs = {0};
	int code = pn_transport_list(&refs, &transport, PN_INBOX_REF "*", err);

	out->items = pn_arena_array(&out->arena, PN_TRACKED_MAX,
				    sizeof(*out->items));
	at = pn_buf_text(&refs);
	for (end = at + refs.len;
	     !code && at < end && out->count < PN_TRACKED_MAX;
	     at += strlen(at) + 1) {
		item = &out->items[out->count];
		memcpy(item->id.bytes, at, PN_OID_BYTES);
		at += PN_OID_BYTES;
		item->ref = pn_arena_copy(&out->arena, at, strlen(at));
		if (strncmp(item->ref, PN_INBOX_REF, strlen(PN_INBOX_REF)) != 0)
			continue;
		item->name = item->ref + strlen(PN_INBOX_REF);
		same = known->count ? bsearch(item, known->items, known->count,
					      sizeof(*item), by_name)
				    : NULL;
		item->merged = same && same->merged &&
			       pn_oid_equal(&same->id, &item->id);
		out->count++;
	}
	pn_buf_release(&refs);
	return code;
}

void pn_tracked_release(struct pn_tracked *tracked)
{
	pn_arena_release(&tracked->arena);
	memset(tracked, 0, sizeof(*tracked));
}

void pn_tracked_find_taken(struct pn_tracked *tracked, struct pn_repo *repo,
			   const struct pn_oid *tip)
{
	struct pn_tracked_ref *item;
	bool left;
	size_t i;

	for (i = 0; i < tracked->count; i++) {
		item = &tracked->items[i];
		if (!item->merged)
			/* what is wrong with one is told by who unites */
			item->merged =
				!pn_unite_left(&left, repo, tip, item->ref,
					       &item->id, NULL) &&
				!left;
	}
}

int pn_tracked_clear_dead(const struct pn_exchange *x, struct pn_error *err)
{
	struct pn_buf place = {0};
	int code = 0;

	pn_buf_printf(&place, PN_TRACKED_REFS, x->remote);
	if (!x->dry_run)
		code = pn_refs_clear_dead(x->repo, pn_buf_text(&place), err);
	pn_buf_release(&place);
	return code;
}
