/* Profiles of chosen commits: tables of functions, and what the scripts draw
 * flame graphs from. */
#include "base/alloc.h"
#include "render/flame/picture.h"
#include "render/html/html.h"
#include "render/report/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS_LISTED 50  /* without a script */
#define FUNCTIONS_KNOWN 1000 /* with */

static void value(struct pn_buf *out, const struct pn_report *report,
		  int64_t weight)
{
	struct pn_buf text = {0};

	pn_report_value(&text, report, weight);
	pn_page_number(out, pn_report_number(report, weight), &text);
	pn_buf_release(&text);
}

static void share(struct pn_buf *out, const struct pn_report *report,
		  int64_t weight)
{
	double all = pn_report_number(report, report->total);
	struct pn_buf text = {0};
	double part = all > 0 ? pn_report_number(report, weight) / all : 0;

	pn_buf_printf(&text, "%.2f%%", 100 * part);
	pn_page_number(out, part, &text);
	pn_buf_release(&text);
}

static void function_name(struct pn_buf *out, const struct pn_report_node *row,
			  bool json)
{
	struct pn_flame_name of = {row->name, row->name_len};
	struct pn_buf shown = {0};

	pn_flame_name_text(&shown, &of, PN_FLAME_NAME_SHOWN);
	if (json)
		pn_html_json(out, pn_buf_text(&shown), shown.len);
	else
		pn_html_text(out, pn_buf_text(&shown), shown.len);
	pn_buf_release(&shown);
}

static void table(struct pn_sink *out, const struct pn_report *report,
		  size_t number)
{
	static const char *const columns[] = {"self",	 "self %",   "total",
					      "total %", "function", NULL};
	struct pn_buf *text = &out->text;
	char id[32];
	size_t i;

	snprintf(id, sizeof(id), "functions-%zu", number);
	pn_page_table(text, id, "functions", columns, 15);
	for (i = 0; i < report->row_count && i < FUNCTIONS_LISTED; i++) {
		const struct pn_report_node *row = &report->rows[i];

		pn_buf_add_text(text, "<tr>");
		value(text, report, row->flat);
		share(text, report, row->flat);
		value(text, report, row->cum);
		share(text, report, row->cum);
		pn_buf_add_text(text, "<th scope=\"row\" class=\"text\">");
		function_name(text, row, false);
		pn_buf_add_text(text, "</th></tr>\n");
		pn_sink_drain(out);
	}
	pn_page_table_end(text);
	pn_page_more(text, report->row_count, FUNCTIONS_LISTED);
}

static void json_functions(struct pn_buf *out, const struct pn_report *report)
{
	size_t i, n = report->row_count;

	if (n > FUNCTIONS_KNOWN)
		n = FUNCTIONS_KNOWN;
	pn_buf_add_text(out, "\"functions\":[");
	for (i = 0; i < n; i++) {
		pn_buf_add_text(out, i ? ",[" : "[");
		function_name(out, &report->rows[i], true);
		pn_buf_printf(out, ",%.9g,%.9g]",
			      pn_report_number(report, report->rows[i].flat),
			      pn_report_number(report, report->rows[i].cum));
	}
	pn_buf_printf(out, "],\"all\":%.9g,\"more\":%zu,\"graph\":",
		      pn_report_number(report, report->total),
		      report->row_count - n);
}

/* A flame graph's data as it is for a page of its own. */
static void json_graph(struct pn_buf *out, const struct pn_reported_profile *p)
{
	struct pn_flame_drawing drawing = {
		.flame = p->flame, .report = p->report, .scale = 0.1};
	struct pn_sink sink;
	size_t size = 0;
	char *text = NULL;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		pn_alloc_failed(sizeof(FILE));
	pn_sink_init(&sink, memory);
	pn_flame_data(&sink, &drawing);
	pn_sink_finish(&sink);
	fclose(memory);
	pn_buf_add(out, text, size);
	free(text);
}

static void data(struct pn_sink *out, const struct pn_reported *r,
		 const struct pn_reported_profile *p, size_t number)
{
	struct pn_buf json = {0};

	pn_buf_add_byte(&json, '{');
	json_functions(&json, p->report);
	json_graph(&json, p);
	pn_page_source(&json, p);
	pn_buf_add_byte(&json, '}');
	pn_buf_printf(&out->text,
		      "<script class=\"profile\" type=\"application/"
		      "octet-stream\" data-number=\"%zu\" data-commit=\"%zu\" "
		      "data-title=\"",
		      number,
		      p->commit < r->count ? r->count - 1 - p->commit : 0);
	pn_page_text(&out->text, p->title);
	pn_buf_add_text(&out->text, "\">");
	pn_html_packed(&out->text, json.data, json.len);
	pn_buf_add_text(&out->text, "</script>\n");
	pn_buf_release(&json);
	pn_sink_drain(out);
}

static void profile(struct pn_sink *out, const struct pn_reported *r,
		    size_t number)
{
	const struct pn_reported_profile *p = &r->profiles[number];

	pn_buf_printf(&out->text, "<details class=\"profile\"%s><summary>",
		      number ? "" : " open");
	pn_page_text(&out->text, p->title);
	pn_buf_add_text(&out->text, "</summary>\n");
	table(out, p->report, number);
	pn_buf_add_text(&out->text, "</details>\n");
	data(out, r, p, number);
}

/* What is seen until a script draws it, or where none does. */
static void picture(struct pn_sink *out, const struct pn_reported_profile *p)
{
	struct pn_flame_drawing drawing = {
		.flame = p->flame, .report = p->report, .scale = 0.1};

	pn_buf_add_text(&drawing.title, p->title);
	pn_buf_add_text(&out->text, "<div class=\"graph\" id=\"graph\">");
	pn_flame_picture(out, &drawing, false);
	pn_buf_add_text(&out->text, "</div>\n<div id=\"source\" hidden></div>\n"
				    "<div id=\"functions\"></div>\n");
	pn_buf_release(&drawing.title);
}

void pn_page_profiles(struct pn_sink *out, const struct pn_reported *r)
{
	struct pn_buf *text = &out->text;
	size_t i;

	pn_buf_add_text(text, "<section id=\"profiles\" "
			      "aria-labelledby=\"h-profiles\"");
	pn_buf_printf(text, "%s>\n", r->diff ? " data-base=\"1\"" : "");
	pn_buf_add_text(text, "<h2 id=\"h-profiles\">Profiles</h2>\n");
	if (!r->profile_count) {
		pn_buf_add_text(text,
				"<p>No profile with functions is stored of "
				"these commits: <code>git perf collect -c "
				"sample -- &lt;command&gt;</code> and "
				"<code>git perf add</code> store "
				"one.</p>\n</section>\n");
		return;
	}
	if (r->series) {
		pn_buf_add_text(text, "<p>of ");
		pn_page_text(text, r->series);
		pn_buf_add_text(text, "</p>\n");
	}
	pn_buf_add_text(text,
			"<p class=\"tools\" hidden><label>profile "
			"<select id=\"new\"></select></label> <label>compared "
			"with <select id=\"old\"><option value=\"\">nothing"
			"</option></select></label></p>\n");
	picture(out, &r->profiles[0]);
	if (r->diff) {
		pn_buf_add_text(text, "<details class=\"profile\" open>"
				      "<summary>difference</summary>\n");
		pn_flame_functions(out, &(struct pn_flame_drawing){
						.flame = r->profiles[0].flame,
						.diff = r->diff});
		pn_buf_add_text(text, "</details>\n");
	}
	for (i = 0; i < r->profile_count; i++)
		profile(out, r, i);
	pn_buf_add_text(text, "</section>\n");
}
