/*
 * The verdict on a commit as commands of GitHub's workflows, which become
 * annotations: errors for what fails, warnings for what may have, notices for
 * what got better. docs.github.com, "Workflow commands for GitHub Actions".
 */
#include "render/judged/check_words.h"
#include "render/judged/ci_text.h"
#include "render/judged/why.h"
#include "render/sink.h"

#include <string.h>

#define LEVEL_MOST 10 /* annotations of a level that a step may have */

static const char *level_of(const struct pn_judge_report *report,
			    const struct pn_judge_row *row)
{
	if (pn_judge_fails(report, row))
		return "error";
	if (row->verdict == PN_VERDICT_MAYBE_DEGRADATION ||
	    pn_judge_direction(row->verdict) > 0)
		return "warning";
	return pn_judge_direction(row->verdict) ? "notice" : NULL;
}

static void annotate(struct pn_buf *out, const struct pn_judge_report *report,
		     const struct pn_judge_row *row, const char *level)
{
	struct pn_buf text = {0};

	pn_buf_printf(out, "::%s title=", level);
	pn_buf_printf(&text, "%s: ", pn_verdict_name(row->verdict));
	pn_check_series(&text, row);
	pn_buf_add_byte(&text, ' ');
	pn_check_metric(&text, row);
	pn_ci_github(out, &text, true);
	pn_buf_add_text(out, "::");
	pn_why_change(&text, report, row);
	pn_ci_github(out, &text, false);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&text);
}

static void print_github(FILE *to, const struct pn_judge_report *report,
			 const struct pn_check_print *print)
{
	const struct pn_judge *j = report->judge;
	struct pn_buf text = {0};
	const char *level, *last = "";
	struct pn_sink sink;
	size_t i, n = 0;

	(void)print;
	pn_sink_init(&sink, to);
	for (i = 0; i < j->count; i++) {
		level = level_of(report, &j->rows[i]);
		if (!level)
			continue;
		n = strcmp(level, last) ? 0 : n + 1;
		last = level;
		if (n < LEVEL_MOST)
			annotate(&sink.text, report, &j->rows[i], level);
	}
	pn_check_totals(&text, report);
	pn_buf_printf(&sink.text, "::%s title=git perf check::",
		      report->result == PN_JUDGE_NO_VERDICT ? "warning"
							    : "notice");
	pn_ci_github(&sink.text, &text, false);
	pn_buf_add_byte(&sink.text, '\n');
	pn_buf_release(&text);
	pn_sink_finish(&sink);
}

const struct pn_check_format pn_check_github = {
	.name = "github",
	.print = print_github,
};
