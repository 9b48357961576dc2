/*
 * Uniting. Of a commit that has a note on one side only the blob is taken as it
 * is; of others the lines, each once. Equal subtrees are not read.
 *
 * Bodies: all that the others have below objects/ come in. What a tombstone of
 * one side has taken out is still there on the other, so where lines died in a
 * note that differs, a second commit drops the bodies that nobody needs.
 */
#include "storage/exchange/unite.h"

#include "base/alloc.h"
#include "base/text/line_set.h"
#include "storage/exchange/across.h"
#include "storage/needed_bodies.h"
#include "storage/record.h"
#include "storage/retain/sift.h"
#include "vcs/lock.h"
#include "vcs/notes/epoch.h"
#include "vcs/notes/unite.h"
#include "vcs/walk/reach.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 1000
#define SLICE_BYTES (16u << 20) /* of united texts, then they are written */
#define TEXTS_MAX ((uint64_t)1 << 30) /* of united texts of one source */
#define MESSAGE "perf: unite\n"
/* That fail when they are half taken: what is staged begins anew each time. */
#define PASSED_MAX 20

/* Refs that cannot be taken. */
struct passed {
	bool *refs;
	size_t count, late; /* of them PASSED_MAX at most are late */
	size_t first, end;  /* no ref from there on is looked at */
	struct pn_error why;
};

struct unite {
	struct pn_repo *repo;
	struct pn_notes *notes, *theirs;
	struct pn_united *out;
	struct pn_buf dead;	 /* ids of bodies whose line died */
	const struct pn_oid *at; /* the commit of refs[0]; NULL: its tip */
	struct pn_oid base;	 /* the tip that is built upon */
	size_t sources;		 /* that are not part of our history */
	bool lacks;		 /* the first source has not all that we have */
	bool may_forward;	 /* the first source is of refs[0] */
	bool cut;
	bool begun;	      /* of the source something may be staged */
	struct pn_oid target; /* of the first source */
	/* of one source */
	uint64_t united_bytes, slice_bytes;
	bool brings_text, lacks_text;
	struct pn_buf bodies; /* that it has and we have not: ids */
};

static size_t add_lines(struct pn_line_set *set, const struct pn_buf *text)
{
	pn_line_set_add(set, text->data, text->len, 2 * PN_NOTE_MAX,
			2 * PN_NOTE_LINES_MAX);
	return set->count;
}

static int too_much(const struct pn_oid *commit, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, commit);
	return pn_error_set(err, PN_ELIMIT,
			    "the note of commit %s would have more than %u "
			    "lines or %u bytes, or notes to unite have more "
			    "than %llu bytes",
			    hex, PN_NOTE_LINES_MAX, PN_NOTE_MAX,
			    (unsigned long long)TEXTS_MAX);
}

/* Each once; all of them where `needed` is NULL. */
static void stage_bodies(struct unite *u, const struct pn_needed_bodies *needed)
{
	struct pn_oid id;
	size_t at;

	for (at = 0; at < u->bodies.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, u->bodies.data + at, PN_OID_BYTES);
		if (needed && !pn_needed_bodies_has(needed, &id))
			continue;
		pn_notes_stage_reachable(u->notes, &id);
		u->out->bodies++;
	}
	pn_buf_clear(&u->bodies);
}

/* What is staged so far becomes a commit of ours, so that memory is bounded. */
static int write_slice(struct unite *u, struct pn_error *err)
{
	u->slice_bytes = 0;
	stage_bodies(u, NULL);
	return pn_notes_commit(u->notes, MESSAGE, err);
}

static int unite_texts(struct unite *u, const struct pn_oid *commit,
		       const struct pn_buf *ours, const struct pn_buf *theirs,
		       struct pn_error *err)
{
	struct pn_line_set set = {0};
	size_t count, all, alone = add_lines(&set, theirs);
	int code = 0;

