/* Lines that a plain git wrote over: they go back by the rules by which other
 * epochs are united (exchange/across.h), line by line. */
#include "storage/verify/lost.h"

#include "base/text/line_set.h"
#include "model/entry.h"
#include "storage/needed_bodies.h"
#include "storage/retain/sift.h"
#include "vcs/notes/epoch.h"
#include "vcs/notes/moves.h"
#include "vcs/notes/stage.h"
#include "vcs/walk/reach.h"

#include <stdio.h>
#include <string.h>

#define BRING_MAX ((uint64_t)256 << 20) /* bytes of notes in one repair */

/* A note at a tip that was left. */
struct pn_lost_note {
	struct pn_oid tip, commit;
};

struct lost {
	struct pn_verify_report *report;
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_strtab meant; /* ids of what went on purpose */
	char by[PN_OID_HEX + 1];
};

/* A move of which both tips can be read. */
struct way {
	const struct pn_notes_move *move;
	struct pn_notes *then, *behind;
	const struct pn_buf *commits; /* whose notes changed */
	bool weighed;		      /* is_meant is known */
	bool is_meant;
};

static const char bring[] =
	"git perf fsck --repair brings it back (git perf rm then takes a "
	"profile out for good)";

/* The entries of `theirs` that `ours` lacks, with a line feed each. */
static void sift_lines(struct pn_buf *out, const struct pn_buf *ours,
		       const struct pn_buf *theirs)
{
	const char *at = pn_buf_text(theirs), *end = at + theirs->len, *line;
	struct pn_line_set lines = {0};
	struct pn_arena arena = {0};
	struct pn_sift sift = {0};
	struct pn_entry entry;
	size_t len, before;

	pn_sift_learn(&sift, ours);
	pn_sift_learn(&sift, theirs);
	pn_line_set_add(&lines, ours->data, ours->len, 2 * PN_NOTE_RAW_MAX,
			4 * PN_NOTE_LINES_MAX);
	while (pn_note_line(&line, &len, &at, end)) {
		before = lines.count;
		pn_line_set_add(&lines, line, len, 2 * PN_NOTE_RAW_MAX,
				4 * PN_NOTE_LINES_MAX);
		if (lines.count == before ||
		    pn_entry_parse(&entry, &arena, line, len, NULL) ||
		    !pn_sift_keeps(&sift, line, len))
			continue;
		pn_buf_add(out, line, len);
		pn_buf_add_byte(out, '\n');
	}
	pn_line_set_release(&lines);
	pn_arena_release(&arena);
	pn_sift_release(&sift);
}

/* The same of two tips; *text is what `notes` have. A note that cannot be read,
 * now or then, is told elsewhere or gone. */
static void find_lines(struct pn_buf *out, struct pn_buf *text,
		       struct pn_notes *notes, struct pn_notes *then,
		       const struct pn_oid *commit)
{
	struct pn_buf theirs = {0};

	if (pn_notes_has_text(notes, commit) &&
	    pn_notes_has_text(then, commit) &&
	    !pn_notes_read(text, notes, commit, NULL) &&
	    !pn_notes_read(&theirs, then, commit, NULL))
		sift_lines(out, text, &theirs);
	pn_buf_release(&theirs);
}

static void tell_line(struct lost *l, const struct pn_oid *commit,
		      const struct pn_entry *e)
{
	char text[256];

	if (e->kind == PN_ENTRY_DEL)
		snprintf(text, sizeof(text),
			 "profile %s was taken out, until a plain git wrote "
			 "%.10s over that",
			 e->target, l->by);
	else
		snprintf(text, sizeof(text),
			 "%.40s %s was here, until a plain git wrote %.10s "
			 "over it",
			 e->kind_text, e->id, l->by);
	pn_verify_add(l->report, commit, bring, text);
}

static bool has_id(const struct pn_strtab *ids, const char *id)
{
	uint32_t found;

	return pn_strtab_find(&found, ids, id, PN_ENTRY_ID_HEX);
}

/* In a partial clone without asking its remote. */
static bool open_here(struct pn_notes **out, struct lost *l,
		      const struct pn_oid *tip)
{
	struct pn_commit_facts facts;

	return pn_repo_has_object(l->repo, tip) &&
	       !pn_repo_commit_facts(&facts, l->repo, tip, NULL) &&
	       pn_repo_has_object(l->repo, &facts.tree) &&
	       !pn_notes_open_at(out, l->repo, PN_NOTES_REF, tip, NULL);
}

static bool is_among(const struct pn_buf *ids, const unsigned char *id)
{
	size_t at;

	for (at = 0; at < ids->len; at += PN_OID_BYTES)
		if (!memcmp(ids->data + at, id, PN_OID_BYTES))
			return true;
	return false;
}

