/* A note's text of any bytes: live records are found, and each one that is
 * written again reads as the same line. */
#include "base/buf.h"
#include "model/entry.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The short way of reading finds the same body, and calls none verbatim that
 * is not. */
static void check_link(const struct pn_entry *e)
{
	bool verbatim = !strcmp(pn_entry_field(e, "body"), "verbatim");
	struct pn_entry_link link;
	bool has = pn_entry_link_parse(&link, e->line, e->line_len);

	if (has != (e->has_body && e->kind != PN_ENTRY_DEL))
		abort();
	if (has && (!pn_oid_equal(&link.body, &e->body) ||
		    (link.verbatim && !verbatim)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	struct pn_buf line = {0};
	size_t i, count, ignored;

	pn_entries_parse(&entries, &count, &ignored, &arena, (const char *)data,
			 size);
	for (i = 0; i < count; i++) {
		struct pn_entry e = entries[i], back;

		check_link(&e);
		pn_buf_clear(&line);
		if (e.kind == PN_ENTRY_DEL || pn_entry_write(&line, &e, NULL))
			continue;
		if (pn_entry_parse(&back, &arena, pn_buf_text(&line),
				   line.len - 1, NULL) ||
		    back.field_count != e.field_count ||
		    back.metric_count != e.metric_count)
			abort();
	}
	pn_buf_release(&line);
	pn_arena_release(&arena);
	return 0;
}
