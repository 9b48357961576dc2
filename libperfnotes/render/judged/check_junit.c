/*
 * The verdict on a commit as JUnit's XML, which CI services show as tests: a
 * suite for each series, a case for each metric. What fails the check fails
 * here; what has no verdict is skipped. The shape is that of Jenkins' schema
 * (junit-10.xsd of its xUnit plugin).
 */
#include "render/judged/check_words.h"
#include "render/judged/ci_text.h"
#include "render/judged/why.h"
#include "render/sink.h"

static void add_case(struct pn_buf *out, const struct pn_judge_report *report,
		     const struct pn_judge_row *row)
{
	struct pn_buf text = {0};

	pn_check_series(&text, row);
	pn_buf_add_text(out, "<testcase");
	pn_ci_attribute(out, "classname", &text);
	pn_buf_clear(&text);
	pn_check_metric(&text, row);
	pn_ci_attribute(out, "name", &text);
	pn_buf_clear(&text);
	pn_why_change(&text, report, row);
	if (pn_judge_fails(report, row)) {
		pn_buf_add_text(out, "><failure");
		pn_ci_attribute(out, "message", &text);
		pn_buf_printf(out, " type=\"%s\"/></testcase>\n",
			      pn_verdict_name(row->verdict));
	} else if (pn_judge_is_unknown(row->verdict)) {
		pn_buf_add_text(out, "><skipped");
		pn_ci_attribute(out, "message", &text);
		pn_buf_add_text(out, "/></testcase>\n");
	} else {
		pn_buf_add_text(out, "><system-out>");
		pn_ci_xml(out, pn_buf_text(&text));
		pn_buf_add_text(out, "</system-out></testcase>\n");
	}
	pn_buf_release(&text);
}

static void print_junit(FILE *to, const struct pn_judge_report *report,
			const struct pn_check_print *print)
{
	const struct pn_judge *j = report->judge;
	size_t i, failed = 0, skipped = 0;
	struct pn_buf title = {0};
	struct pn_sink sink;

	(void)print;
	for (i = 0; i < j->count; i++) {
		failed += pn_judge_fails(report, &j->rows[i]);
		skipped += pn_judge_is_unknown(j->rows[i].verdict) &&
			   !pn_judge_fails(report, &j->rows[i]);
	}
	pn_check_title(&title, report);
	pn_sink_init(&sink, to);
	pn_buf_add_text(&sink.text,
			"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			"<testsuites>\n<testsuite");
	pn_ci_attribute(&sink.text, "name", &title);
	pn_buf_printf(&sink.text,
		      " tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
		      "skipped=\"%zu\">\n",
		      j->count, failed, skipped);
	for (i = 0; i < j->count; i++) {
		add_case(&sink.text, report, &j->rows[i]);
		pn_sink_drain(&sink);
	}
	pn_buf_add_text(&sink.text, "</testsuite>\n</testsuites>\n");
	pn_sink_finish(&sink);
	pn_buf_release(&title);
}

const struct pn_check_format pn_check_junit = {
	.name = "junit",
	.print = print_junit,
};
