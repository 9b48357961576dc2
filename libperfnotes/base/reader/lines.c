/* Lines that do not end in the window that the reader shows. */
#include "base/reader/lines.h"

#include <inttypes.h>

/* The last line needs nothing that ends it. */
static void show_last(const char **text, size_t *len, struct pn_lines *lines)
{
	size_t left = lines->have - lines->used;

	*text = NULL;
	*len = 0;
	if (!left)
		return;
	*text = (const char *)lines->window + lines->used;
	*len = left;
	lines->used = lines->have;
	lines->number++;
	if ((*text)[left - 1] == '\r')
		--*len;
}

int pn_lines_refill(const char **text, size_t *len, struct pn_lines *lines,
		    struct pn_error *err)
{
	size_t want = lines->have - lines->used;
	int code;

	do {
		if (want > PN_LINES_MAX_BYTES)
			return pn_error_set(
				err, PN_ELIMIT,
				"line %" PRIu64 ": more than %u bytes",
				lines->number + 1, PN_LINES_MAX_BYTES);
		if (lines->ended) {
			show_last(text, len, lines);
			return 0;
		}
		pn_reader_consume(lines->in, lines->used);
		lines->used = lines->have = 0;
		want = want < PN_READER_WINDOW / 2 ? PN_READER_WINDOW
						   : want * 2;
		code = pn_reader_peek(&lines->window, &lines->have, lines->in,
				      want, err);
		if (code)
			return code;
		lines->ended = lines->have < want;
	} while (!lines->have || !memchr(lines->window, '\n', lines->have));
	return pn_lines_next(text, len, lines, err);
}

int pn_lines_each(struct pn_lines *lines, void *to,
		  int (*take)(void *to, const char *text, size_t len,
			      struct pn_error *err),
		  struct pn_error *err)
{
	const char *text;
	size_t len;
	int code;

	do {
		code = pn_lines_next(&text, &len, lines, err);
		if (code || !text)
			return code;
		code = take(to, text, len, err);
	} while (!code);
	return code;
}

int pn_lines_read(struct pn_reader *in, void *to,
		  int (*take)(void *to, const char *text, size_t len,
			      struct pn_error *err),
		  struct pn_error *err)
{
	struct pn_lines lines = {.in = in};
	int code = pn_lines_each(&lines, to, take, err);

	if (code)
		pn_error_context(err, "line %" PRIu64, lines.number);
	return code;
}
