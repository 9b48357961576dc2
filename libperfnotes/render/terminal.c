/* Writing over what is on a terminal: control sequences of ECMA-48. */
#define _GNU_SOURCE /* struct winsize, TIOCGWINSZ */
#include "render/terminal.h"

#include "base/text/utf8.h"
#include "base/text/width.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SHOW_EVERY_NS 100000000
#define COLUMNS 80	 /* where the terminal does not say how many it has */
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

/* Columns of the terminal; a line that fills the last one may be broken. */
static size_t columns_of(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col)
		return COLUMNS - 1;
	return size.ws_col > 1 ? size.ws_col - 1u : 1;
}

/* Decimal digits, where printf(3) may not be called. */
static size_t add_number(char *to, size_t number)
{
	char digits[20];
	size_t i = 0, n = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (n)
		to[i++] = digits[--n];
	return i;
}

/*
 * What stood there may have been broken into several rows by a terminal that
 * became narrower: all of them are cleared. In one write, by nothing but what a
 * signal handler may call.
 */
static void draw(struct pn_terminal_line *line)
{
	size_t columns = columns_of(line->fd), above = 0, n = 0;
	char bytes[PN_TERMINAL_LINE_MAX + 64];

	if (line->visible && line->width)
		above = (line->width - 1) / (columns + 1);
	if (above) {
		bytes[n++] = '\033';
		bytes[n++] = '[';
		n += add_number(bytes + n, above);
		bytes[n++] = 'A';
	}
	memcpy(bytes + n, CLEAR_LINE, sizeof(CLEAR_LINE) - 1);
	n += sizeof(CLEAR_LINE) - 1;
	if (above)
		bytes[n - 1] = 'J'; /* and all below it */
	if (line->len) {
		size_t len = pn_text_bytes(&line->width, line->text, line->len,
					   columns);

		memcpy(bytes + n, line->text, len);
		n += len;
	}
	if (write(line->fd, bytes, n) < 0)
		line->width = 0;
}

void pn_terminal_line_resize(struct pn_terminal_line *line)
{
	int saved = errno;

	if (line->drawing)
		line->resized = 1;
	else if (line->visible)
		draw(line);
	errno = saved;
}

void pn_terminal_line_show(struct pn_terminal_line *line, FILE *to,
			   const struct pn_buf *text)
{
	size_t taken;

	fflush(to);
	line->drawing = 1;
	line->fd = fileno(to);
	line->len = pn_text_bytes(&taken, pn_buf_text(text), text->len,
				  PN_TERMINAL_LINE_MAX / PN_UTF8_MAX);
	memcpy(line->text, pn_buf_text(text), line->len);
	do {
		line->resized = 0;
		draw(line);
		line->visible = 1;
	} while (line->resized);
	line->drawing = 0;
}

void pn_terminal_line_clear(struct pn_terminal_line *line, FILE *to)
{
	fflush(to);
	line->drawing = 1;
	line->len = 0;
	if (line->visible)
		draw(line);
	line->visible = 0;
	line->width = 0;
	line->drawing = 0;
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
	size_t lines = 0, taken;

	for (; text < end && (stop = memchr(text, '\n', (size_t)(end - text)));
	     text = stop + 1, lines++) {
		pn_buf_add(out, text,
			   pn_text_bytes(&taken, text, (size_t)(stop - text),
					 columns));
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
