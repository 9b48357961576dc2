/* The verdicts: worst first, and what each rests on. */
#include "render/judged/check_words.h"
#include "render/judged/why.h"
#include "render/quantity.h"
#include "render/report/parts.h"

#include <math.h>
#include <string.h>

#define SENTENCES 5
#define SPARK_COMMITS 50
#define AXIS_PX 160
#define AXIS_MOST                                                              \
	1.0 /* of the logarithm of a ratio: what is farther is cut             \
	     */

static const char *class_of(const struct pn_judge_row *row)
{
	int direction = pn_judge_direction(row->verdict);

	if (direction)
		return direction > 0 ? "worse" : "better";
	return pn_check_is_change(row)		   ? "maybe"
	       : pn_judge_is_unknown(row->verdict) ? "unknown"
						   : "same";
}

static const char *sign_of(const struct pn_judge_row *row)
{
	int direction = pn_judge_direction(row->verdict);

	if (pn_judge_is_unknown(row->verdict))
		return "?";
	if (!direction && !pn_check_is_change(row))
		return "=";
	return row->ratio < 1 ? "\xe2\x96\xbc" : "\xe2\x96\xb2";
}

/* The largest effect that is drawn: one axis for all rows. */
static double axis_of(const struct pn_judge *judge)
{
	double most = 0.05;
	size_t i;

	for (i = 0; i < judge->count; i++) {
		double size = fabs(log(judge->rows[i].ratio));

		if (isfinite(size))
			most = fmax(most, 1.2 * size);
	}
	return fmin(most, AXIS_MOST);
}

static double on_axis(double ratio, double axis)
{
	double at = log(ratio) / axis;

	return AXIS_PX / 2.0 * (1 + fmax(-1, fmin(1, at)));
}

static void forest(struct pn_buf *out, const struct pn_judge_row *row,
		   double axis)
{
	pn_buf_add_text(out, "<td class=\"forest\">");
	if (row->ratio > 0) {
		double at = on_axis(row->ratio, axis);

		pn_buf_printf(out,
			      "<svg width=\"%d\" height=\"16\" "
			      "aria-hidden=\"true\"><path class=\"zero\" "
			      "d=\"M%d 0v16\"/>",
			      AXIS_PX, AXIS_PX / 2);
		if (row->low > 0 && row->high > row->low)
			pn_buf_printf(out,
				      "<path class=\"range\" "
				      "d=\"M%.1f 8H%.1f\"/>",
				      on_axis(row->low, axis),
				      on_axis(row->high, axis));
		pn_buf_printf(out,
			      "<path class=\"effect\" d=\"M%d 8H%.1f\"/>"
			      "<circle cx=\"%.1f\" cy=\"8\" r=\"3.5\"/></svg>",
			      AXIS_PX / 2, at, at);
	}
	pn_buf_add_text(out, "</td>");
}

static void spark(struct pn_buf *out, const struct pn_reported *r,
		  const struct pn_reported_line *line)
{
	pn_buf_add_text(out, "<td>");
	if (line)
		pn_page_chart(out, r, (size_t)(line - r->lines), 1,
			      SPARK_COMMITS, 120, 20);
	pn_buf_add_text(out, "</td>");
}

static void quantity(struct pn_buf *out, const struct pn_judge_row *row,
		     double value)
{
	struct pn_buf text = {0};

	if (!isnan(value))
		pn_quantity_text(&text, value,
				 row->noise > 0 ? fabs(value) * row->noise
						: (double)NAN,
				 row->course->key.unit);
	pn_page_number(out, value, &text);
	pn_buf_release(&text);
}

static void figures(struct pn_buf *out, const struct pn_judge_row *row,
		    double axis)
{
	struct pn_buf text = {0};

	pn_check_change(&text, row);
	pn_page_number(out, row->ratio - 1, &text);
	forest(out, row, axis);
	pn_buf_clear(&text);
	pn_check_interval(&text, row);
	pn_page_cell(out, pn_buf_text(&text));
	quantity(out, row, row->before);
	quantity(out, row, row->after);
	pn_buf_clear(&text);
	pn_buf_printf(&text, "%zu, %zu", row->n[0], row->n[1]);
	pn_page_cell(out, pn_buf_text(&text));
	pn_buf_clear(&text);
	pn_check_seen(&text, row);
	pn_page_number(out, row->least_effect, &text);
	pn_page_cell(out, pn_judge_method_name(row->method));
	pn_buf_release(&text);
}

