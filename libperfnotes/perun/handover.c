/* Handing profiles over to Perun. */
#include "perun/handover.h"

#include "base/alloc.h"
#include "perun/doubts.h"
#include "storage/body_fetch.h"
#include "storage/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REASONS_MAX 8 /* told one by one: others are counted together */

/* Why profiles were left out; `first` is one of them. */
struct reason {
	char *first, *text;
	size_t count;
};

struct pn_handover {
	const struct pn_lookup *from;
	struct pn_perun_export *export;
	struct pn_notes_iter *iter;
	struct pn_oid last; /* commit that was handed over */
	bool verbose, over, told;
	struct reason reasons[REASONS_MAX];
	struct pn_handover_counts counts;
	struct pn_doubts doubts;
};

static void note_reason(struct pn_handover *h, const char *name,
			const char *where, const char *text)
{
	struct pn_buf first = {0};
	struct reason *r = h->reasons;
	const struct reason *end = r + h->counts.reasons;

	while (r < end && strcmp(r->text, text) != 0)
		r++;
	if (r < end)
		r->count++;
	if (r < end || h->counts.reasons == REASONS_MAX)
		return;
	pn_buf_printf(&first, "'%s' %s", name, where);
	*r = (struct reason){pn_buf_detach(&first), pn_strdup(text), 1};
	h->counts.reasons++;
}

/* One profile that has no place there does not stop the others. */
static int leave_out(struct pn_handover *h, int code, const char *name,
		     const char *where, const struct pn_error *err)
{
	if (!code || code == PN_EIO)
		return code;
	if (h->verbose)
		pn_doubts_add(&h->doubts, "'%s' %s: %s", name, where,
			      err->message);
	else
		note_reason(h, name, where, err->message);
	h->counts.left_out++;
	return 0;
}

static void tell_reasons(struct pn_handover *h)
{
	size_t i, rest = h->counts.left_out;

	h->told = true;
	for (i = 0; i < h->counts.reasons; i++) {
		struct reason *r = &h->reasons[i];

		if (r->count == 1)
			pn_doubts_add(&h->doubts, "%s: %s", r->first, r->text);
		else
			pn_doubts_add(&h->doubts,
				      "%zu profiles, the first is %s: %s",
				      r->count, r->first, r->text);
		rest -= r->count;
		free(r->first);
		free(r->text);
	}
	if (h->counts.reasons && rest)
		pn_doubts_add(&h->doubts, "%zu more, for other reasons", rest);
}

static int export_commit(struct pn_handover *h, const struct pn_oid *commit,
			 struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], where[PN_OID_HEX + 16];
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	size_t i, count = 0, written = 0;
	int code = pn_store_entries(&entries, &count, NULL, &arena,
				    h->from->notes, commit, err);

	pn_oid_hex(hex, commit);
	snprintf(where, sizeof(where), "of %.10s", hex);
	for (i = 0; !code && i < count; i++) {
		const char *name = pn_entry_field(&entries[i], "name");

		code = pn_perun_export_entry(h->export, &entries[i], err);
		written += !code;
		code = leave_out(h, code, *name ? name : entries[i].id, where,
				 err);
	}
	if (!code)
		code = pn_perun_export_commit(h->export, commit, err);
	h->counts.written += written;
	h->counts.commits += written > 0;
	pn_arena_release(&arena);
	return code;
}

static int export_pending(struct pn_handover *h, struct pn_error *err)
{
	struct pn_pending_list list = {0};
	size_t i;
	int code = pn_pending_list(&list, h->from->repo, err);

	for (i = 0; !code && i < list.count; i++) {
		code = pn_perun_export_pending(h->export, h->from,
					       &list.items[i], err);
		h->counts.pending += !code;
		code = leave_out(h, code, list.items[i].name, "(pending)", err);
	}
	pn_pending_list_release(&list);
	return code;
}

/* Those of one commit that are left; 1: there may be others. */
static int next_commit(struct pn_handover *h, struct pn_error *err)
{
	struct pn_oid commit, blob;
	int code = 0;

	if (!h->iter)
		code = pn_notes_iter_open(&h->iter, h->from->notes, err);
	if (!code)
		code = pn_notes_iter_next(&commit, &blob, h->iter, err);
	if (code <= 0 || pn_oid_equal(&commit, &h->last))
		return code;
	h->last = commit;
	code = export_commit(h, &commit, err);
	return code ? code : 1;
}

int pn_handover_step(struct pn_handover *h, struct pn_error *err)
{
	int code;

	if (h->over)
		return 0;
	code = next_commit(h, err);
	if (code > 0)
		return code;
	h->over = true;
	if (!code)
		code = export_pending(h, err);
	if (!code)
		code = pn_perun_export_finish(h->export, err);
	return code ? code : 1;
}

int pn_handover_open(struct pn_handover **out, const char *dir,
		     const struct pn_lookup *from, enum pn_perun_layout layout,
		     bool verbose, struct pn_error *err)
{
	struct pn_handover *h = pn_calloc(1, sizeof(*h));
	int code;

	h->from = from;
	h->verbose = verbose;
	code = pn_perun_export_open(&h->export, dir, from->repo, layout, err);
	/* in a partial clone all at once; what stays absent is left out */
	if (!code)
		pn_bodies_fetch_all(from->repo, from->notes, NULL);
	if (code)
		pn_handover_free(h);
	else
		*out = h;
	return code;
}

/* Reasons are complete when the last step was taken, or failed. */
const char *pn_handover_doubt(struct pn_handover *h)
{
	const char *doubt = pn_doubts_take(&h->doubts);

	if (doubt || !h->over || h->told)
		return doubt;
	tell_reasons(h);
	return pn_doubts_take(&h->doubts);
}

const struct pn_handover_counts *pn_handover_counts(const struct pn_handover *h)
{
	return &h->counts;
}

void pn_handover_free(struct pn_handover *h)
{
	if (!h)
		return;
	if (!h->told)
		tell_reasons(h);
	pn_notes_iter_free(h->iter);
	pn_perun_export_free(h->export);
	pn_doubts_release(&h->doubts);
	free(h);
}