	pn_line_set_release(&set);
	count = add_lines(&set, ours);
	all = add_lines(&set, theirs);
	pn_sift_dead_bodies(&u->dead, pn_buf_text(&set.text), set.text.len);
	u->lacks_text |= all > alone;
	if (all > count) {
		u->brings_text = true;
		u->out->commits++;
		u->united_bytes += set.text.len;
		u->slice_bytes += set.text.len;
		if (set.text.len > PN_NOTE_MAX || all > PN_NOTE_LINES_MAX ||
		    u->united_bytes > TEXTS_MAX)
			code = too_much(commit, err);
		else
			code = pn_notes_stage_note(u->notes, commit,
						   set.text.data, set.text.len,
						   err);
	}
	pn_line_set_release(&set);
	if (!code && u->slice_bytes > SLICE_BYTES)
		code = write_slice(u, err);
	return code;
}

static int unite_note(struct unite *u, const struct pn_oid *commit,
		      struct pn_error *err)
{
	struct pn_buf ours = {0}, theirs = {0};
	bool adopted;
	int code = pn_notes_adopt(&adopted, u->notes, u->theirs, commit, err);

	if (code || adopted) {
		u->brings_text |= adopted;
		u->out->commits += adopted;
		return code;
	}
	code = pn_notes_read(&ours, u->notes, commit, err);
	if (!code)
		code = pn_notes_read(&theirs, u->theirs, commit, err);
	if (!code)
		code = unite_texts(u, commit, &ours, &theirs, err);
	pn_buf_release(&ours);
	pn_buf_release(&theirs);
	return code;
}

/* Commits whose notes differ: what they have and we have not, then what we
 * have and they have not. */
static int unite_notes(struct unite *u, struct pn_error *err)
{
	struct pn_buf commits = {0};
	struct pn_oid commit;
	size_t at;
	int code = pn_notes_differing(&commits, u->theirs, u->notes, err);

	if (!code)
		code = pn_notes_differing(&commits, u->notes, u->theirs, err);
	for (at = 0; !code && at < commits.len; at += PN_OID_BYTES) {
		memcpy(commit.bytes, commits.data + at, PN_OID_BYTES);
		code = unite_note(u, &commit, err);
	}
	pn_buf_release(&commits);
	return code;
}

/* Behind a plain `git notes merge` of theirs are bodies that its tree has not.
 */
static int find_behind(struct unite *u, struct pn_error *err)
{
	bool cut = false, has;
	struct pn_buf found = {0};
	struct pn_oid id;
	size_t at;
	int code = pn_notes_reanchor(&found, &cut, u->theirs, err);

	u->cut |= cut;
	for (at = 0; !code && at < found.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, found.data + at, PN_OID_BYTES);
		code = pn_notes_has_body(&has, u->notes, &id, err);
		if (code || has)
			continue;
		pn_buf_add(&u->bodies, id.bytes, PN_OID_BYTES);
		/* its own side may have dropped it */
		pn_buf_add(&u->dead, id.bytes, PN_OID_BYTES);
	}
	pn_buf_release(&found);
	return code;
}

/* Texts and bodies; where no text comes only what ours need: the others are
 * what was taken out here. */
static int unite_all(struct unite *u, struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	int code = pn_notes_lacking_bodies(&u->bodies, u->notes, u->theirs,
					   PN_BODY_MAX_BYTES, err);

	if (!code)
		code = find_behind(u, err);
	if (!code)
		code = unite_notes(u, err);
	if (!code && u->bodies.len && !u->brings_text)
		code = pn_needed_bodies_read(&needed, u->repo, u->notes, err);
	if (!code)
		stage_bodies(u, needed);
	pn_needed_bodies_free(needed);
	return code;
}

/* Whether we have a body that their own notes need and their tree has not. */
static int find_lacks(struct unite *u, struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	struct pn_buf ids = {0};
	struct pn_oid id;
	size_t at;
	int code = pn_notes_lacking_bodies(&ids, u->theirs, u->notes,
					   UINT64_MAX, err);

	if (!code && ids.len)
		code = pn_needed_bodies_read(&needed, u->repo, u->theirs, err);
	for (at = 0; !code && at < ids.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, ids.data + at, PN_OID_BYTES);
		u->lacks |= pn_needed_bodies_has(needed, &id);
	}
	pn_needed_bodies_free(needed);
	pn_buf_release(&ids);
	return code;
}

