/* What lines say that bodies build on. */
#include "storage/body_chain.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "body/body.h"
#include "vcs/notes/cached.h"
#include "vcs/notes/notes.h"

#include <stdlib.h>
#include <string.h>

struct link {
	struct pn_oid body, base;
};

struct links {
	struct link *items;
	size_t count, cap;
};

bool pn_body_chain_base(struct pn_oid *base, const struct pn_entry *entry)
{
	const char *text = pn_entry_field(entry, "base");

	return strlen(text) == PN_OID_HEX && !pn_oid_parse(base, text);
}

static int take_note(void *arg, const struct pn_oid *commit,
		     const struct pn_buf *text, struct pn_error *err)
{
	struct links *links = arg;
	const struct pn_entry *list;
	struct pn_arena arena = {0};
	struct pn_oid base;
	size_t i, count = 0;

	(void)commit;
	(void)err;
	if (!strstr(pn_buf_text(text), " base="))
		return 0;
	pn_entries_parse(&list, &count, NULL, &arena, pn_buf_text(text),
			 text->len);
	for (i = 0; i < count; i++) {
		if (!list[i].has_body || !pn_body_chain_base(&base, &list[i]))
			continue;
		links->items = pn_grow(links->items, &links->cap,
				       links->count + 1, sizeof(*links->items));
		links->items[links->count++] =
			(struct link){list[i].body, base};
	}
	pn_arena_release(&arena);
	return 0;
}

/* The body is the first member. */
static int compare(const void *a, const void *b)
{
	return pn_oid_cmp(a, b);
}

/* A chain that comes back to itself ends, too. */
static void follow(struct pn_buf *out, const struct links *links,
		   struct pn_oid body)
{
	const struct link *link;
	int depth;

	for (depth = 0; depth < PN_BODY_CHAIN_MAX; depth++) {
		link = bsearch(&body, links->items, links->count, sizeof(*link),
			       compare);
		if (!link)
			return;
		body = link->base;
		pn_buf_add(out, body.bytes, PN_OID_BYTES);
	}
}

void pn_body_chain_told(struct pn_buf *out, struct pn_repo *repo,
			const struct pn_oid *bodies, size_t count)
{
	struct pn_notes *notes = NULL;
	struct links links = {0};
	size_t i;

	if (!pn_notes_open(&notes, repo, PN_NOTES_REF, NULL) &&
	    !pn_notes_each_text(notes, take_note, &links, NULL) &&
	    links.count) {
		qsort(links.items, links.count, sizeof(*links.items), compare);
		for (i = 0; i < count; i++)
			follow(out, &links, bodies[i]);
	}
	pn_notes_free(notes);
	free(links.items);
}