/* The commits whose notes differ, whichever side has them. */
static void find_differing(struct pn_buf *out, struct pn_notes *one,
			   struct pn_notes *other)
{
	if (pn_notes_differing(out, one, other, NULL) ||
	    pn_notes_differing(out, other, one, NULL))
		pn_buf_clear(out);
}

/* Whether there was nothing before these notes: no history that was cut. */
static bool is_first(struct pn_notes *notes)
{
	struct pn_notes_epoch epoch;

	return !pn_notes_epoch(&epoch, notes, NULL) && !epoch.number;
}

/* Whether a git that moved the ref had read it as it was: what the last move
 * before that changed, or took out, is still so in some note, or there was
 * none. */
static bool saw_all(struct lost *l, const struct way *way)
{
	struct pn_commit_facts facts;
	struct pn_notes *before = NULL;
	struct pn_buf last = {0}, now = {0};
	bool saw = false;
	size_t at;

	if (pn_repo_commit_facts(&facts, l->repo, &way->move->from, NULL))
		return false;
	if (!facts.parent_count)
		return is_first(way->then);
	if (open_here(&before, l, &facts.first_parent)) {
		find_differing(&last, way->then, before);
		find_differing(&now, way->then, way->behind);
	}
	for (at = 0; !saw && at < last.len; at += PN_OID_BYTES)
		saw = !is_among(&now, last.data + at);
	pn_notes_free(before);
	pn_buf_release(&last);
	pn_buf_release(&now);
	return saw;
}

/* Whether what a move left out of a note went on purpose. That takes a walk
 * over the history: it is asked only where something lacks. */
static bool is_meant(struct lost *l, struct way *way,
		     const struct pn_oid *commit)
{
	const struct pn_notes_move *m = way->move;

	if (m->prunes)
		return !pn_repo_has_object(l->repo, commit);
	if (!way->weighed && m->by_notes)
		way->is_meant =
			m->removes &&
			(way->commits->len == PN_OID_BYTES || saw_all(l, way));
	else if (!way->weighed)
		way->is_meant =
			pn_reach_may_be_from(l->repo, &m->to, &m->from) ||
			(m->silent &&
			 pn_reach_may_be_from(l->repo, &m->from, &m->to));
	way->weighed = true;
	return way->is_meant;
}

/* One that is not yet known; a line that was copied from another commit is a
 * fault where it is there. */
static bool is_news(const struct lost *l, const struct pn_oid *commit,
		    const struct pn_entry *e)
{
	return (e->kind != PN_ENTRY_PROFILE ||
		pn_oid_equal(&e->commit, commit)) &&
	       !has_id(&l->meant, e->id) && !has_id(&l->report->lost, e->id);
}

static void note_line(struct lost *l, bool meant, const struct pn_oid *commit,
		      const struct pn_entry *e)
{
	if (!meant)
		tell_line(l, commit, e);
	pn_strtab_add(meant ? &l->meant : &l->report->lost, e->id,
		      PN_ENTRY_ID_HEX);
	if (e->kind == PN_ENTRY_DEL)
		pn_strtab_add(&l->meant, e->target, PN_ENTRY_ID_HEX);
}

/* What today's notes lack of one of before: each line is told, or went on
 * purpose where it is not behind the move, either. So did what a tombstone of
 * them names, which the tips of before may have without it. */
static void look_at_note(struct lost *l, struct way *way,
			 const struct pn_oid *commit)
{
	struct pn_lost_note note = {*pn_notes_tip(way->then), *commit};
	size_t i = 0, count, before = l->report->lost.count;
	struct pn_buf ours = {0}, lines = {0};
	const struct pn_entry *all;
	struct pn_arena arena = {0};
	bool meant;

	find_lines(&lines, &ours, l->notes, way->then, commit);
	pn_entries_parse_all(&all, &count, &arena, pn_buf_text(&lines),
			     lines.len);
	while (i < count && !is_news(l, commit, &all[i]))
		i++;
	meant = i < count && is_meant(l, way, commit);
	if (meant) {
		pn_buf_clear(&lines);
		pn_buf_clear(&ours);
		find_lines(&lines, &ours, way->behind, way->then, commit);
		pn_entries_parse_all(&all, &count, &arena, pn_buf_text(&lines),
				     lines.len);
		i = 0;
	}
	for (; i < count; i++)
		if (is_news(l, commit, &all[i]))
			note_line(l, meant, commit, &all[i]);
	if (l->report->lost.count > before)
		pn_buf_add(&l->report->to_bring, &note, sizeof(note));
	pn_arena_release(&arena);
	pn_buf_release(&lines);
	pn_buf_release(&ours);
}