/* Here is nothing yet: the ref becomes theirs. */
static int begin_with(struct unite *u, struct pn_error *err)
{
	struct pn_buf commits = {0};
	int code = pn_notes_differing(&commits, u->theirs, u->notes, err);

	u->out->commits += commits.len / PN_OID_BYTES;
	pn_buf_release(&commits);
	if (!code)
		code = pn_notes_forward(u->notes, pn_notes_tip(u->theirs),
					MESSAGE, err);
	if (!code)
		code = pn_needed_bodies_reanchor(u->repo, u->notes, err);
	u->base = *pn_notes_tip(u->notes);
	return code;
}

/* Which of both tips the other one's history has: git is asked once. */
static int compare_tips(bool *has, bool *grew, struct unite *u,
			struct pn_error *err)
{
	const struct pn_oid *tip = pn_notes_tip(u->notes);
	const struct pn_oid *theirs = pn_notes_tip(u->theirs);
	struct pn_oid common;
	int code = pn_reach_common(&common, u->repo, tip, theirs, err);

	*has = code == 1 && pn_oid_equal(&common, theirs);
	*grew = code == 1 && !*has && pn_oid_equal(&common, tip);
	return code < 0 ? code : 0;
}

/* What the source has is staged; a parent where it is none yet. */
static int take_source(struct unite *u, bool first, struct pn_error *err)
{
	const struct pn_oid *tip = pn_notes_tip(u->notes);
	const struct pn_oid *theirs = pn_notes_tip(u->theirs);
	bool grew = false, has = false;
	int code = pn_notes_check_format(u->theirs, err);

	u->begun = !code;
	u->brings_text = u->lacks_text = false;
	pn_buf_clear(&u->bodies);
	u->united_bytes = u->slice_bytes = 0;
	if (!code && first && pn_oid_is_zero(tip))
		return begin_with(u, err);
	if (!code && first)
		code = compare_tips(&has, &grew, u, err);
	else if (!code && !pn_oid_is_zero(tip))
		code = pn_reach_from(&has, u->repo, tip, theirs, err);
	if (!code)
		code = unite_all(u, err);
	u->lacks |= u->lacks_text;
	if (!code && grew && !u->lacks) {
		u->may_forward = true;
		u->target = *theirs;
		code = find_lacks(u, err);
	}
	if (!code && !has) {
		u->sources++;
		pn_notes_add_parent(u->notes, theirs, first);
	}
	return code;
}

/* What another epoch has, without its history, where that has nothing else. */
static int take_across(struct unite *u, struct pn_across *across,
		       struct pn_error *err)
{
	int code;

	u->begun = true;
	code = pn_across(across, &u->dead, u->repo, u->notes, u->theirs, err);
	if (!code && across->lacks)
		pn_notes_add_parent(u->notes, pn_notes_tip(u->theirs), false);
	if (across->commits || across->bodies || across->lacks)
		u->sources++;
	return code;
}

/* A compaction of theirs: what comes is written on top of it, what we have
 * first, and the history that it left behind stays behind. */
static int stand_on(struct unite *u, struct pn_error *err)
{
	struct pn_notes *ours = u->notes;
	struct pn_across across = {0};
	struct pn_buf differ = {0};
	int code = pn_notes_differing(&differ, u->theirs, ours, err);

	if (code)
		return code;
	u->out->commits += differ.len / PN_OID_BYTES;
	pn_buf_release(&differ);
	pn_notes_plant(u->theirs, ours);
	u->notes = u->theirs;
	u->theirs = ours;
	u->base = *pn_notes_tip(u->notes);
	code = pn_needed_bodies_reanchor(u->repo, u->notes, err);
	if (!code)
		code = take_across(u, &across, err);
	return code;
}

/* Whether their epoch may become ours. */
static int check_epoch(const struct pn_notes_epoch *ours,
		       const struct pn_notes_epoch *theirs,
		       struct pn_error *err)
{
	if (theirs->number <= ours->number ||
	    theirs->number - ours->number <= PN_EPOCH_STEPS)
		return 0;
	return pn_error_set(err, PN_EREFUSED,
			    "it says epoch %llu, here is epoch %llu: more than "
			    "%llu calls of gc cannot lie between them ('git "
			    "push --force' of refs/notes/perf from a clone "
			    "that has all mends it)",
			    (unsigned long long)theirs->number,
			    (unsigned long long)ours->number,
			    (unsigned long long)PN_EPOCH_STEPS);
}

