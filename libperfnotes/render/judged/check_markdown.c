/*
 * The verdict on a commit as GitHub's and GitLab's Markdown: for a comment on a
 * pull request, or the summary of a step. Names are the repository's: no byte
 * of them may begin a link, a mention, HTML or another cell.
 */
#include "base/escape.h"
#include "render/judged/check_words.h"
#include "render/sink.h"

#include <string.h>

#define ROWS 50 /* a comment has 65536 bytes at most */

static bool is_plain(unsigned char c)
{
	return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z') || strchr(" ,/+-%()=.", c);
}

/* All else by its number, which nothing but a character comes of. What is not
 * printed at all is told as on a terminal. */
static void add_escaped(struct pn_buf *out, struct pn_buf *text)
{
	struct pn_buf safe = {0};
	size_t i;

	pn_escape_terminal(&safe, pn_buf_text(text), text->len);
	for (i = 0; i < safe.len; i++)
		if (is_plain(safe.data[i]) ||
		    (safe.data[i] == ':' && safe.data[i + 1] == ' '))
			pn_buf_add_byte(out, safe.data[i]);
		else
			pn_buf_printf(out, "&#%u;", safe.data[i]);
	pn_buf_release(&safe);
	pn_buf_clear(text);
}

static void cell(struct pn_buf *out, struct pn_buf *text)
{
	pn_buf_add_text(out, " ");
	add_escaped(out, text);
	pn_buf_add_text(out, " |");
}

static void add_row(struct pn_buf *out, struct pn_buf *text,
		    const struct pn_judge_row *row)
{
	int direction = pn_judge_direction(row->verdict);

	pn_buf_printf(out, "| %s%s%s |", direction ? "**" : "",
		      pn_verdict_name(row->verdict), direction ? "**" : "");
	pn_check_series(text, row);
	cell(out, text);
	pn_buf_add_text(text, row->course->key.metric);
	cell(out, text);
	pn_check_change(text, row);
	cell(out, text);
	pn_check_interval(text, row);
	cell(out, text);
	pn_check_seen(text, row);
	cell(out, text);
	pn_buf_add_byte(out, '\n');
}

static void add_table(struct pn_sink *sink,
		      const struct pn_judge_report *report, bool all)
{
	const struct pn_judge *j = report->judge;
	struct pn_buf text = {0};
	size_t i, shown = 0;

	pn_buf_add_text(&sink->text,
			"\n| verdict | series | metric | change | 95 % "
			"interval | would be seen |\n"
			"|---|---|---|---:|---:|---:|\n");
	for (i = 0; i < j->count; i++) {
		const struct pn_judge_row *row = &j->rows[i];

		if (!all && (shown == ROWS ||
			     (!row->first && !pn_check_is_change(row))))
			continue;
		add_row(&sink->text, &text, row);
		pn_sink_drain(sink);
		shown++;
	}
	pn_buf_release(&text);
}

static void print_markdown(FILE *to, const struct pn_judge_report *report,
			   const struct pn_check_print *print)
{
	static const char *const results[] = {"no regression", "regression",
					      "no verdict"};
	const struct pn_judge *j = report->judge;
	struct pn_buf text = {0};
	struct pn_sink sink;
	size_t i, said = 0;

	pn_sink_init(&sink, to);
	/* by which a script finds its comment again */
	pn_buf_printf(&sink.text,
		      "<!-- git-perf check -->\n### Performance: "
		      "%s\n\n",
		      results[report->result]);
	pn_check_title(&text, report);
	add_escaped(&sink.text, &text);
	pn_buf_add_text(&sink.text, "\n\n");
	for (i = 0; i < j->count && said < ROWS; i++) {
		if (!pn_check_is_change(&j->rows[i]))
			continue;
		pn_check_sentence(&text, report, &j->rows[i]);
		pn_buf_add_text(&sink.text, "- ");
		add_escaped(&sink.text, &text);
		pn_buf_add_byte(&sink.text, '\n');
		said++;
	}
	add_table(&sink, report, print->all);
	pn_check_totals(&text, report);
	pn_buf_add_byte(&sink.text, '\n');
	add_escaped(&sink.text, &text);
	pn_buf_add_byte(&sink.text, '\n');
	pn_buf_release(&text);
	pn_sink_finish(&sink);
}

const struct pn_check_format pn_check_markdown = {
	.name = "markdown",
	.print = print_markdown,
};
