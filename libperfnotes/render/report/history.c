/* The figures of a line of commits: a chart each, changes, the commits. */
#include "model/unit.h"
#include "render/html/html.h"
#include "render/quantity.h"
#include "render/report/parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS 8 /* figures beside each commit */

static size_t lines_of(const struct pn_reported *r, size_t first)
{
	size_t i = first;

	while (i < r->line_count && r->lines[i].chart == r->lines[first].chart)
		i++;
	return i - first;
}

static void chart_name(struct pn_buf *out, const struct pn_reported *r,
		       size_t chart)
{
	struct pn_buf text = {0};

	pn_reported_chart_name(&text, r, chart);
	pn_page_text(out, pn_buf_text(&text));
	pn_buf_release(&text);
}

static void latest(struct pn_buf *out, const struct pn_reported_line *line)
{
	struct pn_buf text = {0};

	pn_quantity_text(&text, line->points[line->count - 1].value,
			 (double)NAN, line->course->key.unit);
	pn_page_text(out, pn_buf_text(&text));
	pn_buf_release(&text);
}

static void figure(struct pn_buf *out, const struct pn_reported *r,
		   size_t first, size_t count)
{
	pn_buf_printf(out, "<figure data-chart=\"%zu\"><figcaption><span>",
		      r->lines[first].chart);
	chart_name(out, r, r->lines[first].chart);
	pn_buf_add_text(out, "</span> <b>");
	latest(out, &r->lines[first]);
	pn_buf_add_text(out, "</b></figcaption>");
	pn_page_chart(out, r, first, count, r->count, 320, 80);
	pn_buf_add_text(out, "</figure>\n");
}

static void figures(struct pn_sink *out, const struct pn_reported *r,
		    bool headlines)
{
	size_t i, count;

	pn_buf_add_text(&out->text, "<div class=\"charts\">\n");
	for (i = 0; i < r->line_count; i += count) {
		count = lines_of(r, i);
		if (r->lines[i].headline == headlines)
			figure(&out->text, r, i, count);
		pn_sink_drain(out);
	}
	pn_buf_add_text(&out->text, "</div>\n");
}

static void charts(struct pn_sink *out, const struct pn_reported *r)
{
	size_t i, others = 0;

	for (i = 0; i < r->line_count; i++)
		others += !r->lines[i].headline;
	pn_buf_add_text(&out->text,
			"<div id=\"chart\" hidden></div>\n"
			"<div id=\"compare\" role=\"status\"></div>\n");
	figures(out, r, true);
	if (others) {
		pn_buf_add_text(&out->text, "<details><summary>other "
					    "metrics</summary>\n");
		figures(out, r, false);
		pn_buf_add_text(&out->text, "</details>\n");
	}
	if (r->line_total > r->line_count)
		pn_buf_printf(&out->text,
			      "<p>%zu more are not drawn; git perf report "
			      "--job and --metric choose.</p>\n",
			      r->line_total - r->line_count);
}

