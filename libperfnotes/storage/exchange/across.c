/* What notes of another epoch have. */
#include "storage/exchange/across.h"

#include "base/text/line_set.h"
#include "storage/needed_bodies.h"
#include "storage/record.h"
#include "storage/retain/sift.h"
#include "vcs/notes/unite.h"
#include "vcs/objects/gone.h"

#include <string.h>

#define TEXTS_MAX ((uint64_t)256 << 20) /* bytes of notes that change */

struct across {
	struct pn_repo *repo;
	struct pn_notes *notes, *theirs;
	struct pn_across *out;
	struct pn_buf *dead;
	uint64_t bytes;
};

/* One commit's texts. */
struct texts {
	struct pn_buf ours, theirs;
	struct pn_sift sift;
	struct pn_line_set lines;
};

static void add_lines(struct pn_line_set *set, const char *text, size_t len)
{
	pn_line_set_add(set, text, len, 4 * PN_NOTE_MAX, 4 * PN_NOTE_LINES_MAX);
}

static int stage(struct across *a, struct texts *t, const struct pn_oid *commit,
		 struct pn_error *err)
{
	const struct pn_buf *text = &t->lines.text;
	char hex[PN_OID_HEX + 1];

	a->out->commits++;
	a->bytes += text->len;
	pn_sift_dead_bodies(a->dead, pn_buf_text(text), text->len);
	if (text->len <= PN_NOTE_MAX && t->lines.count <= PN_NOTE_LINES_MAX &&
	    a->bytes <= TEXTS_MAX)
		return pn_notes_stage_note(a->notes, commit, text->data,
					   text->len, err);
	pn_oid_hex(hex, commit);
	return pn_error_set(err, PN_ELIMIT,
			    "the note of commit %s would have more than %u "
			    "lines or %u bytes, or notes to write anew more "
			    "than %llu bytes",
			    hex, PN_NOTE_LINES_MAX, PN_NOTE_MAX,
			    (unsigned long long)TEXTS_MAX);
}

static int take_texts(struct across *a, struct texts *t,
		      const struct pn_oid *commit, struct pn_error *err)
{
	const char *at = pn_buf_text(&t->theirs), *end = at + t->theirs.len;
	const char *line;
	size_t len, before;

	pn_sift_learn(&t->sift, &t->ours);
	pn_sift_learn(&t->sift, &t->theirs);
	add_lines(&t->lines, pn_buf_text(&t->ours), t->ours.len);
	before = t->lines.count;
	while (pn_note_line(&line, &len, &at, end))
		if (pn_sift_keeps(&t->sift, line, len))
			add_lines(&t->lines, line, len);
	return t->lines.count > before ? stage(a, t, commit, err) : 0;
}

/* In a partial clone git's gc drops what its remote had: a note of ours, too,
 * that was sent. Where a compaction has it no more, nothing of it is to come.
 */
static int read_theirs(struct pn_buf *out, struct across *a,
		       const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_error why;
	int code = pn_notes_read(out, a->theirs, commit, &why);

	if (code == PN_ENOTFOUND && pn_gone_is(why.message)) {
		pn_buf_clear(out);
		return 0;
	}
	if (code && err)
		*err = why;
	return code;
}

static int take_note(struct across *a, const struct pn_oid *commit,
		     struct pn_error *err)
{
	struct texts t = {{0}};
	int code = pn_notes_read(&t.ours, a->notes, commit, err);

	if (!code)
		code = read_theirs(&t.theirs, a, commit, err);
	if (!code)
		code = take_texts(a, &t, commit, err);
	pn_line_set_release(&t.lines);
	pn_sift_release(&t.sift);
	pn_buf_release(&t.ours);
	pn_buf_release(&t.theirs);
	return code;
}

/* Those that are needed now: below objects/ of theirs, or behind a plain merge
 * of it. */
static int take_bodies(struct across *a, struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	struct pn_buf bodies = {0};
	struct pn_oid id;
	bool cut = false, has;
	size_t at;
	int code = pn_notes_lacking_bodies(&bodies, a->notes, a->theirs,
					   PN_BODY_MAX_BYTES, err);

	if (!code)
		code = pn_notes_reanchor(&bodies, &cut, a->theirs, err);
	if (!code && (bodies.len || cut || a->out->commits))
		code = pn_needed_bodies_read(&needed, a->repo, a->notes, err);
	if (!code && needed) /* before any of theirs is there */
		code = pn_needed_bodies_trust(needed, a->repo, a->notes, err);
	for (at = 0; !code && at < bodies.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, bodies.data + at, PN_OID_BYTES);
		code = pn_notes_has_body(&has, a->notes, &id, err);
		if (code || has || !pn_needed_bodies_has(needed, &id))
			continue;
		pn_notes_stage_reachable(a->notes, &id);
		a->out->bodies++;
	}
	if (!code && needed)
		code = pn_needed_bodies_anchor(&a->out->lacks, cut, a->repo,
					       a->notes, needed, err);
	pn_needed_bodies_free(needed);
	pn_buf_release(&bodies);
	return code;
}

int pn_across(struct pn_across *out, struct pn_buf *dead, struct pn_repo *repo,
	      struct pn_notes *notes, struct pn_notes *theirs,
	      struct pn_error *err)
{
	struct across a = {.repo = repo,
			   .notes = notes,
			   .theirs = theirs,
			   .out = out,
			   .dead = dead};
	struct pn_buf commits = {0};
	struct pn_oid commit;
	size_t at;
	int code;

	memset(out, 0, sizeof(*out));
	code = pn_notes_differing(&commits, theirs, notes, err);
	for (at = 0; !code && at < commits.len; at += PN_OID_BYTES) {
		memcpy(commit.bytes, commits.data + at, PN_OID_BYTES);
		code = take_note(&a, &commit, err);
	}
	if (!code)
		code = take_bodies(&a, err);
	pn_buf_release(&commits);
	return code;
}
