/* The whole look, and mending what was found without taking anything away. */
#include "storage/needed_bodies.h"
#include "storage/verify/around.h"
#include "storage/verify/lost.h"
#include "vcs/lock.h"
#include "vcs/notes/stage.h"

#include <string.h>

static struct pn_oid nth(const struct pn_buf *ids, size_t n)
{
	struct pn_oid id;

	memcpy(id.bytes, ids->data + n * PN_OID_BYTES, PN_OID_BYTES);
	return id;
}

static void anchor(struct pn_mended *mended, struct pn_notes *notes,
		   const struct pn_buf *ids)
{
	struct pn_oid body;
	size_t i;

	for (i = 0; i < ids->len / PN_OID_BYTES; i++) {
		body = nth(ids, i);
		pn_notes_stage_anchor(notes, &body);
		mended->bodies++;
	}
}

/* A note that is too long for this, too, stays as it is: the next look says
 * so. */
static int unite(struct pn_mended *mended, struct pn_notes *notes,
		 const struct pn_buf *ids, struct pn_error *err)
{
	struct pn_buf text = {0};
	struct pn_oid commit;
	uint64_t raw;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < ids->len / PN_OID_BYTES; i++) {
		commit = nth(ids, i);
		pn_buf_clear(&text);
		if (pn_notes_read_long(&text, &raw, notes, &commit,
				       PN_NOTE_REPAIR_MAX, NULL))
			continue;
		code = pn_notes_stage_note(notes, &commit, text.data, text.len,
					   err);
		mended->notes++;
	}
	pn_buf_release(&text);
	return code;
}

static int repair(struct pn_mended *out, struct pn_repo *repo,
		  const struct pn_verify_report *report, struct pn_error *err)
{
	struct pn_mended mended = {0};
	struct pn_lock lock = {.fd = -1};
	struct pn_notes *notes = NULL;
	int code;

	code = pn_lock_acquire(&lock, repo, err);
	if (!code)
		code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);
	if (!code)
		code = pn_needed_bodies_reanchor(repo, notes, err);
	if (!code)
		code = unite(&mended, notes, &report->to_unite, err);
	if (!code)
		code = pn_lost_bring(&mended.lines, repo, notes, report, err);
	if (!code)
		anchor(&mended, notes, &report->to_anchor);
	if (!code && (mended.bodies || mended.notes || mended.lines))
		code = pn_notes_commit(notes, "perf: repair\n", err);
	pn_notes_free(notes);
	pn_lock_release(&lock);
	if (!code)
		*out = mended;
	return code;
}

int pn_verify_run(struct pn_verify_report *out, struct pn_repo *repo,
		  struct pn_notes *notes, struct pn_error *err)
{
	struct pn_verify_report report;
	int code = pn_verify_notes(&report, repo, notes, err);

	if (code)
		return code;
	code = pn_lost_find(&report, repo, notes, err);
	if (!code)
		code = pn_verify_around(&report, repo, notes, err);
	if (code)
		pn_verify_report_release(&report);
	else
		*out = report;
	return code;
}

int pn_verify_mend(struct pn_mended *out, struct pn_verify_report *report,
		   struct pn_repo *repo, struct pn_notes *notes,
		   struct pn_error *err)
{
	struct pn_mended mended = {0};
	int code = 0;

	if (report->told.problem_count)
		code = repair(&mended, repo, report, err);
	if (code || !(mended.bodies || mended.notes || mended.lines))
		return code;
	*out = mended;
	pn_verify_report_release(report);
	code = pn_notes_reopen(notes, err);
	return code ? code : pn_verify_run(report, repo, notes, err);
}
