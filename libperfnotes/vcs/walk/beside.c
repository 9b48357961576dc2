/* A commit of git log --graph, line by line. */
#include "vcs/walk/beside.h"

#include <string.h>

void pn_beside_release(struct pn_beside *drawn)
{
	pn_buf_release(&drawn->above);
	pn_buf_release(&drawn->beside);
	pn_buf_release(&drawn->text);
}

size_t pn_beside_length(const char *from, size_t have)
{
	const char *at = from, *end = from + have, *feed;
	size_t marked = 0;

	while (marked < PN_BESIDE_LINES) {
		feed = memchr(at, '\n', (size_t)(end - at));
		if (!feed)
			return 0;
		marked +=
			memchr(at, PN_BESIDE_MARK, (size_t)(feed - at)) != NULL;
		at = feed + 1;
	}
	return (size_t)(at - from);
}

bool pn_beside_begins(const char *from, size_t have)
{
	return have && memchr(from, PN_BESIDE_MARK, have);
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
		if (!mark) {
			pn_buf_add(&out->above, at, (size_t)(feed + 1 - at));
			continue;
		}
		pn_buf_add(&out->beside, at, (size_t)(mark - at));
		pn_buf_add_byte(&out->beside, '\n');
		if (marked && marked < PN_BESIDE_TEXT)
			pn_buf_add_byte(&out->text, '\n');
		if (marked++ < PN_BESIDE_TEXT)
			pn_buf_add(&out->text, mark + 1,
				   (size_t)(feed - mark - 1));
	}
}