/* Only the first may begin an epoch here: others may have been left by
 * anybody. */
static int take_theirs(struct unite *u, bool first, struct pn_error *err)
{
	struct pn_notes_epoch ours, theirs;
	struct pn_across across = {0};
	int code = pn_notes_epoch(&ours, u->notes, err);

	if (!code)
		code = pn_notes_epoch(&theirs, u->theirs, err);
	if (!code && first)
		code = check_epoch(&ours, &theirs, err);
	if (code)
		return code;
	if (theirs.number == ours.number ||
	    (first && pn_oid_is_zero(pn_notes_tip(u->notes))))
		return take_source(u, first, err);
	if (first && theirs.number > ours.number)
		return stand_on(u, err);
	code = take_across(u, &across, err);
	u->out->commits += across.commits;
	u->out->bodies += across.bodies;
	return code;
}

static int take_ref(struct unite *u, const char *ref, bool first,
		    struct pn_error *err)
{
	int code = 0;

	if (first && u->at)
		code = pn_notes_open_at(&u->theirs, u->repo, ref, u->at, err);
	else if (*ref)
		code = pn_notes_open(&u->theirs, u->repo, ref, err);
	u->begun = false;
	if (!code && *ref && !pn_oid_is_zero(pn_notes_tip(u->theirs)) &&
	    !pn_oid_equal(pn_notes_tip(u->theirs), pn_notes_tip(u->notes)))
		code = take_theirs(u, first, err);
	pn_notes_free(u->theirs);
	u->theirs = NULL;
	return code;
}

/* Bodies that only lines need that are taken out. */
static int drop_dead(struct unite *u, struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	struct pn_buf gone = {0};
	struct pn_oid id;
	size_t at;
	bool has;
	int code = 0;

	for (at = 0; !code && at < u->dead.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, u->dead.data + at, PN_OID_BYTES);
		code = pn_notes_has_body(&has, u->notes, &id, err);
		if (!code && has && !needed)
			code = pn_needed_bodies_read(&needed, u->repo, u->notes,
						     err);
		if (!code && has)
			code = pn_needed_bodies_drop(&gone, u->repo, u->notes,
						     needed, &id, err);
	}
	if (!code)
		code = pn_notes_commit(u->notes, "perf: drop bodies\n", err);
	pn_needed_bodies_free(needed);
	pn_buf_release(&gone);
	/* a note that nobody can read: a body too many does no harm */
	return code == PN_ELIMIT ? 0 : code;
}

/* The ref becomes theirs, and what a plain merge of theirs lost comes back. */
static int forward(struct unite *u, struct pn_error *err)
{
	int code = pn_notes_forward(u->notes, &u->target, MESSAGE, err);

	if (!code)
		code = pn_needed_bodies_reanchor(u->repo, u->notes, err);
	return code ? code : pn_notes_commit(u->notes, MESSAGE, err);
}

static int write_all(struct unite *u, struct pn_error *err)
{
	bool same = pn_oid_equal(&u->base, pn_notes_tip(u->notes));
	int code;

	if (u->may_forward && !u->lacks && u->sources == 1 && same)
		return forward(u, err);
	if (u->cut)
		pn_notes_set_cut(u->notes, true);
	code = pn_notes_commit(u->notes, MESSAGE, err);
	return code ? code : drop_dead(u, err);
}

/* Whether it is the source's fault, not the machine's. */
static bool is_theirs(int code)
{
	return code == PN_EINVAL || code == PN_ELIMIT || code == PN_EREFUSED ||
	       code == PN_ENOTFOUND || code == PN_ERANGE || code == PN_EFORMAT;
}

/* Anybody may leave an inbox: a bad one must not keep the others from us.
 * PN_ECONFLICT: from the beginning, without it. */