static void mark_row(struct pn_buf *out, const struct pn_reported *r,
		     const struct pn_reported_mark *m)
{
	size_t commits = m->oldest - m->newest + 1;
	struct pn_buf text = {0};

	pn_buf_printf(out, "<tr class=\"%s\" data-chart=\"%zu\"><td>",
		      m->accepted	 ? "same"
		      : m->direction > 0 ? "worse"
		      : m->direction < 0 ? "better"
					 : "other",
		      r->lines[m->line].chart);
	pn_page_commit(out, r, m->commit);
	pn_buf_add_text(out, "</td><td class=\"text\">");
	pn_page_text(out, r->commits[m->commit].subject);
	pn_buf_add_text(out, "</td><th scope=\"row\">");
	chart_name(out, r, r->lines[m->line].chart);
	pn_buf_add_text(out, "</th>");
	pn_page_change(&text, m->ratio);
	pn_page_number(out, m->ratio - 1, &text);
	pn_buf_clear(&text);
	if (m->high > m->low) {
		pn_buf_add_byte(&text, '[');
		pn_page_change(&text, m->low);
		pn_buf_add_text(&text, ", ");
		pn_page_change(&text, m->high);
		pn_buf_add_byte(&text, ']');
	}
	pn_page_cell(out, pn_buf_text(&text));
	pn_buf_clear(&text);
	if (m->drift)
		pn_buf_add_text(&text, "a drift");
	else if (commits == 1)
		pn_buf_add_text(&text, "this commit");
	else
		pn_buf_printf(&text, "one of %zu commits", commits);
	if (m->accepted)
		pn_buf_printf(&text, "; accepted by %s: %s", m->accepted->by,
			      m->accepted->reason);
	pn_buf_add_text(out, "<td class=\"text\">");
	pn_page_text(out, pn_buf_text(&text));
	pn_buf_add_text(out, "</td></tr>\n");
	pn_buf_release(&text);
}

static void changes(struct pn_sink *out, const struct pn_reported *r)
{
	static const char *const columns[] = {"commit", "subject", "figure",
					      "change", "95 %",	   "made by",
					      NULL};
	size_t i;

	pn_buf_add_text(&out->text, "<h3>Changes</h3>\n");
	if (!r->mark_count) {
		pn_buf_add_text(&out->text,
				"<p>No change is seen in these commits.</p>\n");
		return;
	}
	pn_page_table(&out->text, "changes", "changes", columns, 1u << 3);
	for (i = 0; i < r->mark_count && i < PN_PAGE_ROWS; i++) {
		mark_row(&out->text, r, &r->marks[i]);
		pn_sink_drain(out);
	}
	pn_page_table_end(&out->text);
	pn_page_more(&out->text, r->mark_count, PN_PAGE_ROWS);
}

/* Figures of a commit: points of a line lie in the order of commits. */
struct column {
	const struct pn_reported_line *line;
	size_t at; /* points that are left: the next one is the newest */
};

static size_t choose_columns(struct column *out, const struct pn_reported *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->line_count && n < COLUMNS; i++)
		if (r->lines[i].headline)
			out[n++] = (struct column){&r->lines[i],
						   r->lines[i].count};
	return n;
}

static void commits_head(struct pn_buf *out, const struct pn_reported *r,
			 const struct column *columns, size_t count)
{
	size_t i;

	pn_buf_add_text(out, "<div class=\"scroll\" tabindex=\"0\" "
			     "role=\"region\" aria-label=\"commits\">"
			     "<table id=\"commits\">\n<thead><tr>"
			     "<th scope=\"col\">commit</th>"
			     "<th scope=\"col\">date</th>"
			     "<th scope=\"col\">author</th>"
			     "<th scope=\"col\">subject</th>");
	for (i = 0; i < count; i++) {
		const struct pn_series *s =
			&columns[i].line->course->key.series;
		struct pn_buf name = {0};

		pn_buf_add_text(out, "<th scope=\"col\" class=\"n\">");
		pn_series_text(&name, s, &columns[i].line->parts);
		pn_page_text(out, pn_buf_text(&name));
		pn_buf_add_byte(out, ' ');
		pn_page_text(out, columns[i].line->course->key.metric);
		pn_buf_add_text(out, "</th>");
		pn_buf_release(&name);
	}
	pn_buf_add_text(out, "</tr></thead>\n<tbody>\n");
	(void)r;
}

static void commit_figure(struct pn_buf *out, struct column *c, size_t commit)
{
	const struct pn_reported_point *p;
	struct pn_buf text = {0};

	if (!c->at || c->line->points[c->at - 1].commit != commit) {
		pn_buf_add_text(out, "<td></td>");
		return;
	}
	p = &c->line->points[--c->at];
	pn_quantity_text(&text, p->value, (double)NAN,
			 c->line->course->key.unit);
	if (p->noisy)
		pn_buf_add_text(&text, " (noisy)");
	pn_page_number(out, p->value, &text);
	pn_buf_release(&text);
}

