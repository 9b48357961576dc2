/* Where a view writes. */
#include "render/sink.h"

#include "base/escape.h"
#include "base/text/width.h"

#include <string.h>

void pn_sink_init(struct pn_sink *sink, FILE *to)
{
	memset(sink, 0, sizeof(*sink));
	sink->to = to;
	sink->palette = PN_PALETTE_PLAIN;
	pn_json_writer_init(&sink->json, &sink->text, 0);
}

void pn_sink_colors(struct pn_sink *sink, const struct pn_palette *palette)
{
	if (palette)
		sink->palette = *palette;
}

static void hand_over(struct pn_sink *sink)
{
	if (sink->text.len)
		fwrite(sink->text.data, 1, sink->text.len, sink->to);
	pn_buf_clear(&sink->text);
}

void pn_sink_drain(struct pn_sink *sink)
{
	if (sink->text.len >= PN_SINK_PIECE)
		hand_over(sink);
}

void pn_sink_finish(struct pn_sink *sink)
{
	hand_over(sink);
	pn_buf_release(&sink->text);
}

void pn_sink_name(struct pn_sink *sink, const char *text, size_t len)
{
	pn_escape_terminal(&sink->text, text, len);
}

void pn_sink_lines(struct pn_sink *sink, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		if (!stop)
			stop = end;
		pn_sink_name(sink, text, (size_t)(stop - text));
		if (stop < end)
			pn_buf_add_byte(&sink->text, '\n');
		text = stop + 1;
	}
}

size_t pn_sink_width(const char *text, size_t len)
{
	return pn_text_width(text, len);
}

void pn_sink_right(struct pn_sink *sink, const char *text, size_t width)
{
	struct pn_buf safe = {0};
	size_t have;

	pn_escape_terminal(&safe, text, strlen(text));
	for (have = pn_sink_width(pn_buf_text(&safe), safe.len); have < width;
	     have++)
		pn_buf_add_byte(&sink->text, ' ');
	pn_buf_add(&sink->text, safe.data, safe.len);
	pn_buf_release(&safe);
}
