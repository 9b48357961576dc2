/*
 * The verdict on a commit as GitHub's and GitLab's Markdown: for a comment on a
 * pull request, or the summary of a step.
 */
#include "render/judged/check_words.h"
#include "render/judged/ci_text.h"
#include "render/judged/why.h"
#include "render/sink.h"

#define ROWS 50
#define BYTES_MOST 60000     /* a comment has 65536 at most */
#define SENTENCES_MOST 30000 /* the rest is the table's */

static void add_row(struct pn_buf *out, struct pn_buf *text,
		    const struct pn_judge_row *row)
{
	int direction = pn_judge_direction(row->verdict);

	pn_buf_printf(out, "| %s%s%s |", direction ? "**" : "",
		      pn_verdict_name(row->verdict), direction ? "**" : "");
	pn_check_series(text, row);
	pn_ci_cell(out, text);
	pn_check_metric(text, row);
	pn_ci_cell(out, text);
	pn_check_change(text, row);
	pn_ci_cell(out, text);
	pn_check_interval(text, row);
	pn_ci_cell(out, text);
	pn_check_seen(text, row);
	pn_ci_cell(out, text);
	pn_buf_add_byte(out, '\n');
}

/* Whether there was room for it; `part` is empty again. */
static bool add_part(struct pn_buf *out, struct pn_buf *part, size_t most)
{
	bool fits = out->len + part->len <= most;

	if (fits)
		pn_buf_add(out, part->data, part->len);
	pn_buf_clear(part);
	return fits;
}

static void add_rest(struct pn_buf *out, size_t count, const char *what)
{
	if (count)
		pn_buf_printf(out, "\n%zu more %s%s left out\n", count, what,
			      count == 1 ? " is" : "s are");
}

static void add_sentences(struct pn_buf *out,
			  const struct pn_judge_report *report)
{
	const struct pn_judge *j = report->judge;
	struct pn_buf text = {0}, part = {0};
	size_t i, said = 0, rest = 0;

	for (i = 0; i < j->count; i++) {
		if (!pn_check_is_change(&j->rows[i]))
			continue;
		if (rest || said == ROWS) {
			rest++;
			continue;
		}
		pn_why_change(&text, report, &j->rows[i]);
		pn_buf_add_text(&part, "- ");
		pn_ci_markdown(&part, &text);
		pn_buf_add_byte(&part, '\n');
		if (add_part(out, &part, SENTENCES_MOST))
			said++;
		else
			rest++;
	}
	add_rest(out, rest, "change");
	pn_buf_release(&text);
	pn_buf_release(&part);
}

static void add_table(struct pn_buf *out, const struct pn_judge_report *report,
		      bool all)
{
	const struct pn_judge *j = report->judge;
	struct pn_buf text = {0}, part = {0};
	size_t i, shown = 0, rest = 0;

	pn_buf_add_text(out, "\n| verdict | series | metric | change | 95 % "
			     "interval | would be seen |\n"
			     "|---|---|---|---:|---:|---:|\n");
	for (i = 0; i < j->count; i++) {
		const struct pn_judge_row *row = &j->rows[i];

		if (!all && !row->first && !pn_check_is_change(row))
			continue;
		if (rest || (!all && shown == ROWS)) {
			rest++;
			continue;
		}
		add_row(&part, &text, row);
		if (add_part(out, &part, BYTES_MOST))
			shown++;
		else
			rest++;
	}
	add_rest(out, rest, "row");
	pn_buf_release(&text);
	pn_buf_release(&part);
}

static void print_markdown(FILE *to, const struct pn_judge_report *report,
			   const struct pn_check_print *print)
{
	static const char *const results[] = {"no regression", "regression",
					      "no verdict"};
	struct pn_buf text = {0};
	struct pn_sink sink;

	pn_sink_init(&sink, to);
	/* by which a script finds its comment again */
	pn_buf_printf(&sink.text,
		      "<!-- git-perf check -->\n### Performance: "
		      "%s\n\n",
		      results[report->result]);
	pn_check_title(&text, report);
	pn_ci_markdown(&sink.text, &text);
	pn_buf_add_text(&sink.text, "\n\n");
	add_sentences(&sink.text, report);
	add_table(&sink.text, report, print->all);
	pn_check_totals(&text, report);
	pn_buf_add_byte(&sink.text, '\n');
	pn_ci_markdown(&sink.text, &text);
	pn_buf_add_byte(&sink.text, '\n');
	pn_buf_release(&text);
	pn_sink_finish(&sink);
}

const struct pn_check_format pn_check_markdown = {
	.name = "markdown",
	.print = print_markdown,
};
