/*
 * Lines of texts, each kept once, in the order in which they came first. Blank
 * lines only hold others apart: none stands at the beginning, at the end or
 * beside another one. Begin with a zeroed struct.
 */
#ifndef PN_TEXT_LINE_SET_H
#define PN_TEXT_LINE_SET_H

#include "base/buf.h"
#include "base/slots.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_line_set {
	struct pn_buf text;    /* the lines, with a line feed behind each */
	struct pn_slots slots; /* where in `text` each begins */
	size_t count;
	size_t repeated; /* lines left out, because they were there */
	bool apart;	 /* a blank line came last */
};

void pn_line_set_release(struct pn_line_set *set);

/*
 * Add each line of `bytes`. PN_ELIMIT (no message) when `text` would have more
 * than `max_bytes`, or `count` be more than `max_lines`; what came before is
 * in then. max_bytes is below 2^32. Time O(len), memory that of the text and
 * up to 32 bytes a line.
 */
int pn_line_set_add(struct pn_line_set *set, const void *bytes, size_t len,
		    size_t max_bytes, size_t max_lines);

#endif
