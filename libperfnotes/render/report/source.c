/* The source of a profile's dearest functions, for the scripts. */
#include "model/unit.h"
#include "render/html/html.h"
#include "render/report/parts.h"

#include <inttypes.h>
#include <string.h>

#define LINES 300   /* of a function */
#define COLUMNS 300 /* bytes of a line */

/* Tabs are eight blanks, at most so many bytes. */
static void put_line(struct pn_buf *out, const char *line, size_t len)
{
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < len && text.len < COLUMNS; i++)
		if (line[i] == '\t')
			do
				pn_buf_add_byte(&text, ' ');
			while (text.len % 8);
		else
			pn_buf_add_byte(&text, (unsigned char)line[i]);
	pn_html_json(out, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
}

static void put_lines(struct pn_buf *out, const struct pn_report *report,
		      const struct pn_source_text *text,
		      const struct pn_routine *routine,
		      const struct pn_routine_line *lines)
{
	int64_t number;
	size_t len, at = 0;

	for (number = routine->first;
	     number <= routine->last && number < routine->first + LINES;
	     number++) {
		const char *line = pn_source_text_line(&len, text, number);
		struct pn_routine_line cost =
			pn_routine_cost(routine, lines, number, &at);

		if (!line)
			return;
		pn_buf_printf(out, "%s[%.9g,%.9g,",
			      number > routine->first ? "," : "",
			      pn_report_number(report, cost.flat),
			      pn_report_number(report, cost.cum));
		put_line(out, line, len);
		pn_buf_add_byte(out, ']');
	}
}

void pn_page_source(struct pn_buf *out, const struct pn_reported_profile *p)
{
	const struct pn_report *report = p->source.by_line;
	size_t i, n = 0;

	pn_buf_add_text(out, ",\"source\":[");
	for (i = 0; p->source.routines && i < p->source.routines->routine_count;
	     i++) {
		const struct pn_routine *routine =
			&p->source.routines->routines[i];
		const struct pn_source_text *text;
		const char *name, *file;

		if (!routine->file || routine->file >= p->source.texts->count)
			continue;
		text = &p->source.texts->items[routine->file];
		if (text->missing || !text->count)
			continue;
		name = pn_profile_text(report->profile, routine->name);
		file = pn_strtab_text(&report->nodes.files, routine->file);
		pn_buf_add_text(out, n++ ? ",{\"name\":" : "{\"name\":");
		pn_html_json(out, name, strlen(name));
		pn_buf_add_text(out, ",\"file\":");
		pn_html_json(out, file, strlen(file));
		pn_buf_printf(out, ",\"first\":%" PRId64 ",\"lines\":[",
			      routine->first);
		put_lines(out, report, text, routine,
			  p->source.routines->lines + routine->line_first);
		pn_buf_add_text(out, "]}");
	}
	pn_buf_add_byte(out, ']');
}
