/* Writing over what is on a terminal: control sequences of ECMA-48. */
#define _GNU_SOURCE /* struct winsize, TIOCGWINSZ */
#include "render/terminal.h"

#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SHOW_EVERY_NS 100000000
#define ROWS 10		 /* where the terminal does not say how many fit */
#define ROWS_AROUND 12	 /* title, header, cursor */
#define UP "\033[%zuA\r" /* CUU */
#define CLEAR_BELOW "\033[J"
#define CLEAR_LINE "\r\033[K"

bool pn_terminal_line_due(struct pn_terminal_line *line, const void *about,
			  int64_t now_ns)
{
	if (line->visible && about == line->about &&
	    now_ns - line->shown_ns < SHOW_EVERY_NS)
		return false;
	line->shown_ns = now_ns;
	line->about = about;
	return true;
}

void pn_terminal_line_show(struct pn_terminal_line *line, FILE *to,
			   const struct pn_buf *text)
{
	line->visible = true;
	fprintf(to, CLEAR_LINE "%s", pn_buf_text(text));
	fflush(to);
}

void pn_terminal_line_clear(struct pn_terminal_line *line, FILE *to)
{
	if (line->visible)
		fputs(CLEAR_LINE, to);
	line->visible = false;
}

/* Rows and columns; false where nobody knows. */
static bool terminal_size(struct winsize *out, FILE *of)
{
	return !ioctl(fileno(of), TIOCGWINSZ, out) && out->ws_row &&
	       out->ws_col;
}

int64_t pn_terminal_rows(FILE *to)
{
	struct winsize size;

	if (!terminal_size(&size, to))
		return ROWS;
	return size.ws_row > ROWS_AROUND + 1 ? size.ws_row - ROWS_AROUND : 1;
}

/* Lines as wide as the terminal: one that it breaks would be two to go up. */
static size_t add_lines(struct pn_buf *out, const struct pn_buf *from,
			size_t columns)
{
	const char *text = pn_buf_text(from), *end = text + from->len, *stop;
	size_t lines = 0, width;

	for (; text < end && (stop = memchr(text, '\n', (size_t)(end - text)));
	     text = stop + 1, lines++) {
		width = (size_t)(stop - text);
		pn_buf_add(out, text, width < columns ? width : columns);
		pn_buf_add_byte(out, '\n');
	}
	return lines;
}

/* In one write, so that it does not flicker. */
void pn_terminal_block_show(struct pn_terminal_block *block, FILE *to,
			    const struct pn_buf *text)
{
	struct pn_buf all = {0};
	struct winsize size;

	if (!isatty(fileno(to))) {
		fwrite(text->data, 1, text->len, to);
		return;
	}
	if (block->lines)
		pn_buf_printf(&all, UP CLEAR_BELOW, block->lines);
	block->lines = add_lines(
		&all, text, terminal_size(&size, to) ? size.ws_col : USHRT_MAX);
	fwrite(all.data, 1, all.len, to);
	fflush(to);
	pn_buf_release(&all);
}

void pn_terminal_block_clear(struct pn_terminal_block *block, FILE *to)
{
	if (block->lines)
		fprintf(to, UP CLEAR_BELOW, block->lines);
	block->lines = 0;
	fflush(to);
}
