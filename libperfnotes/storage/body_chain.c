/* What lines say that bodies build on. */
#include "storage/body_chain.h"

#include "base/alloc.h"
#include "body/body.h"
#include "vcs/notes/notes.h"

#include <stdlib.h>
#include <string.h>

#define BASE " base="
#define NOTES_MAX 50000 /* about .3 s: a connection takes no longer */

struct link {
	struct pn_oid body, base;
};

struct links {
	struct link *items;
	size_t count, cap;
	size_t notes; /* that were read */
};

bool pn_body_chain_base(struct pn_oid *base, const struct pn_entry *entry)
{
	const char *text = pn_entry_field(entry, "base");

	return strlen(text) == PN_OID_HEX && !pn_oid_parse(base, text);
}

/* The body is the fifth word of a line (FORMAT.md). */
static const char *body_of(const char *line, const char *end)
{
	int spaces = 0;

	while (line < end && spaces < 4)
		spaces += *line++ == ' ';
	return line;
}

/* Ids of lines are not proved: that would take most of the time. */
static int take_note(void *arg, const struct pn_oid *commit,
		     const struct pn_buf *text, struct pn_error *err)
{
	struct links *links = arg;
	const char *at = pn_buf_text(text), *base, *line, *end;
	struct link link;

	(void)commit;
	(void)err;
	if (links->notes++ == NOTES_MAX)
		return PN_ELIMIT;
	for (; (base = strstr(at, BASE)); at = end) {
		end = base + strcspn(base, "\n");
		for (line = base; line > at && line[-1] != '\n';)
			line--;
		if (pn_oid_parse(&link.body, body_of(line, end)) ||
		    pn_oid_parse(&link.base, base + strlen(BASE)))
			continue;
		links->items = pn_grow(links->items, &links->cap,
				       links->count + 1, sizeof(*links->items));
		links->items[links->count++] = link;
	}
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

	if (!pn_notes_open(&notes, repo, PN_NOTES_REF, NULL))
		(void)pn_notes_each_text(notes, take_note, &links, NULL);
	if (links.count) {
		qsort(links.items, links.count, sizeof(*links.items), compare);
		for (i = 0; i < count; i++)
			follow(out, &links, bodies[i]);
	}
	pn_notes_free(notes);
	free(links.items);
}
