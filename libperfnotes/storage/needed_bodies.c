/* Bodies that somebody needs. */
#include "storage/needed_bodies.h"

#include "base/alloc.h"
#include "base/strtab.h"
#include "body/body.h"
#include "model/entry.h"
#include "storage/record.h"
#include "vcs/notes/stage.h"

#include <stdlib.h>
#include <string.h>

struct body {
	bool needed;
	bool canonical; /* by some line: it may build on another one */
};

struct pn_needed_bodies {
	struct pn_strtab ids; /* of 20 bytes each; 0 is nobody's */
	struct body *bodies;  /* by id */
	size_t cap;
	bool unsure; /* some body cannot be read: it may build on any */
	bool absent; /* a partial clone lacks some body: it may, too */
};

static uint32_t intern(struct pn_needed_bodies *needed,
		       const struct pn_oid *oid)
{
	uint32_t id = pn_strtab_add(&needed->ids, oid->bytes, PN_OID_BYTES);
	size_t before = needed->cap;

	needed->bodies = pn_grow(needed->bodies, &needed->cap, (size_t)id + 1,
				 sizeof(*needed->bodies));
	if (needed->cap > before)
		memset(needed->bodies + before, 0,
		       (needed->cap - before) * sizeof(*needed->bodies));
	return id;
}

static void take_line(struct pn_needed_bodies *needed, const char *line,
		      size_t len)
{
	struct pn_entry_link link;
	uint32_t id;

	if (!pn_entry_link_parse(&link, line, len))
		return;
	id = intern(needed, &link.body);
	needed->bodies[id].needed = true;
	needed->bodies[id].canonical |= !link.verbatim;
}

/* A line of a later version of git-perf may name bodies where nobody here
 * looks for them. */
static bool is_of_another_version(const char *line, size_t len)
{
	return len > 5 && !memcmp(line, "perf", 4) && line[4] >= '0' &&
	       line[4] <= '9' && memcmp(line, "perf1 ", 6) != 0;
}

/* Of a note in which lines take out others, or bodies, only what they leave is
 * needed. */
static void take_note(struct pn_needed_bodies *needed,
		      const struct pn_buf *text)
{
	const char *at = pn_buf_text(text), *end = at + text->len, *line;
	const struct pn_entry *list;
	struct pn_arena arena = {0};
	size_t i, len, count = 0;
	bool dead = strstr(at, " del ") || /* a word of its own */
		    strstr(at, " " PN_ENTRY_KIND_FIGURES " ");

	while (pn_note_line(&line, &len, &at, end))
		if (is_of_another_version(line, len))
			needed->unsure = true;
		else if (!dead)
			take_line(needed, line, len);
	if (!dead)
		return;
	pn_entries_parse(&list, &count, NULL, &arena, pn_buf_text(text),
			 text->len);
	for (i = 0; i < count; i++)
		if (list[i].has_body)
			take_line(needed, list[i].line, list[i].line_len);
	pn_arena_release(&arena);
}

/* False when the body cannot be read, or only by a newer git-perf; *base is
 * zero when it is no delta. */
static bool read_base(struct pn_oid *base, struct pn_repo *repo,
		      const struct pn_oid *body)
{
	struct pn_body_info info = {0};
	struct pn_buf bytes = {0};
	bool read;

	memset(base, 0, sizeof(*base));
	read = !pn_repo_read_blob(&bytes, repo, body, PN_BODY_MAX_BYTES, NULL);
	if (read)
		read = pn_body_info(&info, bytes.data, bytes.len, NULL) !=
		       PN_EREFUSED;
	if (info.is_delta)
		*base = info.base;
	pn_buf_release(&bytes);
	return read;
}

struct pn_oid pn_needed_bodies_base(struct pn_repo *repo,
				    const struct pn_oid *body)
{
	struct pn_oid base;

	read_base(&base, repo, body);
	return base;
}

/*
 * From a needed body down to its key, by what the bodies themselves say: a
 * line may name a wrong base. A loop ends, because what is needed already was
 * followed or will be. In a partial clone nothing is fetched for this.
 */
