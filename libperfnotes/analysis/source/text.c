/* A source file as lines. */
#include "analysis/source/text.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void pn_source_text_split(struct pn_source_text *text)
{
	const char *bytes = pn_buf_text(&text->bytes);
	size_t at = 0, cap = 0, len = text->bytes.len;

	text->count = 0;
	text->start = pn_grow(NULL, &cap, 1, sizeof(*text->start));
	text->start[0] = 0;
	while (at < len) {
		const char *end = memchr(bytes + at, '\n', len - at);

		at = end ? (size_t)(end - bytes) + 1 : len;
		text->count++;
		text->start = pn_grow(text->start, &cap, text->count + 1,
				      sizeof(*text->start));
		text->start[text->count] = at;
	}
}

const char *pn_source_text_line(size_t *len, const struct pn_source_text *text,
				int64_t number)
{
	const char *bytes = pn_buf_text(&text->bytes);
	size_t first, end;

	if (number < 1 || (uint64_t)number > text->count)
		return NULL;
	first = text->start[number - 1];
	end = text->start[number];
	if (end > first && bytes[end - 1] == '\n')
		end--;
	if (end > first && bytes[end - 1] == '\r')
		end--;
	*len = end - first;
	return bytes + first;
}

void pn_source_text_release(struct pn_source_text *text)
{
	pn_buf_release(&text->bytes);
	free(text->start);
	free(text->missing);
	memset(text, 0, sizeof(*text));
}

void pn_source_texts_release(struct pn_source_texts *texts)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		pn_source_text_release(&texts->items[i]);
	free(texts->items);
	memset(texts, 0, sizeof(*texts));
}