static void remark(struct pn_buf *out, const struct pn_judge_report *check,
		   const struct pn_judge_row *row)
{
	const struct pn_judge_reason *reason = pn_judge_reason_of(check, row);
	struct pn_buf text = {0};

	pn_check_doubt(&text, row);
	if (!isnan(row->stands.ratio)) {
		pn_buf_add_text(&text, text.len ? "; " : "");
		pn_check_standing(&text, check, row);
	}
	if (row->accepted)
		pn_buf_printf(&text, "accepted by %s: %s", row->accepted->by,
			      row->accepted->reason);
	if (reason) {
		pn_buf_add_text(&text, text.len ? "; " : "");
		pn_why_sentence(&text, reason->why);
	}
	pn_buf_add_text(out, "<td class=\"text\">");
	pn_page_text(out, pn_buf_text(&text));
	pn_buf_add_text(out, "</td>");
	pn_buf_release(&text);
}

static void row(struct pn_sink *out, const struct pn_reported *r,
		const struct pn_judge_row *of, double axis)
{
	const struct pn_reported_line *line =
		pn_reported_line_of(r, &of->course->key);
	struct pn_buf *text = &out->text, name = {0};

	pn_buf_printf(text, "<tr class=\"%s\"", class_of(of));
	if (line)
		pn_buf_printf(text, " data-chart=\"%zu\"", line->chart);
	pn_buf_printf(text,
		      "><td data-v=\"%d\"><span class=\"sign\" "
		      "aria-hidden=\"true\">%s</span> %s</td>",
		      (int)of->verdict, sign_of(of),
		      pn_verdict_name(of->verdict));
	pn_check_series(&name, of);
	pn_buf_add_text(text, "<th scope=\"row\">");
	pn_page_text(text, pn_buf_text(&name));
	pn_buf_add_text(text, "</th>");
	pn_buf_clear(&name);
	pn_check_metric(&name, of);
	pn_page_cell(text, pn_buf_text(&name));
	pn_buf_release(&name);
	figures(text, of, axis);
	spark(text, r, line);
	remark(text, r->check, of);
	pn_buf_add_text(text, "</tr>\n");
	pn_sink_drain(out);
}

static void table(struct pn_sink *out, const struct pn_reported *r)
{
	static const char *const columns[] = {
		"verdict", "series",  "metric", "change", "effect",
		"95 %",	   "before",  "after",	"n",	  "sees",
		"by",	   "history", "why",	NULL};
	const struct pn_judge *judge = r->check->judge;
	double axis = axis_of(judge);
	size_t i;

	pn_buf_add_text(&out->text,
			"<p class=\"tools\" hidden><label>filter <input "
			"type=\"search\" id=\"filter\"></label> "
			"<label><input type=\"checkbox\" id=\"changed\"> "
			"changed only</label> <label>at least <input "
			"type=\"number\" id=\"least\" min=\"0\" step=\"0.1\" "
			"value=\"0\"> %</label> <span id=\"listed\" "
			"role=\"status\"></span></p>\n");
	pn_page_table(&out->text, "verdicts", "verdicts", columns,
		      1u << 3 | 1u << 6 | 1u << 7 | 1u << 9);
	for (i = 0; i < judge->count && i < PN_PAGE_ROWS; i++)
		row(out, r, &judge->rows[i], axis);
	pn_page_table_end(&out->text);
	pn_page_more(&out->text, judge->count, PN_PAGE_ROWS);
}

