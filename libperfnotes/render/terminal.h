/*
 * What is written over again and again on a terminal: a line that says how far
 * something is, and a block of lines. Both are zeroed before they are shown.
 */
#ifndef PN_RENDER_TERMINAL_H
#define PN_RENDER_TERMINAL_H

#include "base/buf.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PN_TERMINAL_LINE_MAX 1024 /* bytes of a line that are kept */

struct pn_terminal_line {
	int64_t shown_ns;
	const void *about; /* what it was shown of */
	char text[PN_TERMINAL_LINE_MAX];
	size_t len, width; /* of the text; columns of it on the terminal */
	int fd;
	volatile sig_atomic_t visible, drawing, resized;
};

/* Whether it is time to show it: at most ten times a second, and at once when
 * it is about something else than before. Notes both. */
bool pn_terminal_line_due(struct pn_terminal_line *line, const void *about,
			  int64_t now_ns);
/* Cut to the columns of the terminal, so that it never breaks the line. */
void pn_terminal_line_show(struct pn_terminal_line *line, FILE *to,
			   const struct pn_buf *text);
/* The terminal has another size: show it anew, in the place of what is left of
 * it. For the handler of SIGWINCH. */
void pn_terminal_line_resize(struct pn_terminal_line *line);
void pn_terminal_line_clear(struct pn_terminal_line *line, FILE *to);

#define PN_TERMINAL_BLOCK_MAX 8192 /* bytes of a block that are kept */

struct pn_terminal_block {
	char text[PN_TERMINAL_BLOCK_MAX]; /* lines, with their ends */
	size_t len, columns; /* of the terminal when they were shown */
	int fd;
	volatile sig_atomic_t visible, drawing, resized;
};

/* In the place of the one before, each line as wide as the terminal at most.
 * A stream that is none gets the text as it is. */
void pn_terminal_block_show(struct pn_terminal_block *block, FILE *to,
			    const struct pn_buf *text);
/* As pn_terminal_line_resize. */
void pn_terminal_block_resize(struct pn_terminal_block *block);
void pn_terminal_block_clear(struct pn_terminal_block *block, FILE *to);

/* Columns of a line: the terminal's, else $COLUMNS, at most 1,000; 0 where the
 * stream (NULL: a file) is no terminal and nobody says. */
size_t pn_terminal_columns(FILE *to);
/* Whether the locale of the environment has UTF-8; see locale(7). */
bool pn_terminal_is_utf8(void);
/* How many rows of a block fit below a title and a header; ten where the
 * terminal does not say. */
int64_t pn_terminal_rows(FILE *to);

#endif
