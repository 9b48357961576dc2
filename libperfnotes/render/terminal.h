/*
 * What is written over again and again on a terminal: a line that says how far
 * something is, and a block of lines. Both are zeroed before they are shown.
 */
#ifndef PN_RENDER_TERMINAL_H
#define PN_RENDER_TERMINAL_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct pn_terminal_line {
	int64_t shown_ns;
	const void *about; /* what it was shown of */
	bool visible;
};

/* Whether it is time to show it: at most ten times a second, and at once when
 * it is about something else than before. Notes both. */
bool pn_terminal_line_due(struct pn_terminal_line *line, const void *about,
			  int64_t now_ns);
void pn_terminal_line_show(struct pn_terminal_line *line, FILE *to,
			   const struct pn_buf *text);
void pn_terminal_line_clear(struct pn_terminal_line *line, FILE *to);

struct pn_terminal_block {
	size_t lines; /* that are on the terminal */
};

/* In the place of the one before, each line as wide as the terminal at most.
 * A stream that is none gets the text as it is. */
void pn_terminal_block_show(struct pn_terminal_block *block, FILE *to,
			    const struct pn_buf *text);
void pn_terminal_block_clear(struct pn_terminal_block *block, FILE *to);

/* How many rows of a block fit below a title and a header; ten where the
 * terminal does not say. */
int64_t pn_terminal_rows(FILE *to);

#endif