/* The notes that a move has changed. Tips of which objects are gone, or that
 * are of a later version, say nothing. */
static void look_at_move(struct lost *l, const struct pn_notes_move *move)
{
	struct pn_buf commits = {0};
	struct way way = {.move = move, .commits = &commits};
	struct pn_oid commit;
	size_t at;

	pn_oid_hex(l->by, &move->to);
	if (open_here(&way.then, l, &move->from) &&
	    open_here(&way.behind, l, &move->to) &&
	    pn_notes_differing(&commits, way.then, way.behind, NULL))
		pn_buf_clear(&commits);
	for (at = 0; at < commits.len; at += PN_OID_BYTES) {
		memcpy(commit.bytes, commits.data + at, PN_OID_BYTES);
		look_at_note(l, &way, &commit);
	}
	pn_notes_free(way.then);
	pn_notes_free(way.behind);
	pn_buf_release(&commits);
}

int pn_lost_find(struct pn_verify_report *report, struct pn_repo *repo,
		 struct pn_notes *notes, struct pn_error *err)
{
	struct lost l = {.report = report, .repo = repo, .notes = notes};
	struct pn_notes_move move;
	struct pn_buf moves = {0};
	size_t at;
	int code = pn_notes_moves(&moves, notes, err);

	for (at = 0; !code && at < moves.len; at += sizeof(move)) {
		memcpy(&move, moves.data + at, sizeof(move));
		look_at_move(&l, &move);
	}
	pn_strtab_release(&l.meant);
	pn_buf_release(&moves);
	return code;
}

/* Those lines that were told; how many. */
static size_t add_told(struct pn_buf *text, const struct pn_strtab *told,
		       const struct pn_buf *lines)
{
	const struct pn_entry *all;
	struct pn_arena arena = {0};
	size_t i, count, added = 0;

	pn_entries_parse_all(&all, &count, &arena, pn_buf_text(lines),
			     lines->len);
	for (i = 0; i < count; i++) {
		if (!has_id(told, all[i].id))
			continue;
		if (text->len && text->data[text->len - 1] != '\n')
			pn_buf_add_byte(text, '\n');
		pn_buf_add(text, all[i].line, all[i].line_len);
		pn_buf_add_byte(text, '\n');
		added++;
	}
	pn_arena_release(&arena);
	return added;
}

/* What would be too long to be read stays lost: the next look says so. */
static int bring_note(size_t *lines, uint64_t *bytes, struct pn_notes *notes,
		      struct pn_notes *then, const struct pn_strtab *told,
		      const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_buf text = {0}, more = {0};
	size_t added;
	int code = 0;

	find_lines(&more, &text, notes, then, commit);
	added = add_told(&text, told, &more);
	*bytes += text.len;
	if (added && text.len <= PN_NOTE_MAX && *bytes <= BRING_MAX) {
		code = pn_notes_stage_note(notes, commit, text.data, text.len,
					   err);
		*lines += added;
	}
	pn_buf_release(&text);
	pn_buf_release(&more);
	return code;
}

/* By their ids, wherever they are. */
static int anchor(struct pn_repo *repo, struct pn_notes *notes,
		  struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	bool lacks;
	int code = pn_needed_bodies_read(&needed, repo, notes, err);

	if (!code)
		code = pn_needed_bodies_anchor(&lacks, false, repo, notes,
					       needed, err);
	pn_needed_bodies_free(needed);
	/* a note that nobody can read: each body is looked for then */
	return code == PN_ELIMIT ? 0 : code;
}

int pn_lost_bring(size_t *lines, struct pn_repo *repo, struct pn_notes *notes,
		  const struct pn_verify_report *report, struct pn_error *err)
{
	struct pn_notes *then = NULL;
	struct pn_lost_note note;
	uint64_t bytes = 0;
	size_t at;
	int code = 0;

	for (at = 0; !code && at < report->to_bring.len; at += sizeof(note)) {
		memcpy(&note, report->to_bring.data + at, sizeof(note));
		if (then && !pn_oid_equal(pn_notes_tip(then), &note.tip)) {
			pn_notes_free(then);
			then = NULL;
		}
		if (then || !pn_notes_open_at(&then, repo, PN_NOTES_REF,
					      &note.tip, NULL))
			code = bring_note(lines, &bytes, notes, then,
					  &report->lost, &note.commit, err);
	}
	pn_notes_free(then);
	return code || !*lines ? code : anchor(repo, notes, err);
}
