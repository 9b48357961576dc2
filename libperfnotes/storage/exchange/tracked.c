/* Inboxes of a remote that are known here. */
#include "storage/exchange/tracked.h"

#include "storage/exchange/exchange.h"
#include "vcs/notes/notes.h"
#include "vcs/reach.h"
#include "vcs/ref/list.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	const struct pn_tracked_ref *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int take_ref(struct pn_tracked *out, struct pn_repo *repo,
		    const struct pn_oid *tip, const char *ref, size_t prefix,
		    struct pn_error *err)
{
	struct pn_tracked_ref *item = &out->items[out->count];
	int code;

	item->ref = pn_arena_copy(&out->arena, ref, strlen(ref));
	item->name = item->ref + prefix;
	item->merged = false;
	code = pn_repo_ref(&item->id, repo, ref, err);
	if (!code && !pn_oid_is_zero(tip))
		code = pn_reach_from(&item->merged, repo, tip, &item->id, err);
	out->count++;
	return code;
}

int pn_tracked_read(struct pn_tracked *out, struct pn_repo *repo,
		    const char *remote, struct pn_error *err)
{
	struct pn_buf prefix = {0}, names = {0};
	const char *at, *end;
	struct pn_oid tip;
	size_t count = 0;
	int code = pn_repo_ref(&tip, repo, PN_NOTES_REF, err);

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
		code = take_ref(out, repo, &tip, at, prefix.len, err);
	if (!code)
		qsort(out->items, out->count, sizeof(*out->items), by_name);
	pn_buf_release(&prefix);
	pn_buf_release(&names);
	return code;
}

void pn_tracked_release(struct pn_tracked *tracked)
{
	pn_arena_release(&tracked->arena);
	memset(tracked, 0, sizeof(*tracked));
}
