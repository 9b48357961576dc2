/* What an earlier epoch has and a later one has not seen. */
#include "storage/exchange/replay.h"

#include "base/file.h"
#include "base/text/line_set.h"
#include "model/entry.h"
#include "storage/needed_bodies.h"
#include "storage/record.h"
#include "vcs/notes/unite.h"

#include <stdlib.h>
#include <string.h>

#define DAY_NS ((int64_t)86400 * 1000000000)
#define CLOCKS_NS DAY_NS /* that clocks of two machines may differ by */
#define TEXTS_MAX ((uint64_t)256 << 20) /* bytes of notes that change */

struct replay {
	struct pn_repo *repo;
	struct pn_notes *notes, *older;
	struct pn_notes *base; /* NULL: nothing is out by it */
	int64_t young_ns; /* tombstones from then on are kept without a target
			   */
	uint64_t bytes;
	struct pn_replayed *out;
};

/* One commit's texts. */
struct texts {
	struct pn_arena arena;
	struct pn_buf now, older, base;
	const char **targets,
		**ids; /* that are taken out; that are there now */
	size_t target_count, id_count;
	struct pn_line_set base_lines, lines;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_among(const char *const *list, size_t count, const char *id)
{
	return count && bsearch(&id, list, count, sizeof(*list), by_text);
}

static void add_all(struct pn_line_set *set, const struct pn_buf *text)
{
	pn_line_set_add(set, text->data, text->len, 4 * PN_NOTE_MAX,
			4 * PN_NOTE_LINES_MAX);
}

static void take_ids(struct texts *t)
{
	const struct pn_entry *now, *older;
	size_t i, n = 0, m = 0;

	pn_entries_parse_all(&now, &n, &t->arena, pn_buf_text(&t->now),
			     t->now.len);
	pn_entries_parse_all(&older, &m, &t->arena, pn_buf_text(&t->older),
			     t->older.len);
	t->targets = pn_arena_array(&t->arena, n + m + 1, sizeof(*t->targets));
	t->ids = pn_arena_array(&t->arena, n + 1, sizeof(*t->ids));
	for (i = 0; i < n; i++) {
		t->ids[t->id_count++] = now[i].id;
		if (now[i].kind == PN_ENTRY_DEL)
			t->targets[t->target_count++] = now[i].target;
	}
	for (i = 0; i < m; i++)
		if (older[i].kind == PN_ENTRY_DEL)
			t->targets[t->target_count++] = older[i].target;
	qsort(t->targets, t->target_count, sizeof(*t->targets), by_text);
	qsort(t->ids, t->id_count, sizeof(*t->ids), by_text);
}

/* Whether a line of the older side comes. */
static bool comes(struct texts *t, const struct replay *r, const char *line,
		  size_t len)
{
	struct pn_entry entry = {0};
	size_t count = t->base_lines.count;

	if (!pn_entry_parse(&entry, &t->arena, line, len, NULL)) {
		if (entry.kind == PN_ENTRY_DEL)
			return entry.time_ns >= r->young_ns ||
			       is_among(t->ids, t->id_count, entry.target);
		if (is_among(t->targets, t->target_count, entry.id))
			return false;
	}
	if (!r->base)
		return true;
	pn_line_set_add(&t->base_lines, line, len, 4 * PN_NOTE_MAX,
			4 * PN_NOTE_LINES_MAX);
	return t->base_lines.count > count;
}

static int stage(struct replay *r, struct texts *t, const struct pn_oid *commit,
		 struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];

	r->out->commits++;
	r->bytes += t->lines.text.len;
	if (t->lines.text.len <= PN_NOTE_MAX &&
	    t->lines.count <= PN_NOTE_LINES_MAX && r->bytes <= TEXTS_MAX)
		return pn_notes_stage_note(r->notes, commit, t->lines.text.data,
					   t->lines.text.len, err);
	pn_oid_hex(hex, commit);
	return pn_error_set(err, PN_ELIMIT,
			    "the note of commit %s would have more than %u "
			    "lines or %u bytes, or notes to write anew more "
			    "than %llu bytes",
			    hex, PN_NOTE_LINES_MAX, PN_NOTE_MAX,
			    (unsigned long long)TEXTS_MAX);
}