static int pass_over(struct passed *passed, const struct unite *u, size_t i,
		     int code, const struct pn_error *err)
{
	if (!i || !is_theirs(code))
		return code;
	if (!passed->count++) {
		passed->first = i;
		passed->why = *err;
	}
	passed->refs[i] = true;
	if (u->begun && ++passed->late == PASSED_MAX)
		passed->end = i + 1;
	return u->begun ? PN_ECONFLICT : 0;
}

static int take_refs(struct unite *u, const char *const *refs,
		     struct passed *passed, struct pn_error *err)
{
	struct pn_error local = {0};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < passed->end; i++) {
		if (passed->refs[i])
			continue;
		code = take_ref(u, refs[i], !i, &local);
		if (code)
			code = pass_over(passed, u, i, code, &local);
	}
	if (code)
		pn_error_set(err, code, "%s", local.message);
	if (code && code != PN_ECONFLICT)
		pn_error_context(err, "cannot unite with '%s'", refs[i - 1]);
	return code;
}

static int unite_once(struct pn_united *out, struct pn_repo *repo,
		      const char *const *refs, const struct pn_oid *at,
		      struct passed *passed, struct pn_error *err)
{
	struct unite u = {.repo = repo, .out = out, .at = at};
	struct pn_oid before;
	int code = pn_notes_open(&u.notes, repo, PN_NOTES_REF, err);

	memset(out, 0, sizeof(*out));
	if (!code)
		before = u.base = *pn_notes_tip(u.notes);
	if (!code)
		code = pn_notes_check_format(u.notes, err);
	if (!code)
		code = pn_needed_bodies_reanchor(repo, u.notes, err);
	if (!code)
		code = take_refs(&u, refs, passed, err);
	if (!code)
		code = write_all(&u, err);
	if (!code) {
		out->tip = *pn_notes_tip(u.notes);
		out->moved = !pn_oid_equal(&before, &out->tip);
	}
	pn_buf_release(&u.dead);
	pn_buf_release(&u.bodies);
	pn_notes_free(u.notes);
	return code;
}

static int unite(struct pn_united *out, struct pn_repo *repo,
		 const char *const *refs, size_t count, const struct pn_oid *at,
		 struct pn_error *err)
{
	struct pn_lock lock = {.fd = -1};
	struct passed passed = {.end = count};
	int rounds = 0, code = pn_lock_acquire(&lock, repo, err);

	if (code)
		return code;
	passed.refs = pn_calloc(count + 1, sizeof(*passed.refs));
	do {
		code = unite_once(out, repo, refs, at, &passed, err);
	} while (code == PN_ECONFLICT && ++rounds < MAX_ROUNDS);
	pn_lock_release(&lock);
	out->passed = passed.count + (count - passed.end);
	out->first = passed.first;
	out->why = passed.why;
	free(passed.refs);
	return code;
}

int pn_unite(struct pn_united *out, struct pn_repo *repo,
	     const char *const *refs, size_t count, struct pn_error *err)
{
	return unite(out, repo, refs, count, NULL, err);
}

int pn_unite_commit(struct pn_united *out, struct pn_repo *repo,
		    const char *ref, const struct pn_oid *commit,
		    struct pn_error *err)
{
	return unite(out, repo, &ref, 1, commit, err);
}

int pn_unite_left(bool *out, struct pn_repo *repo, const struct pn_oid *tip,
		  const char *ref, const struct pn_oid *at,
		  struct pn_error *err)
{
	struct pn_notes *notes = NULL, *theirs = NULL;
	struct pn_notes_epoch a, b;
	struct pn_across across = {0};
	struct pn_buf dead = {0};
	int code = pn_notes_open_at(&notes, repo, PN_NOTES_REF, tip, err);

	*out = true;
	if (!code)
		code = pn_notes_open_at(&theirs, repo, ref, at, err);
	if (!code)
		code = pn_notes_epoch(&a, notes, err);
	if (!code)
		code = pn_notes_epoch(&b, theirs, err);
	if (!code && a.number != b.number) {
		code = pn_across(&across, &dead, repo, notes, theirs, err);
		*out = across.commits || across.bodies || across.lacks;
	}
	pn_notes_free(notes);
	pn_notes_free(theirs);
	pn_buf_release(&dead);
	return code;
}
