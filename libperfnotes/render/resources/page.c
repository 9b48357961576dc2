/* Pages of views of resources: a picture, and its numbers as a table. */
#include "render/html/html.h"
#include "render/resources/plot.h"
#include "render/resources/words.h"
#include "render/table_forms.h"

#include <string.h>

extern const char pn_page_script[], pn_page_style[];

static const char *const scripts[] = {pn_page_script, NULL};
static const char *const styles[] = {pn_page_style, pn_plot_style, NULL};
static const struct pn_html_page page = {scripts, styles};

static void said(struct pn_buf *out, const char *remarks)
{
	for (; *remarks; remarks += strcspn(remarks, "\n")) {
		remarks += *remarks == '\n';
		if (!*remarks)
			break;
		pn_buf_add_text(out, "<p>");
		pn_html_text(out, remarks, strcspn(remarks, "\n"));
		pn_buf_add_text(out, "</p>\n");
	}
}

void pn_resources_page(struct pn_sink *out, const char *title,
		       const char *remarks, const struct pn_table *rows,
		       void (*draw)(struct pn_buf *out, const void *of),
		       const void *of)
{
	struct pn_buf *text = &out->text;
	size_t left;

	pn_html_begin(text, &page, title);
	pn_buf_add_text(text, "<header>\n<h1>");
	pn_html_text(text, title, strlen(title));
	pn_buf_add_text(text, "</h1>\n");
	said(text, remarks);
	pn_buf_add_text(text, "</header>\n<main>\n");
	if (draw) {
		pn_buf_add_text(text,
				"<section class=\"picture\" tabindex=\"0\" "
				"aria-label=\"picture\">\n");
		draw(text, of);
		pn_buf_add_text(text, "</section>\n");
	}
	pn_buf_add_text(text,
			"<section>\n<h2>Numbers</h2>\n"
			"<p id=\"pn-filter\" hidden><label>filter <input "
			"type=\"search\"></label></p>\n"
			"<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
			"aria-label=\"numbers\">\n");
	left = pn_print_table_html(out, rows, PN_RESOURCES_ROWS_OF_PAGE);
	pn_buf_add_text(text, "</div>\n");
	if (left)
		pn_buf_printf(text, "<p>%zu more are not listed.</p>\n", left);
	pn_buf_add_text(text, "</section>\n</main>\n");
	pn_html_end(text, &page);
}