static void commit_row(struct pn_buf *out, const struct pn_reported *r,
		       size_t commit, struct column *columns, size_t count)
{
	const struct pn_reported_commit *c = &r->commits[commit];
	char date[PN_PAGE_DATE];
	size_t i;

	pn_page_date(date, c->author_time_s);
	pn_buf_add_text(out, "<tr><td>");
	pn_page_commit(out, r, commit);
	pn_buf_printf(out, "</td><td>%s</td>", date);
	pn_page_cell(out, c->author);
	pn_buf_add_text(out, "<td class=\"text\">");
	pn_page_text(out, c->subject);
	if (c->skip) {
		pn_buf_add_text(out, " <i>not measured: ");
		pn_page_text(out, c->skip);
		pn_buf_add_text(out, "</i>");
	}
	if (c->accepted) {
		pn_buf_add_text(out, " <i>accepted by ");
		pn_page_text(out, c->accepted);
		pn_buf_add_text(out, "</i>");
	}
	pn_buf_add_text(out, "</td>");
	for (i = 0; i < count; i++)
		commit_figure(out, &columns[i], commit);
	pn_buf_add_text(out, "</tr>\n");
}

static void commits(struct pn_sink *out, const struct pn_reported *r)
{
	struct column columns[COLUMNS];
	size_t i, n = choose_columns(columns, r);

	pn_buf_add_text(&out->text, "<details><summary>commits and their "
				    "figures</summary>\n");
	commits_head(&out->text, r, columns, n);
	for (i = 0; i < r->count && i < PN_PAGE_ROWS; i++) {
		commit_row(&out->text, r, i, columns, n);
		pn_sink_drain(out);
	}
	pn_page_table_end(&out->text);
	pn_page_more(&out->text, r->count, PN_PAGE_ROWS);
	pn_buf_add_text(&out->text, "</details>\n");
}

/* ---- what the scripts know ---- */

static void json_text(struct pn_buf *out, const char *text)
{
	pn_html_json(out, text, strlen(text));
}

static void json_commits(struct pn_sink *out, const struct pn_reported *r)
{
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_buf_add_text(&out->text, "\"commits\":[");
	for (i = r->count; i-- > 0;) {
		const struct pn_reported_commit *c = &r->commits[i];

		pn_oid_hex(hex, &c->id);
		pn_buf_printf(&out->text, "[\"%s\",%" PRId64 ",", hex,
			      c->author_time_s);
		json_text(&out->text, c->author);
		pn_buf_add_byte(&out->text, ',');
		json_text(&out->text, c->subject);
		pn_buf_add_byte(&out->text, ',');
		json_text(&out->text, c->skip ? c->skip : "");
		pn_buf_add_byte(&out->text, ',');
		json_text(&out->text, c->accepted ? c->accepted : "");
		pn_buf_add_text(&out->text, i ? "],\n" : "]");
		pn_sink_drain(out);
	}
	pn_buf_add_text(&out->text, "]");
}

static void json_values(struct pn_sink *out, const char *key,
			const struct pn_reported_line *line, size_t oldest)
{
	size_t i;

	pn_buf_printf(&out->text, ",\"%s\":[", key);
	for (i = 0; i < line->count; i++) {
		const struct pn_reported_point *p = &line->points[i];

		if (i)
			pn_buf_add_byte(&out->text, ',');
		switch (*key) {
		case 'c':
			pn_buf_printf(&out->text, "%zu", oldest - p->commit);
			break;
		case 'v':
			pn_buf_printf(&out->text, "%.9g", p->value);
			break;
		case 'l':
			pn_buf_printf(&out->text, "%.9g", p->low);
			break;
		case 'h':
			pn_buf_printf(&out->text, "%.9g", p->high);
			break;
		case 'n':
			pn_buf_printf(&out->text, "%" PRIu64, p->n);
			break;
		default:
			pn_buf_add_byte(&out->text, p->noisy ? '1' : '0');
		}
		pn_sink_drain(out);
	}
	pn_buf_add_byte(&out->text, ']');
}