static void follow(struct pn_needed_bodies *needed, struct pn_repo *repo,
		   bool partial, uint32_t id)
{
	struct pn_oid self, base;

	for (;;) {
		memcpy(self.bytes, pn_strtab_text(&needed->ids, id),
		       PN_OID_BYTES);
		if (partial && !pn_repo_has_object(repo, &self)) {
			needed->absent = true;
			return;
		}
		if (!read_base(&base, repo, &self)) {
			needed->unsure = true;
			return;
		}
		if (pn_oid_is_zero(&base))
			return;
		id = intern(needed, &base);
		if (needed->bodies[id].canonical)
			return;
		needed->bodies[id].needed = true;
		needed->bodies[id].canonical = true;
	}
}

/* Those that are staged where no note is yet. */
static int take_new_notes(struct pn_needed_bodies *needed,
			  struct pn_notes *notes, struct pn_error *err)
{
	struct pn_buf commits = {0}, text = {0};
	struct pn_oid commit;
	size_t at;
	int code = pn_notes_staged_new(&commits, notes, err);

	for (at = 0; !code && at < commits.len; at += PN_OID_BYTES) {
		memcpy(commit.bytes, commits.data + at, PN_OID_BYTES);
		pn_buf_clear(&text);
		code = pn_notes_read(&text, notes, &commit, err);
		if (!code)
			take_note(needed, &text);
	}
	pn_buf_release(&commits);
	pn_buf_release(&text);
	return code;
}

/* Notes in the order of their commits, as they are or as they will be. */
struct taking {
	struct pn_needed_bodies *needed;
	int (*amend)(struct pn_buf *out, void *arg, const struct pn_oid *commit,
		     const struct pn_buf *text, struct pn_error *err);
	void *arg;
};

static int take_old_note(void *arg, const struct pn_oid *commit,
			 const struct pn_buf *text, struct pn_error *err)
{
	struct taking *t = arg;
	struct pn_buf amended = {0};
	int code = 0;

	if (t->amend)
		code = t->amend(&amended, t->arg, commit, text, err);
	if (!code)
		take_note(t->needed, amended.len ? &amended : text);
	pn_buf_release(&amended);
	return code;
}

static int take_notes(struct taking *t, struct pn_notes *notes,
		      struct pn_error *err)
{
	int code = pn_notes_each_text(notes, take_old_note, t, err);

	return code ? code : take_new_notes(t->needed, notes, err);
}

int pn_needed_bodies_read_as(struct pn_needed_bodies **out,
			     struct pn_repo *repo, struct pn_notes *notes,
			     int (*amend)(struct pn_buf *out, void *arg,
					  const struct pn_oid *commit,
					  const struct pn_buf *text,
					  struct pn_error *err),
			     void *arg, struct pn_error *err)
{
	struct pn_needed_bodies *needed = pn_calloc(1, sizeof(*needed));
	struct taking taking = {needed, amend, arg};
	bool partial = pn_repo_is_partial(repo);
	int code = take_notes(&taking, notes, err);
	size_t i, count;

	if (code) {
		pn_needed_bodies_free(needed);
		return code;
	}
	count = needed->ids.count;
	for (i = 1; i < count; i++)
		if (needed->bodies[i].canonical)
			follow(needed, repo, partial, (uint32_t)i);
	*out = needed;
	return 0;
}

int pn_needed_bodies_read(struct pn_needed_bodies **out, struct pn_repo *repo,
			  struct pn_notes *notes, struct pn_error *err)
{
	return pn_needed_bodies_read_as(out, repo, notes, NULL, NULL, err);
}

bool pn_needed_bodies_has(const struct pn_needed_bodies *needed,
			  const struct pn_oid *body)
{
	uint32_t id;

	return needed->unsure || needed->absent ||
	       (pn_strtab_find(&id, &needed->ids, body->bytes, PN_OID_BYTES) &&
		needed->bodies[id].needed);
}

int pn_needed_bodies_trust(struct pn_needed_bodies *needed,
			   struct pn_repo *repo, struct pn_notes *notes,
			   struct pn_error *err)
{
	struct pn_oid body;
	bool has = true;
	size_t i;
	int code = 0;

