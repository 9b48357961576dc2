/* Bodies that somebody needs. */
#include "storage/needed.h"

#include "base/alloc.h"
#include "base/strtab.h"
#include "body/body.h"
#include "model/entry.h"
#include "storage/record.h"

#include <stdlib.h>
#include <string.h>

struct body {
	struct pn_oid base; /* zero: none */
	bool known;	    /* some line said what its base is */
	bool needed;
};

struct pn_needed {
	struct pn_strtab ids; /* of 20 bytes each; 0 is nobody's */
	struct body *bodies;  /* by id */
	size_t cap;
};

static uint32_t intern(struct pn_needed *needed, const struct pn_oid *oid)
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

static void take_link(struct pn_needed *needed,
		      const struct pn_entry_link *link, bool live)
{
	uint32_t id = intern(needed, &link->body);
	struct body *body = &needed->bodies[id];

	body->known |= link->sure;
	body->needed |= live;
	if (!pn_oid_is_zero(&link->base))
		body->base = link->base;
}

/* Every line; tombstoned ones tell bases, too: their bodies may still be
 * built on. */
static void take_text(struct pn_needed *needed, const struct pn_buf *text,
		      bool live)
{
	const char *at = pn_buf_text(text), *end = at + text->len, *line;
	struct pn_entry_link link;
	size_t len;

	while (pn_note_line(&line, &len, &at, end))
		if (pn_entry_link_parse(&link, line, len))
			take_link(needed, &link, live);
}

/* Of a note with tombstones only what they leave is needed. */
static void take_living(struct pn_needed *needed, const struct pn_buf *text)
{
	const struct pn_entry *list;
	struct pn_arena arena = {0};
	struct pn_entry_link link;
	size_t i, count;

	pn_entries_parse(&list, &count, NULL, &arena, pn_buf_text(text),
			 text->len);
	for (i = 0; i < count; i++)
		if (pn_entry_link_parse(&link, list[i].line, list[i].line_len))
			take_link(needed, &link, true);
	pn_arena_release(&arena);
}

static int take_note(struct pn_needed *needed, struct pn_notes *notes,
		     const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = pn_notes_read(&text, notes, commit, err);

	if (!code) {
		/* the kind of a line is a word of its own */
		bool dead = strstr(pn_buf_text(&text), " del ") != NULL;

		take_text(needed, &text, !dead);
		if (dead)
			take_living(needed, &text);
	}
	pn_buf_release(&text);
	return code;
}

struct pn_oid pn_needed_base(struct pn_repo *repo, const struct pn_oid *body)
{
	struct pn_body_info info = {0};
	struct pn_oid base = {{0}};
	struct pn_buf bytes = {0};

	if (!pn_repo_read_blob(&bytes, repo, body, PN_BODY_MAX_BYTES, NULL) &&
	    !pn_body_info(&info, bytes.data, bytes.len, NULL) && info.is_delta)
		base = info.base;
	pn_buf_release(&bytes);
	return base;
}

/* From a needed body down to its key. A loop of lines ends, because what is
 * needed already was followed. */
static void follow(struct pn_needed *needed, struct pn_repo *repo, uint32_t id)
{
	for (;;) {
		struct body *body = &needed->bodies[id];
		struct pn_oid base = body->base, self;

		if (!body->known) {
			memcpy(self.bytes, pn_strtab_text(&needed->ids, id),
			       PN_OID_BYTES);
			base = pn_needed_base(repo, &self);
		}
		if (pn_oid_is_zero(&base))
			return;
		id = intern(needed, &base);
		if (needed->bodies[id].needed)
			return;
		needed->bodies[id].needed = true;
	}
}

int pn_needed_read(struct pn_needed **out, struct pn_repo *repo,
		   struct pn_notes *notes, struct pn_error *err)
{
	struct pn_needed *needed = pn_calloc(1, sizeof(*needed));
	struct pn_oid commit, blob, last = {{0}};
	struct pn_notes_iter *iter = NULL;
	size_t i, count;
	int code;

	code = pn_notes_iter_open(&iter, notes, err);
	while (!code &&
	       (code = pn_notes_iter_next(&commit, &blob, iter, err)) > 0) {
		code = 0;
		if (pn_oid_equal(&commit, &last))
			continue; /* a duplicate: its text was united */
		last = commit;
		code = take_note(needed, notes, &commit, err);
	}
	pn_notes_iter_free(iter);
	if (code) {
		pn_needed_free(needed);
		return code;
	}
	count = needed->ids.count;
	for (i = 1; i < count; i++)
		if (needed->bodies[i].needed)
			follow(needed, repo, (uint32_t)i);
	*out = needed;
	return 0;
}

bool pn_needed_has(const struct pn_needed *needed, const struct pn_oid *body)
{
	uint32_t id;

	return pn_strtab_find(&id, &needed->ids, body->bytes, PN_OID_BYTES) &&
	       needed->bodies[id].needed;
}

void pn_needed_free(struct pn_needed *needed)
{
	if (!needed)
		return;
	pn_strtab_release(&needed->ids);
	free(needed->bodies);
	free(needed);
}

int pn_needed_reanchor(struct pn_repo *repo, struct pn_notes *notes,
		       struct pn_error *err)
{
	struct pn_needed *needed = NULL;
	struct pn_buf ids = {0};
	struct pn_oid id;
	size_t i;
	int code = pn_notes_reanchor(&ids, notes, err);

	if (!code && ids.len)
		code = pn_needed_read(&needed, repo, notes, err);
	for (i = 0; needed && i < ids.len; i += PN_OID_BYTES) {
		memcpy(id.bytes, ids.data + i, PN_OID_BYTES);
		if (!pn_needed_has(needed, &id))
			pn_notes_stage_drop(notes, &id);
	}
	pn_needed_free(needed);
	pn_buf_release(&ids);
	/* a note that nobody can read: rather too many than too few */
	return code == PN_ELIMIT ? 0 : code;
}
