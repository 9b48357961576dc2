/* A report as a page: its sections, styles and scripts. */
#include "render/html/html.h"
#include "render/report/parts.h"

#include <string.h>

/* What draws charts is left out where it is not there, see embed.cmake. */
static struct pn_html_page page_of(const char *scripts[6],
				   const char *styles[4])
{
	size_t n = 0, m = 0;

	if (*pn_dygraphs_script) {
		scripts[n++] = pn_dygraphs_script;
		styles[m++] = pn_dygraphs_style;
	}
	scripts[n++] = pn_report_script;
	scripts[n++] = pn_history_script;
	scripts[n++] = pn_flame_script;
	scripts[n++] = pn_profiles_script;
	scripts[n] = NULL;
	styles[m++] = pn_flame_style;
	styles[m++] = pn_report_style;
	styles[m] = NULL;
	return (struct pn_html_page){scripts, styles};
}

static void summary(struct pn_buf *out, const struct pn_reported *r)
{
	size_t i, measured = 0;
	char first[PN_PAGE_DATE], last[PN_PAGE_DATE];

	for (i = 0; i < r->count; i++)
		measured += r->commits[i].measured;
	pn_page_date(last, r->commits[0].author_time_s);
	pn_page_date(first, r->commits[r->count - 1].author_time_s);
	pn_buf_printf(out,
		      "<p>%zu of %zu commits measured, %s to %s; %zu figure%s "
		      "on %zu machine%s.</p>\n",
		      measured, r->count, first, last, r->line_total,
		      r->line_total == 1 ? "" : "s", r->machine_count,
		      r->machine_count == 1 ? "" : "s");
}

static void header(struct pn_buf *out, const struct pn_reported *r)
{
	pn_buf_add_text(out, "<header>\n<h1>");
	pn_page_text(out, r->name);
	pn_buf_add_text(out, ": performance</h1>\n");
	summary(out, r);
	pn_buf_add_text(out, "<nav aria-label=\"sections\"><a "
			     "href=\"#overview\">Overview</a> <a "
			     "href=\"#history\">History</a> <a "
			     "href=\"#profiles\">Profiles</a>");
	if (r->heat)
		pn_buf_add_text(out, " <a href=\"#functions-by-commits\">"
				     "Functions by commits</a>");
	pn_buf_add_text(out, " <button type=\"button\" id=\"theme\" hidden>"
			     "theme</button></nav>\n</header>\n<main>\n");
}

static void footer(struct pn_buf *out)
{
	pn_buf_add_text(out, "</main>\n<footer>\n<p>Made by git perf report. "
			     "This file asks no network.</p>\n");
	if (*pn_dygraphs_licence) {
		pn_buf_add_text(out,
				"<details><summary>The charts are drawn by "
				"dygraphs: its licence</summary>\n<pre "
				"tabindex=\"0\">");
		pn_html_lines(out, pn_dygraphs_licence);
		pn_buf_add_text(out, "</pre></details>\n");
	}
	pn_buf_add_text(out, "</footer>\n");
}

void pn_page_of_profiles(struct pn_sink *out, const struct pn_reported *r,
			 const char *remarks)
{
	static const char *const scripts[] = {pn_report_script, pn_flame_script,
					      pn_profiles_script, NULL};
	static const char *const styles[] = {pn_flame_style, pn_report_style,
					     NULL};
	static const struct pn_html_page page = {scripts, styles};

	pn_html_begin(&out->text, &page, r->name);
	pn_buf_add_text(&out->text, "<header>\n<h1>");
	pn_page_text(&out->text, r->name);
	pn_buf_add_text(&out->text, "</h1>\n<p class=\"lines\">");
	pn_html_lines(&out->text, remarks);
	pn_buf_add_text(&out->text, "</p>\n<nav aria-label=\"page\"><button "
				    "type=\"button\" id=\"theme\" hidden>theme"
				    "</button></nav>\n</header>\n<main>\n");
	pn_page_profiles(out, r);
	pn_buf_add_text(&out->text, "</main>\n");
	pn_html_end(&out->text, &page);
}

void pn_reported_print(FILE *to, const struct pn_reported *r)
{
	const char *scripts[6], *styles[4];
	struct pn_html_page page = page_of(scripts, styles);
	struct pn_buf title = {0};
	struct pn_sink sink;

	pn_sink_init(&sink, to);
	pn_buf_printf(&title, "%s: performance", r->name);
	pn_html_begin(&sink.text, &page, pn_buf_text(&title));
	header(&sink.text, r);
	pn_page_overview(&sink, r);
	pn_page_history(&sink, r);
	pn_page_profiles(&sink, r);
	pn_page_heat(&sink, r);
	footer(&sink.text);
	pn_html_end(&sink.text, &page);
	pn_sink_finish(&sink);
	pn_buf_release(&title);
}
