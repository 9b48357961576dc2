/* Where a view writes: text is gathered and handed to the stream in pieces. */
#ifndef PN_RENDER_SINK_H
#define PN_RENDER_SINK_H

#include "base/buf.h"
#include "base/json/json.h"
#include "render/palette.h"

#include <stdio.h>

#define PN_SINK_PIECE (64 * 1024)

struct pn_sink {
	FILE *to;
	struct pn_buf text;
	struct pn_json_writer json; /* writes into `text` */
	struct pn_palette palette;  /* plain unless one is set */
};

void pn_sink_init(struct pn_sink *sink, FILE *to);
/* NULL: stay plain. */
void pn_sink_colors(struct pn_sink *sink, const struct pn_palette *palette);
/* Called between rows: hands over what has gathered when it is enough. */
void pn_sink_drain(struct pn_sink *sink);
/* Hands over the rest and releases the memory. */
void pn_sink_finish(struct pn_sink *sink);

/* Names and texts of a profile, safe for a terminal. */
void pn_sink_name(struct pn_sink *sink, const char *text, size_t len);
/* Lines that may hold texts of a profile: line feeds stay. */
void pn_sink_lines(struct pn_sink *sink, const char *text, size_t len);
/* How many characters a text of UTF-8 has. */
size_t pn_sink_width(const char *text, size_t len);
/* Right-aligned in `width` columns, escaped: even a unit is the profile's. */
void pn_sink_right(struct pn_sink *sink, const char *text, size_t width);

#endif
