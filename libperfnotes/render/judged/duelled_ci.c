/*
 * Duels as services of CI show them: JUnit's XML, Markdown for comments and
 * summaries, commands of GitHub's workflows. What fails the check fails here.
 */
#include "base/buf.h"
#include "render/judged/ci_text.h"
#include "render/judged/duelled.h"
#include "render/judged/duelled_words.h"

#include <string.h>

static const struct pn_duelled_metric *metric_of(const struct pn_duelled *row,
						 size_t i)
{
	return i < row->metric_count && row->metrics[i].duel->last.pairs
		       ? &row->metrics[i]
		       : NULL;
}

/* Of a job that was not run one row stands, too. */
static size_t rows_of(const struct pn_duelled *row)
{
	size_t n = 0;

	while (metric_of(row, n))
		n++;
	return n ? n : 1;
}

static bool is_broken(const struct pn_duelled *row)
{
	return row->state == PN_DUELLED_NOT_BUILT ||
	       row->state == PN_DUELLED_FAILED;
}

/* What stands beside the one that judges fails nothing. */
static bool fails(const struct pn_duelled *row, size_t i)
{
	return !i && pn_duelled_row_verdict(row) == PN_VERDICT_DEGRADATION;
}

static enum pn_verdict verdict_of(const struct pn_duelled *row, size_t i)
{
	const struct pn_duelled_metric *m = metric_of(row, i);

	return m && row->state == PN_DUELLED_DONE ? pn_duelled_verdict(m)
						  : PN_VERDICT_UNKNOWN;
}

static void add_title(struct pn_buf *out,
		      const struct pn_duelled_report *report)
{
	pn_buf_printf(out, "%.10s beside %.10s, run in turns",
		      report->commits[1], report->commits[0]);
}

static void add_case(struct pn_buf *out, const struct pn_duelled *row, size_t i)
{
	const struct pn_duelled_metric *m = metric_of(row, i);
	struct pn_buf text = {0};

	pn_duelled_name(&text, row);
	pn_buf_add_text(out, "<testcase");
	pn_ci_attribute(out, "classname", &text);
	pn_buf_clear(&text);
	pn_buf_add_text(&text, m ? pn_duelled_title(m) : "run");
	pn_ci_attribute(out, "name", &text);
	pn_buf_clear(&text);
	pn_duelled_sentence(&text, row, m);
	if (fails(row, i) || is_broken(row)) {
		pn_buf_printf(out, "><%s",
			      is_broken(row) ? "error" : "failure");
		pn_ci_attribute(out, "message", &text);
		pn_buf_printf(out, " type=\"%s\"/></testcase>\n",
			      pn_verdict_name(verdict_of(row, i)));
	} else if (verdict_of(row, i) == PN_VERDICT_UNKNOWN) {
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

static void add_junit(struct pn_buf *out,
		      const struct pn_duelled_report *report)
{
	size_t i, k, all = 0, failed = 0, broken = 0, skipped = 0;
	struct pn_buf text = {0};

	for (i = 0; i < report->count; i++) {
		const struct pn_duelled *row = report->rows[i];

		all += rows_of(row);
		failed += fails(row, 0) && !is_broken(row);
		broken += is_broken(row) ? rows_of(row) : 0;
		for (k = 0; k < rows_of(row) && !is_broken(row); k++)
			skipped += verdict_of(row, k) == PN_VERDICT_UNKNOWN;
	}
	add_title(&text, report);
	pn_buf_add_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			     "<testsuites>\n<testsuite");
	pn_ci_attribute(out, "name", &text);
	pn_buf_printf(out,
		      " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
		      "skipped=\"%zu\">\n",
		      all, failed, broken, skipped);
	for (i = 0; i < report->count; i++)
		for (k = 0; k < rows_of(report->rows[i]); k++)
			add_case(out, report->rows[i], k);
	pn_buf_add_text(out, "</testsuite>\n</testsuites>\n");
	pn_buf_release(&text);
}

static void add_row(struct pn_buf *out, const struct pn_duelled *row, size_t i)
{
	const struct pn_duelled_metric *m = metric_of(row, i);
	struct pn_buf text = {0};

	pn_buf_printf(out, "| %s |", pn_verdict_name(verdict_of(row, i)));
	pn_duelled_name(&text, row);
	pn_ci_cell(out, &text);
	pn_buf_add_text(&text, m ? pn_duelled_title(m) : "");
	pn_ci_cell(out, &text);
	if (m)
		pn_duelled_effect(&text, &m->duel->last);
	pn_ci_cell(out, &text);
	if (m)
		pn_buf_printf(&text, "%.0f",
			      pn_duelled_runs(row, (double)m->duel->count));
	pn_ci_cell(out, &text);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&text);
}

static void add_markdown(struct pn_buf *out,
			 const struct pn_duelled_report *report)
{
	const char *result = pn_duelled_result_name(report);
	struct pn_buf text = {0};
	size_t i, k;

	/* by which a script finds its comment again */
	pn_buf_printf(out, "<!-- git-perf check -->\n### Performance: %s\n\n",
		      !strcmp(result, "pass")	? "no regression"
		      : !strcmp(result, "fail") ? "regression"
						: "no verdict");
	add_title(&text, report);
	pn_ci_markdown(out, &text);
	pn_buf_add_text(out, "\n\n");
	for (i = 0; i < report->count; i++) {
		pn_duelled_sentence(&text, report->rows[i],
				    metric_of(report->rows[i], 0));
		pn_buf_add_text(out, "- ");
		pn_ci_markdown(out, &text);
		pn_buf_add_byte(out, '\n');
	}
	pn_buf_add_text(out, "\n| verdict | job | metric | change | runs |\n"
			     "|---|---|---|---:|---:|\n");
	for (i = 0; i < report->count; i++)
		for (k = 0; k < rows_of(report->rows[i]); k++)
			add_row(out, report->rows[i], k);
	pn_buf_release(&text);
}

static void add_github(struct pn_buf *out,
		       const struct pn_duelled_report *report)
{
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct pn_duelled *row = report->rows[i];
		enum pn_verdict verdict = pn_duelled_row_verdict(row);

		pn_buf_printf(out, "::%s title=",
			      fails(row, 0) || is_broken(row) ? "error"
			      : verdict == PN_VERDICT_UNKNOWN ? "warning"
							      : "notice");
		pn_buf_printf(&text, "%s: ", pn_verdict_name(verdict));
		pn_duelled_name(&text, row);
		pn_ci_github(out, &text, true);
		pn_buf_add_text(out, "::");
		pn_duelled_sentence(&text, row, metric_of(row, 0));
		pn_ci_github(out, &text, false);
		pn_buf_add_byte(out, '\n');
	}
	pn_buf_release(&text);
}

static const struct {
	const char *name;
	void (*add)(struct pn_buf *out, const struct pn_duelled_report *report);
} formats[] = {
	{"text", pn_duelled_text}, {"json", pn_duelled_json},
	{"junit", add_junit},	   {"markdown", add_markdown},
	{"github", add_github},
};

void pn_duelled_print(struct pn_buf *out,
		      const struct pn_duelled_report *report,
		      const char *format)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, format))
			formats[i].add(out, report);
}