static void json_line(struct pn_sink *out, const struct pn_reported *r,
		      const struct pn_reported_line *line)
{
	static const char *const keys[] = {"c", "v", "low", "high", "n", "q"};
	size_t i;

	pn_buf_add_text(&out->text, "{\"machine\":");
	json_text(&out->text, line->course->key.series.machine);
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		json_values(out, keys[i], line, r->count - 1);
	pn_buf_add_byte(&out->text, '}');
}

static void json_marks(struct pn_sink *out, const struct pn_reported *r,
		       size_t first, size_t count)
{
	size_t i, n = 0, oldest = r->count - 1;

	pn_buf_add_text(&out->text, "],\"marks\":[");
	for (i = 0; i < r->mark_count; i++) {
		const struct pn_reported_mark *m = &r->marks[i];

		if (m->line < first || m->line >= first + count || m->drift)
			continue;
		pn_buf_printf(&out->text, "%s[%zu,%zu,%zu,%d,%.6g,%d]",
			      n++ ? "," : "", oldest - m->commit,
			      m->oldest > oldest ? 0 : oldest - m->oldest,
			      oldest - m->newest, m->direction, m->ratio,
			      m->accepted != NULL);
	}
	pn_buf_add_text(&out->text, "]}");
}

/* The unit in which a chart's values are read, as of its newest one. */
static void json_chart(struct pn_sink *out, const struct pn_reported *r,
		       size_t first, size_t count)
{
	const struct pn_figure *key = &r->lines[first].course->key;
	const struct pn_reported_line *line = &r->lines[first];
	double value = line->points[line->count - 1].value;
	const char *unit;
	double scaled = pn_unit_scale(&unit, value, key->unit, PN_UNIT_AUTO);
	struct pn_buf name = {0};
	size_t i;

	pn_reported_chart_name(&name, r, line->chart);
	pn_buf_printf(&out->text, "%s{\"name\":", first ? ",\n" : "");
	json_text(&out->text, pn_buf_text(&name));
	pn_buf_add_text(&out->text, ",\"unit\":");
	json_text(&out->text, unit);
	pn_buf_printf(&out->text, ",\"scale\":%.17g,\"better\":%d,\"lines\":[",
		      value != 0 ? scaled / value : 1, (int)key->better);
	for (i = 0; i < count; i++) {
		pn_buf_add_text(&out->text, i ? "," : "");
		json_line(out, r, &r->lines[first + i]);
	}
	json_marks(out, r, first, count);
	pn_buf_release(&name);
}

static void data(struct pn_sink *out, const struct pn_reported *r)
{
	size_t i, count;

	pn_buf_add_text(&out->text, "<script id=\"history-data\" "
				    "type=\"application/json\">{\"url\":");
	json_text(&out->text, r->url);
	pn_buf_add_byte(&out->text, ',');
	json_commits(out, r);
	pn_buf_add_text(&out->text, ",\n\"charts\":[");
	for (i = 0; i < r->line_count; i += count) {
		count = lines_of(r, i);
		json_chart(out, r, i, count);
	}
	pn_buf_add_text(&out->text, "]}</script>\n");
}

void pn_page_history(struct pn_sink *out, const struct pn_reported *r)
{
	pn_buf_add_text(&out->text, "<section id=\"history\" "
				    "aria-labelledby=\"h-history\">\n"
				    "<h2 id=\"h-history\">History</h2>\n");
	charts(out, r);
	changes(out, r);
	commits(out, r);
	data(out, r);
	pn_buf_add_text(&out->text, "</section>\n");
}
