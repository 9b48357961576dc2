/* The view `metrics`: measured quantities and their samples. */
#include "analysis/report.h"
#include "analysis/table.h"
#include "base/escape.h"
#include "base/file.h"
#include "render/print_table.h"
#include "render/renderer.h"
#include "render/sink.h"
#include "render/terminal.h"

#include <string.h>

static void add_fact(struct pn_sink *out, const char *key, const char *text,
		     const char *more)
{
	if (!*text)
		return;
	pn_buf_printf(&out->text, "%s: ", key);
	pn_escape_terminal(&out->text, text, strlen(text));
	if (*more)
		pn_buf_add_byte(&out->text, ' ');
	pn_escape_terminal(&out->text, more, strlen(more));
	pn_buf_add_byte(&out->text, '\n');
}

static const char *fact(const struct pn_profile *p, const char *key)
{
	const struct pn_header *h = &p->header;
	size_t i;

	for (i = 0; i < h->environment_count; i++)
		if (!strcmp(pn_profile_text(p, h->environment[i].key), key))
			return pn_profile_text(p, h->environment[i].value);
	return "";
}

static void print_curves(struct pn_sink *out, const struct pn_profile *p)
{
	struct pn_buf line = {0};

	pn_report_curves(&line, p);
	if (line.len) {
		pn_escape_terminal(&out->text, pn_buf_text(&line),
				   line.len - 1);
		pn_buf_add_byte(&out->text, '\n');
	}
	pn_buf_release(&line);
}

/* What was measured, where and when. */
static void print_facts(struct pn_sink *out, const struct pn_view_input *in)
{
	const struct pn_profile *p = in->profile;
	const struct pn_header *h = &p->header;
	char time[PN_TIME_TEXT];

	add_fact(out, "Command", pn_profile_text(p, h->cmd),
		 pn_profile_text(p, h->args));
	add_fact(out, "Workload", pn_profile_text(p, h->workload), "");
	add_fact(out, "Commit",
		 in->commit ? in->commit : pn_profile_text(p, h->origin),
		 h->dirty ? "(dirty tree)" : "");
	add_fact(out, "Machine", fact(p, "env"), fact(p, "cpu"));
	print_curves(out, p);
	if (!p->time_ns)
		return;
	pn_time_write(time, p->time_ns);
	time[10] = ' ';
	time[19] = '\0';
	add_fact(out, "Time", time, "UTC");
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table;
	int code = pn_table_of_metrics(&table, in->profile, in->metric, err);

	if (!code && in->remarks)
		print_facts(out, in);
	if (!code)
		pn_print_table_within(out, &table,
				      pn_terminal_columns(out->to));
	pn_table_release(&table);
	return code;
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table;
	int code = pn_table_of_metrics(&table, in->profile, in->metric, err);

	pn_json_key(&out->json, "rows");
	pn_print_table_json(out, &table);
	pn_table_release(&table);
	return code;
}

static int rows(struct pn_table *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_table_of_metrics(out, in->profile, in->metric, err);
}

const struct pn_view pn_view_metrics = {
	.name = "metrics",
	.summary = "measured quantities: n, median, spread",
	.needs = PN_VIEW_METRICS,
	.text = text,
	.json = json,
	.table = rows,
};
