/* Copying entries to rewritten commits of equal trees. */
#include "storage/carry.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "model/entry.h"
#include "storage/needed_bodies.h"
#include "vcs/lock.h"
#include "vcs/notes/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 1000 /* as in store.c */

struct carry {
	struct pn_repo *repo;
	struct pn_notes *notes;
	int64_t last_ns; /* times of copies differ */
	size_t copied;
};

/* What we understand well enough to say it of another commit. */
static bool may_follow(const struct pn_entry *e)
{
	return e->kind == PN_ENTRY_PROFILE || !strcmp(e->kind_text, "skip") ||
	       !strcmp(e->kind_text, "accept");
}

/* What was registered first; copies of copies name it, too. */
static const char *origin_of(const struct pn_entry *e)
{
	const char *from = pn_entry_field(e, "from");

	return *from ? from : e->id;
}

/* Dead ones count: a copy that was removed stays removed. A rebase tells of the
 * first commit and the last one, after each amend told of those between. */
static bool has_it(const struct pn_entry *there, size_t count,
		   const struct pn_entry *e)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(origin_of(&there[i]), origin_of(e)) ||
		    !strcmp(there[i].target, origin_of(e)) ||
		    !strcmp(pn_entry_field(&there[i], "from"), e->id))
			return true;
	return false;
}

/* n, body and base, then from, then the rest, in FORMAT.md's order. */
static size_t make_fields(struct pn_field *out, const struct pn_entry *e,
			  const char *nonce)
{
	size_t i, n = 0, at = 0;

	out[n++] = (struct pn_field){"n", nonce};
	for (i = 0; i < e->field_count; i++) {
		const char *key = e->fields[i].key;

		if (!strcmp(key, "n") || !strcmp(key, "from") ||
		    (!e->has_body &&
		     (!strcmp(key, "body") || !strcmp(key, "base"))))
			continue;
		if (!at && strcmp(key, "body") && strcmp(key, "base")) {
			at = n;
			out[n++] = (struct pn_field){"from", origin_of(e)};
		}
		out[n++] = e->fields[i];
	}
	if (!at)
		out[n++] = (struct pn_field){"from", origin_of(e)};
	return n;
}

static int add_copy(struct pn_buf *note, struct carry *c,
		    const struct pn_entry *e, const struct pn_oid *commit,
		    struct pn_error *err)
{
	struct pn_field *fields =
		pn_calloc(e->field_count + 2, sizeof(*fields));
	struct pn_entry copy = *e;
	char nonce[17];
	int code;

	snprintf(nonce, sizeof(nonce), "%016" PRIx64, pn_hash_random());
	copy.time_ns = pn_time_now_ns();
	if (copy.time_ns <= c->last_ns)
		copy.time_ns = c->last_ns + 1;
	c->last_ns = copy.time_ns;
	copy.commit = *commit;
	copy.field_count = make_fields(fields, e, nonce);
	copy.fields = fields;
	code = pn_entry_write(note, &copy, err);
	free(fields);
	if (!code)
		c->copied++;
	/* the few bytes more may be too many for the longest of lines */
	return code == PN_ELIMIT ? 0 : code;
}

/* A merge may have taken the body, or what it builds on, out of the tree. */
static int keep_body(struct carry *c, const struct pn_entry *e,
		     struct pn_error *err)
{
	struct pn_oid at = e->body;
	bool has = false;
	int code = 0;

	if (!e->has_body)
		return 0;
	while (!code && !has && !pn_oid_is_zero(&at)) {
		code = pn_notes_has_body(&has, c->notes, &at, err);
		if (code || has || !pn_repo_has_object(c->repo, &at))
			break;
		pn_notes_stage_anchor(c->notes, &at);
		at = pn_needed_bodies_base(c->repo, &at);
	}
	return code;
}

static int copy_entries(struct pn_buf *note, struct carry *c,
			const struct pn_entry *entries, size_t count,
			const struct pn_rewrite *pair, struct pn_error *err)
{
	const struct pn_entry *there;
	struct pn_arena arena = {0};
	size_t have, i;
	int code = 0;

	pn_entries_parse_all(&there, &have, &arena, pn_buf_text(note),
			     note->len);
	if (note->len && note->data[note->len - 1] != '\n')
		pn_buf_add_byte(note, '\n');
	for (i = count; !code && i-- > 0;) { /* oldest first */
		if (!may_follow(&entries[i]) ||
		    has_it(there, have, &entries[i]))
			continue;
		code = keep_body(c, &entries[i], err);
		if (!code)
			code = add_copy(note, c, &entries[i], &pair->now, err);
	}
	pn_arena_release(&arena);
	return code;
}

static bool same_tree(struct pn_repo *repo, const struct pn_rewrite *pair)
{
	struct pn_commit_facts old, now;

	return !pn_repo_commit_facts(&old, repo, &pair->old, NULL) &&
	       !pn_repo_commit_facts(&now, repo, &pair->now, NULL) &&
	       pn_oid_equal(&old.tree, &now.tree);
}

static int carry_one(struct carry *c, const struct pn_rewrite *pair,
		     struct pn_error *err)
{
	struct pn_buf old = {0}, now = {0};
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	size_t count, before = c->copied;
	int code = pn_notes_read(&old, c->notes, &pair->old, err);

	if (code || !old.len || !same_tree(c->repo, pair))
		goto out;
	pn_entries_parse(&entries, &count, NULL, &arena, pn_buf_text(&old),
			 old.len);
	code = pn_notes_read(&now, c->notes, &pair->now, err);
	if (!code)
		code = copy_entries(&now, c, entries, count, pair, err);
	if (!code && c->copied > before)
		code = pn_notes_stage_note(c->notes, &pair->now, now.data,
					   now.len, err);
out:
	pn_arena_release(&arena);
	pn_buf_release(&old);
	pn_buf_release(&now);
	return code;
}

static int carry_all(struct carry *c, const struct pn_rewrite *list,
		     size_t count, struct pn_error *err)
{
	char message[64];
	size_t i;
	int code = pn_notes_reopen(c->notes, err);

	if (!code)
		code = pn_needed_bodies_reanchor(c->repo, c->notes, err);
	c->copied = 0;
	for (i = 0; !code && i < count; i++)
		if (!pn_oid_equal(&list[i].old, &list[i].now))
			code = carry_one(c, &list[i], err);
	if (code || !c->copied)
		return code;
	snprintf(message, sizeof(message), "perf: carry %zu\n", c->copied);
	return pn_notes_commit(c->notes, message, err);
}

int pn_store_carry(size_t *copied, struct pn_repo *repo,
		   const struct pn_rewrite *list, size_t count,
		   struct pn_error *err)
{
	struct carry c = {.repo = repo};
	struct pn_lock lock = {.fd = -1};
	int code, rounds = 0;

	code = pn_lock_acquire(&lock, repo, err);
	if (!code)
		code = pn_notes_open(&c.notes, repo, PN_NOTES_REF, err);
	if (!code)
		do {
			code = carry_all(&c, list, count, err);
		} while (code == PN_ECONFLICT && ++rounds < MAX_ROUNDS);
	pn_lock_release(&lock);
	pn_notes_free(c.notes);
	if (!code)
		*copied = c.copied;
	return code;
}
