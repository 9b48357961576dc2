/* A commit of git log --graph, line by line. */
#include "vcs/walk/beside.h"

#include <string.h>

void pn_beside_release(struct pn_beside *drawn)
{
	pn_buf_release(&drawn->above);
	pn_buf_release(&drawn->beside);
	pn_buf_release(&drawn->text);
}

/* Whether lines go straight down from here. */
static bool is_at_rest(const char *drawn, size_t len)
{
	for (; len && (*drawn == '|' || *drawn == ' '); len--)
		drawn++;
	return !len;
}

/* Lines that go on to the left, as those that git draws below a commit do and
 * those above one, which make room for it, do not. */
static const char *skip_rest(const char *at, const char *end, bool ended)
{
	const char *feed;

	for (; at < end; at = feed + 1) {
		feed = memchr(at, '\n', (size_t)(end - at));
		if (!feed)
			break;
		if (!memchr(at, '/', (size_t)(feed - at)) ||
		    memchr(at, PN_BESIDE_MARK, (size_t)(feed - at)))
			return at;
	}
	return ended ? at : NULL;
}

size_t pn_beside_length(const char *from, size_t have, bool ended)
{
	const char *at = from, *end = from + have, *feed, *mark, *last = from;
	size_t marked = 0, width = 0;

	for (; marked < PN_BESIDE_LINES; at = feed + 1) {
		feed = memchr(at, '\n', (size_t)(end - at));
		if (!feed)
			return 0;
		mark = memchr(at, PN_BESIDE_MARK, (size_t)(feed - at));
		if (!mark)
			continue;
		last = at;
		width = (size_t)(mark - at);
		marked++;
	}
	if (!is_at_rest(last, width))
		at = skip_rest(at, end, ended);
	return at ? (size_t)(at - from) : 0;
}

bool pn_beside_begins(const char *from, size_t have)
{
	return have && memchr(from, PN_BESIDE_MARK, have);
}

/* What git draws below a last line of lines that go to the left: of those that
 * go down at 2n, or come from the right to 2n + 1, each is the nth. */
static void add_rest(struct pn_buf *out, const char *drawn, size_t len)
{
	size_t columns = 0, i;

	for (i = 0; i < len; i++)
		if (drawn[i] == '|' || drawn[i] == '/')
			columns = i / 2 + 1;
	for (i = 0; i < len; i++)
		pn_buf_add_byte(out, i % 2 || i / 2 >= columns ? ' ' : '|');
	pn_buf_add_byte(out, '\n');
}

/* So that it can be drawn for ever. */
static void end_beside(struct pn_buf *beside)
{
	size_t len = beside->len ? beside->len - 1 : 0, from = len;
	struct pn_buf rest = {0};

	while (from && beside->data[from - 1] != '\n')
		from--;
	len -= from;
	if (is_at_rest((char *)beside->data + from, len))
		return;
	add_rest(&rest, (char *)beside->data + from, len);
	pn_buf_add(beside, rest.data, rest.len);
	pn_buf_release(&rest);
}

/* "<drawn>\1<text>", the `n`th that says something. */
static void take_marked(struct pn_beside *out, size_t n, const char *at,
			const char *mark, const char *feed)
{
	pn_buf_add(&out->beside, at, (size_t)(mark - at));
	pn_buf_add_byte(&out->beside, '\n');
	if (n && n < PN_BESIDE_TEXT)
		pn_buf_add_byte(&out->text, '\n');
	if (n < PN_BESIDE_TEXT)
		pn_buf_add(&out->text, mark + 1, (size_t)(feed - mark - 1));
}

void pn_beside_take(struct pn_beside *out, const char *from, size_t len)
{
	const char *at = from, *feed, *mark;
	size_t marked = 0;

	pn_buf_clear(&out->above);
	pn_buf_clear(&out->beside);
	pn_buf_clear(&out->text);
	for (; at < from + len; at = feed + 1) {
		feed = memchr(at, '\n', (size_t)(from + len - at));
		mark = memchr(at, PN_BESIDE_MARK, (size_t)(feed - at));
		if (mark)
			take_marked(out, marked++, at, mark, feed);
		else
			pn_buf_add(marked ? &out->beside : &out->above, at,
				   (size_t)(feed + 1 - at));
	}
	end_beside(&out->beside);
}