	for (i = 1; needed->absent && !code && has && i < needed->ids.count;
	     i++) {
		memcpy(body.bytes, pn_strtab_text(&needed->ids, (uint32_t)i),
		       PN_OID_BYTES);
		if (needed->bodies[i].needed &&
		    !pn_repo_has_object(repo, &body))
			code = pn_notes_has_body(&has, notes, &body, err);
	}
	if (!code && has)
		needed->absent = false;
	return code;
}

int pn_needed_bodies_drop(struct pn_buf *gone, struct pn_repo *repo,
			  struct pn_notes *notes,
			  const struct pn_needed_bodies *needed,
			  const struct pn_oid *body, struct pn_error *err)
{
	struct pn_oid at = *body;
	bool has;
	int i, code;

	for (i = 0; i <= PN_BODY_CHAIN_MAX; i++) {
		if (pn_oid_is_zero(&at) || pn_needed_bodies_has(needed, &at))
			return 0;
		code = pn_notes_has_body(&has, notes, &at, err);
		if (code)
			return code;
		if (has)
			pn_buf_add(gone, at.bytes, PN_OID_BYTES);
		pn_notes_stage_drop(notes, &at);
		at = pn_needed_bodies_base(repo, &at);
	}
	return 0;
}

void pn_needed_bodies_free(struct pn_needed_bodies *needed)
{
	if (!needed)
		return;
	pn_strtab_release(&needed->ids);
	free(needed->bodies);
	free(needed);
}

/* Whether a needed body is not below objects/. */
static int lacks_some(bool *out, const struct pn_needed_bodies *needed,
		      struct pn_notes *notes, struct pn_error *err)
{
	struct pn_oid body;
	bool has = true;
	size_t i;
	int code = 0;

	for (i = 1; !code && has && i < needed->ids.count; i++) {
		if (!needed->bodies[i].needed)
			continue;
		memcpy(body.bytes, pn_strtab_text(&needed->ids, (uint32_t)i),
		       PN_OID_BYTES);
		code = pn_notes_has_body(&has, notes, &body, err);
	}
	*out = !has;
	return code;
}

int pn_needed_bodies_anchor(bool *lacks, bool cut, struct pn_repo *repo,
			    struct pn_notes *notes,
			    const struct pn_needed_bodies *needed,
			    struct pn_error *err)
{
	struct pn_oid body;
	bool has;
	size_t i;
	int code = 0;

	*lacks = cut && (needed->unsure || needed->absent);
	for (i = 1; !code && i < needed->ids.count; i++) {
		if (!needed->bodies[i].needed)
			continue;
		memcpy(body.bytes, pn_strtab_text(&needed->ids, (uint32_t)i),
		       PN_OID_BYTES);
		code = pn_notes_has_body(&has, notes, &body, err);
		if (code || has)
			continue;
		if (pn_repo_has_object(repo, &body))
			pn_notes_stage_anchor(notes, &body);
		else
			*lacks = true;
	}
	return code;
}

int pn_needed_bodies_reanchor(struct pn_repo *repo, struct pn_notes *notes,
			      struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	struct pn_buf ids = {0};
	struct pn_oid id;
	bool cut = false;
	size_t i;
	int code = pn_notes_reanchor(&ids, &cut, notes, err);

	if (!code && (ids.len || cut))
		code = pn_needed_bodies_read(&needed, repo, notes, err);
	if (!code && cut)
		code = lacks_some(&cut, needed, notes, err);
	for (i = 0; needed && i < ids.len; i += PN_OID_BYTES) {
		memcpy(id.bytes, ids.data + i, PN_OID_BYTES);
		if (!pn_needed_bodies_has(needed, &id))
			pn_notes_stage_drop(notes, &id);
	}
	pn_needed_bodies_free(needed);
	pn_buf_release(&ids);
	pn_notes_set_cut(notes, cut || code == PN_ELIMIT);
	/* a note that nobody can read: rather too many than too few */
	return code == PN_ELIMIT ? 0 : code;
}
