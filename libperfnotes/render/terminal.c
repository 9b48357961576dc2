/* Writing over what is on a terminal: control sequences of ECMA-48. */
#define _GNU_SOURCE /* struct winsize, TIOCGWINSZ */
#include "render/terminal.h"

#include "base/number.h"
#include "base/text/utf8.h"
#include "base/text/width.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SHOW_EVERY_NS 100000000
#define COLUMNS 80	 /* where the terminal does not say how many it has */
#define COLUMNS_MAX 1000 /* of a line that is drawn */
#define ROWS 10		 /* where the terminal does not say how many fit */
#define ROWS_AROUND 12	 /* title, header, cursor */
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

size_t pn_terminal_columns(FILE *to)
{
	const char *text = getenv("COLUMNS");
	struct winsize size;
	uint64_t columns = 0;

	if (to && terminal_size(&size, to))
		columns = size.ws_col;
	else if (!text || !pn_number_uint(&columns, text, strlen(text)))
		return 0;
	return columns < COLUMNS_MAX ? (size_t)columns : COLUMNS_MAX;
}

bool pn_terminal_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *value = NULL;
	size_t i;

	for (i = 0; i < 3 && !(value && *value); i++)
		value = getenv(names[i]);
	return value && (strstr(value, "UTF-8") || strstr(value, "utf8") ||
			 strstr(value, "UTF8") || strstr(value, "utf-8"));
}

int64_t pn_terminal_rows(FILE *to)
{
	struct winsize size;

	if (!terminal_size(&size, to))
		return ROWS;
	return size.ws_row > ROWS_AROUND + 1 ? size.ws_row - ROWS_AROUND : 1;
}

static size_t block_columns(int fd)
{
	struct winsize size;

	return !ioctl(fd, TIOCGWINSZ, &size) && size.ws_row && size.ws_col
		       ? size.ws_col
		       : USHRT_MAX;
}

/* The next line of a block, with its end; false: there is none. */
static bool next_line(const char **line, size_t *len,
		      const struct pn_terminal_block *block)
{
	const char *end = block->text + block->len, *stop;

	*line = *line ? *line + *len : block->text;
	if (*line == end)
		return false;
	stop = memchr(*line, '\n', (size_t)(end - *line));
	*len = (size_t)(stop ? stop + 1 - *line : end - *line);
	return true;
}

/* Rows that what is shown takes now: a terminal that became narrower has broken
 * its lines. */
static size_t rows_of(const struct pn_terminal_block *block, size_t columns)
{
	const char *line = NULL;
	size_t len, rows = 0, taken;

	while (next_line(&line, &len, block)) {
		pn_text_bytes(&taken, line, len - 1, block->columns);
		rows += taken > columns ? (taken + columns - 1) / columns : 1;
	}
	return rows;
}

static size_t add_up(char *to, size_t rows)
{
	size_t n = 0;

	if (!rows)
		return 0;
	to[n++] = '\033';
	to[n++] = '[';
	n += add_number(to + n, rows);
	memcpy(to + n, "A\r" CLEAR_BELOW, sizeof("A\r" CLEAR_BELOW) - 1);
	return n + sizeof("A\r" CLEAR_BELOW) - 1;
}

/* In one write, so that it does not flicker, and by nothing but what a signal
 * handler may call. Each line is as wide as the terminal at most: one that it
 * breaks would be two to go up. */
static void draw_block(struct pn_terminal_block *block, size_t above,
		       size_t columns)
{
	char bytes[PN_TERMINAL_BLOCK_MAX + 64];
	const char *line = NULL;
	size_t len, taken, n = add_up(bytes, above), part;

	while (next_line(&line, &len, block)) {
		part = pn_text_bytes(&taken, line, len - 1, columns);
		memcpy(bytes + n, line, part);
		n += part;
		bytes[n++] = '\n';
	}
	block->columns = columns;
	block->visible = write(block->fd, bytes, n) == (ssize_t)n;
}

void pn_terminal_block_resize(struct pn_terminal_block *block)
{
	int saved = errno;
	size_t columns;

	if (block->drawing) {
		block->resized = 1;
	} else if (block->visible) {
		columns = block_columns(block->fd);
		draw_block(block, rows_of(block, columns), columns);
	}
	errno = saved;
}

/* What fits of whole lines. */
static void take_text(struct pn_terminal_block *block,
		      const struct pn_buf *text)
{
	size_t len = text->len;

	if (len > PN_TERMINAL_BLOCK_MAX)
		len = PN_TERMINAL_BLOCK_MAX;
	while (len && pn_buf_text(text)[len - 1] != '\n')
		len--;
	memcpy(block->text, pn_buf_text(text), len);
	block->len = len;
}

void pn_terminal_block_show(struct pn_terminal_block *block, FILE *to,
			    const struct pn_buf *text)
{
	size_t columns, above;

	fflush(to);
	if (!isatty(fileno(to))) {
		fwrite(text->data, 1, text->len, to);
		return;
	}
	block->drawing = 1;
	block->resized = 0;
	block->fd = fileno(to);
	columns = block_columns(block->fd);
	above = block->visible ? rows_of(block, columns) : 0;
	take_text(block, text);
	draw_block(block, above, columns);
	block->drawing = 0;
	if (block->resized)
		pn_terminal_block_resize(block);
}

void pn_terminal_block_clear(struct pn_terminal_block *block, FILE *to)
{
	char bytes[64];
	size_t n;

	fflush(to);
	block->drawing = 1;
	if (block->visible) {
		n = add_up(bytes, rows_of(block, block_columns(block->fd)));
		if (write(block->fd, bytes, n) < 0)
			block->len = 0;
	}
	block->visible = 0;
	block->len = 0;
	block->drawing = 0;
}