static void sentences(struct pn_buf *out, const struct pn_reported *r)
{
	const struct pn_judge *judge = r->check->judge;
	struct pn_buf text = {0};
	size_t i, n = 0;

	pn_buf_add_text(out, "<ul class=\"said\">\n");
	for (i = 0; i < judge->count && n < SENTENCES; i++) {
		const struct pn_judge_row *of = &judge->rows[i];

		if (!pn_judge_direction(of->verdict))
			continue;
		pn_check_sentence(&text, r->check, of);
		pn_buf_printf(out,
			      "<li class=\"%s\"><span class=\"sign\" "
			      "aria-hidden=\"true\">%s</span> ",
			      class_of(of), sign_of(of));
		pn_page_text(out, pn_buf_text(&text));
		pn_buf_add_text(out, "</li>\n");
		pn_buf_clear(&text);
		n++;
	}
	if (!n)
		pn_buf_add_text(out, "<li class=\"same\"><span class=\"sign\" "
				     "aria-hidden=\"true\">=</span> nothing "
				     "changed here that is sure</li>\n");
	pn_buf_add_text(out, "</ul>\n");
	pn_buf_release(&text);
}

static bool is_worse(const struct pn_reported_mark *m)
{
	return m->direction > 0 && !m->drift && !m->accepted;
}

static void jump(struct pn_buf *out, const struct pn_reported *r,
		 const struct pn_reported_mark *m)
{
	size_t commits = m->oldest - m->newest + 1;
	struct pn_buf text = {0};

	pn_reported_chart_name(&text, r, r->lines[m->line].chart);
	pn_buf_add_text(&text, " got worse by ");
	pn_page_change(&text, m->ratio);
	pn_buf_add_text(out, "<li class=\"worse\"><span class=\"sign\" "
			     "aria-hidden=\"true\">!</span> ");
	pn_page_text(out, pn_buf_text(&text));
	pn_buf_add_text(out, " at ");
	pn_page_commit(out, r, m->commit);
	pn_buf_clear(&text);
	if (commits > 1)
		pn_buf_printf(&text, ", one of %zu commits", commits);
	else if (r->commits[m->commit].subject)
		pn_buf_printf(&text, ", \"%s\"", r->commits[m->commit].subject);
	pn_page_text(out, pn_buf_text(&text));
	pn_buf_add_text(out, "</li>\n");
	pn_buf_release(&text);
}

/* What got worse on the way and stands: the newest commit beside its past says
 * nothing of that. */
static void jumps(struct pn_buf *out, const struct pn_reported *r)
{
	size_t i, all = 0, n = 0;

	for (i = 0; i < r->mark_count; i++)
		all += is_worse(&r->marks[i]);
	if (!all)
		return;
	pn_buf_printf(out,
		      "<p>%zu confirmed regression%s in these commits, the "
		      "newest first:</p>\n<ul class=\"said\" id=\"jumps\">\n",
		      all, all == 1 ? "" : "s");
	for (i = 0; i < r->mark_count && n < SENTENCES; i++) {
		if (!is_worse(&r->marks[i]))
			continue;
		jump(out, r, &r->marks[i]);
		n++;
	}
	pn_buf_add_text(out, "</ul>\n");
	pn_page_more(out, all, n);
}

void pn_page_overview(struct pn_sink *out, const struct pn_reported *r)
{
	struct pn_buf text = {0};

	pn_buf_add_text(&out->text, "<section id=\"overview\" "
				    "aria-labelledby=\"h-overview\">\n"
				    "<h2 id=\"h-overview\">Overview</h2>\n");
	jumps(&out->text, r);
	if (!r->check) {
		pn_buf_add_text(&out->text, "<p>");
		pn_page_text(&out->text, r->no_check);
		pn_buf_add_text(&out->text, "</p>\n</section>\n");
		return;
	}
	pn_check_title(&text, r->check);
	pn_buf_add_text(&text, ". ");
	pn_check_totals(&text, r->check);
	pn_buf_add_text(&out->text, "<p>");
	pn_page_text(&out->text, pn_buf_text(&text));
	pn_buf_add_text(&out->text, ".</p>\n");
	sentences(&out->text, r);
	table(out, r);
	pn_buf_add_text(&out->text, "</section>\n");
	pn_buf_release(&text);
}
