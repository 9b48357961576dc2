/* Text and graph, line by line. */
#include "render/log/graph.h"

#include <string.h>

#define INDENTED_PART 5	 /* of a line is what graphs indent it by at most */
#define INDENTED_FROM 60 /* columns; narrower ones have none to give away */

static void add_row(struct pn_buf *out, const struct pn_log_row *row,
		    const struct pn_log_ask *ask,
		    const struct pn_palette *palette,
		    struct pn_log_columns *columns)
{
	if (ask->oneline)
		pn_log_line(out, row, palette, ask->verbose, columns);
	else
		pn_log_text(out, row, palette, ask->verbose, columns);
}

/* Without blanks at its end. */
static void add_drawn(struct pn_buf *out, const char *drawn, size_t len)
{
	while (len && drawn[len - 1] == ' ')
		len--;
	pn_buf_add(out, drawn, len);
	pn_buf_add_byte(out, '\n');
}

static void add_above(struct pn_buf *out, const char *above)
{
	size_t len;

	for (; *above; above += len + 1) {
		len = strcspn(above, "\n");
		add_drawn(out, above, len);
	}
}

static size_t widest(const char *beside)
{
	size_t width = 0, len;

	for (; *beside; beside += len + 1) {
		len = strcspn(beside, "\n");
		width = len > width ? len : width;
	}
	return width;
}

/* Whether lines go straight down from here. */
static bool is_at_rest(const char *drawn, size_t len)
{
	return strspn(drawn, "| ") >= len;
}

/* The last of the drawing goes on for as long as the text does, and git goes on
 * to draw where that is short. */
static void add_beside(struct pn_buf *out, const char *next, const char *text)
{
	const char *drawn = next;
	size_t width = 0, len;

	for (; *text; text += len + 1) {
		len = strcspn(text, "\n");
		if (*next) {
			drawn = next;
			width = strcspn(drawn, "\n");
			next += width + 1;
		}
		if (!len) {
			add_drawn(out, drawn, width);
			continue;
		}
		pn_buf_add(out, drawn, width);
		pn_buf_add(out, text, len);
		pn_buf_add_byte(out, '\n');
	}
	for (; *next; next += width + 1) {
		width = strcspn(next, "\n");
		if (is_at_rest(next, width))
			break;
		add_drawn(out, next, width);
	}
}

static size_t most_indented(size_t width, size_t line)
{
	if (line < INDENTED_FROM)
		return 0;
	return width < line / INDENTED_PART ? width : line / INDENTED_PART;
}

void pn_log_graph_text(struct pn_buf *out, const struct pn_log_row *row,
		       const struct pn_log_ask *ask,
		       const struct pn_palette *palette,
		       struct pn_log_columns *columns)
{
	size_t line = columns->line ? columns->line : PN_LOG_COLUMNS, width;
	const size_t was = columns->line;
	struct pn_buf text = {0};

	if (!row->beside) {
		add_row(out, row, ask, palette, columns);
		return;
	}
	width = widest(row->beside);
	columns->drawn = width;
	if (width > columns->drawn_most)
		columns->drawn_most = most_indented(width, line);
	/* a graph that is wider than half of a line leaves that half */
	columns->line = line - (width < line / 2 ? width : line / 2);
	columns->wrap = was ? columns->line : 0;
	add_row(&text, row, ask, palette, columns);
	columns->line = was;
	columns->drawn = columns->wrap = 0;
	add_above(out, row->above);
	add_beside(out, row->beside, pn_buf_text(&text));
	pn_buf_release(&text);
}