static int replay_texts(struct replay *r, struct texts *t,
			const struct pn_oid *commit, struct pn_error *err)
{
	const char *at = pn_buf_text(&t->older), *end = at + t->older.len;
	const char *line;
	size_t len, before;

	take_ids(t);
	add_all(&t->lines, &t->now);
	if (r->base)
		add_all(&t->base_lines, &t->base);
	before = t->lines.count;
	while (pn_note_line(&line, &len, &at, end))
		if (comes(t, r, line, len))
			pn_line_set_add(&t->lines, line, len, 4 * PN_NOTE_MAX,
					4 * PN_NOTE_LINES_MAX);
	return t->lines.count > before ? stage(r, t, commit, err) : 0;
}

static int replay_note(struct replay *r, const struct pn_oid *commit,
		       struct pn_error *err)
{
	struct texts t = {0};
	int code = pn_notes_read(&t.now, r->notes, commit, err);

	if (!code)
		code = pn_notes_read(&t.older, r->older, commit, err);
	if (!code && r->base)
		code = pn_notes_read(&t.base, r->base, commit, err);
	if (!code)
		code = replay_texts(r, &t, commit, err);
	pn_line_set_release(&t.base_lines);
	pn_line_set_release(&t.lines);
	pn_buf_release(&t.now);
	pn_buf_release(&t.older);
	pn_buf_release(&t.base);
	pn_arena_release(&t.arena);
	return code;
}

/* Those that are needed now: below objects/ of the older side, or behind a
 * plain merge of it. */
static int replay_bodies(struct replay *r, struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	struct pn_buf bodies = {0};
	struct pn_oid id;
	bool cut, has;
	size_t at;
	int code = pn_notes_lacking_bodies(&bodies, r->notes, r->older,
					   PN_BODY_MAX_BYTES, err);

	if (!code)
		code = pn_notes_reanchor(&bodies, &cut, r->older, err);
	if (!code && bodies.len)
		code = pn_needed_bodies_read(&needed, r->repo, r->notes, err);
	for (at = 0; !code && at < bodies.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, bodies.data + at, PN_OID_BYTES);
		code = pn_notes_has_body(&has, r->notes, &id, err);
		if (code || has || !pn_needed_bodies_has(needed, &id))
			continue;
		pn_notes_stage_reachable(r->notes, &id);
		r->out->bodies++;
	}
	pn_needed_bodies_free(needed);
	pn_buf_release(&bodies);
	return code;
}

/* A base that is younger than what may be missing says nothing: what is not
 * there and has no tombstone was lost, not taken out. */
static bool base_counts(struct pn_notes *notes, struct pn_notes *base,
			struct pn_repo *repo)
{
	struct pn_notes_epoch epoch;
	struct pn_commit_facts facts;

	return base && !pn_notes_epoch(&epoch, notes, NULL) &&
	       !pn_repo_commit_facts(&facts, repo, pn_notes_tip(base), NULL) &&
	       facts.time_s < (epoch.since_ns - CLOCKS_NS) / 1000000000;
}

int pn_replay(struct pn_replayed *out, struct pn_repo *repo,
	      struct pn_notes *notes, struct pn_notes *older,
	      struct pn_notes *base, struct pn_error *err)
{
	struct replay r = {.repo = repo,
			   .notes = notes,
			   .older = older,
			   .young_ns = pn_time_now_ns() -
				       PN_TOMBSTONE_DAYS * DAY_NS,
			   .out = out};
	struct pn_buf commits = {0};
	struct pn_oid commit;
	size_t at;
	int code = pn_notes_differing(&commits, older, notes, err);

	memset(out, 0, sizeof(*out));
	r.base = base_counts(notes, base, r.repo) ? base : NULL;
	for (at = 0; !code && at < commits.len; at += PN_OID_BYTES) {
		memcpy(commit.bytes, commits.data + at, PN_OID_BYTES);
		code = replay_note(&r, &commit, err);
	}
	if (!code)
		code = replay_bodies(&r, err);
	pn_buf_release(&commits);
	return code;
}
