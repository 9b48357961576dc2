/* What the sections of a page write alike. */
#include "render/report/parts.h"

#include "model/unit.h"
#include "render/html/html.h"

#include <math.h>
#include <string.h>
#include <time.h>

void pn_page_text(struct pn_buf *out, const char *text)
{
	pn_html_text(out, text, strlen(text));
}

void pn_page_table(struct pn_buf *out, const char *id, const char *caption,
		   const char *const *columns, unsigned int numbers)
{
	size_t i;

	pn_buf_printf(out,
		      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"%s\"><table id=\"%s\">\n"
		      "<thead><tr>",
		      caption, id);
	for (i = 0; columns[i]; i++)
		pn_buf_printf(out, "<th scope=\"col\"%s>%s</th>",
			      numbers & 1u << i ? " class=\"n\"" : "",
			      columns[i]);
	pn_buf_add_text(out, "</tr></thead>\n<tbody>\n");
}

void pn_page_table_end(struct pn_buf *out)
{
	pn_buf_add_text(out, "</tbody></table></div>\n");
}

void pn_page_cell(struct pn_buf *out, const char *text)
{
	pn_buf_add_text(out, "<td>");
	pn_page_text(out, text);
	pn_buf_add_text(out, "</td>");
}

void pn_page_number(struct pn_buf *out, double value, const struct pn_buf *text)
{
	pn_buf_add_text(out, "<td class=\"n\"");
	if (!isnan(value))
		pn_buf_printf(out, " data-v=\"%.9g\"", value);
	pn_buf_add_byte(out, '>');
	pn_html_text(out, pn_buf_text(text), text->len);
	pn_buf_add_text(out, "</td>");
}

void pn_page_commit(struct pn_buf *out, const struct pn_reported *r,
		    size_t commit)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &r->commits[commit].id);
	if (*r->url) {
		pn_buf_add_text(out, "<a href=\"");
		pn_page_text(out, r->url);
		pn_buf_printf(out, "%s\" rel=\"noreferrer\">", hex);
	}
	pn_buf_printf(out, "<code>%.*s</code>%s", PN_PAGE_HEX, hex,
		      *r->url ? "</a>" : "");
}

void pn_page_date(char out[PN_PAGE_DATE], int64_t time_s)
{
	time_t t = (time_t)time_s;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(out, PN_PAGE_DATE, "%Y-%m-%d", &tm))
		out[0] = '\0';
}

void pn_page_change(struct pn_buf *out, double ratio)
{
	double percent = 100 * (ratio - 1);

	if (isnan(percent))
		return;
	if (ratio >= 10) {
		pn_buf_printf(out, "x%.0f", ratio);
		return;
	}
	if (percent >= 0)
		pn_buf_add_byte(out, '+');
	pn_unit_fixed(out, percent, fabs(percent) < 1 ? 2 : 1);
	pn_buf_add_byte(out, '%');
}

void pn_page_more(struct pn_buf *out, size_t count, size_t shown)
{
	if (count > shown)
		pn_buf_printf(out, "<p>%zu more are not listed.</p>\n",
			      count - shown);
}
