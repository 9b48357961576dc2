/* What a collection found, for programs. */
#include "analysis/table.h"
#include "model/symbols.h"
#include "render/header.h"
#include "render/log/entry.h"
#include "render/measured/results.h"
#include "render/print_table.h"
#include "render/remark.h"
#include "render/rows.h"
#include "render/sink.h"

#include <string.h>

/* As log shows the metrics of a line. */
static void write_metric(struct pn_json_writer *w, const struct pn_profile *p,
			 const struct pn_metric *m)
{
	struct pn_entry_metric metric;
	struct pn_arena arena = {0};

	pn_entry_metric_copy(&metric, &arena, p, m);
	if (!m->value_count ||
	    !pn_summary_of(&metric.summary, m->values, m->value_count, NULL))
		pn_entry_metric_json(w, &metric);
	pn_arena_release(&arena);
}

static void write_pairs(struct pn_json_writer *w, const char *key,
			const struct pn_profile *p, const struct pn_pair *pairs,
			size_t count)
{
	size_t i;

	pn_json_key(w, key);
	pn_json_open(w, '{');
	for (i = 0; i < count; i++)
		pn_json_member(w, pn_profile_text(p, pairs[i].key),
			       pn_profile_text(p, pairs[i].value));
	pn_json_close(w, '}');
}

/* The fingerprint, as in every profile object, and what is behind it. */
static void write_environment(struct pn_json_writer *w,
			      const struct pn_profile *p)
{
	const struct pn_header *h = &p->header;
	size_t i;

	for (i = 0; i < h->environment_count; i++)
		if (!strcmp(pn_profile_text(p, h->environment[i].key), "env"))
			pn_json_member(
				w, "environment",
				pn_profile_text(p, h->environment[i].value));
	write_pairs(w, "facts", p, h->environment, h->environment_count);
}

static void write_known(struct pn_json_writer *w, const char *key,
			const struct pn_profile *p, uint32_t text)
{
	if (text)
		pn_json_member(w, key, pn_profile_text(p, text));
}

static void write_doubts(struct pn_json_writer *w, const struct pn_measured *m)
{
	size_t i;

	pn_json_key(w, "warnings");
	pn_json_open(w, '[');
	for (i = 0; i < m->doubt_count; i++) {
		pn_json_open(w, '{');
		pn_json_member(w, "kind", pn_doubt_name(m->doubts[i].kind));
		pn_json_member_double(w, "value", m->doubts[i].value);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
}

/* The heaviest functions, as `show --view=top --json` has them. */
static int write_top(struct pn_sink *sink, struct pn_profile *p,
		     struct pn_error *err)
{
	struct pn_report_options options = {.node_count = PN_MEASURED_TOP};
	struct pn_report report = {0};
	struct pn_table table;
	int code;

	if (!p->sample_count && !p->graph.node_count)
		return 0;
	pn_view_options(&options, &pn_view_top);
	pn_symbols_demangle(p, PN_DEMANGLE_SIMPLE);
	code = pn_report_init(&report, p, &options, err);
	if (code)
		return code;
	pn_table_of_report(&table, &report);
	pn_json_key(&sink->json, "top");
	pn_json_open(&sink->json, '{');
	pn_print_header_json(sink, &report);
	pn_json_key(&sink->json, "rows");
	pn_print_table_json(sink, &table);
	pn_json_close(&sink->json, '}');
	pn_table_release(&table);
	pn_report_release(&report);
	return 0;
}

static int write_result(struct pn_sink *sink, const struct pn_measured *r,
			struct pn_error *err)
{
	struct pn_json_writer *w = &sink->json;
	struct pn_profile *p = r->profile;
	int code;
	const struct pn_header *h = &p->header;
	size_t i;

	pn_json_open(w, '{');
	pn_json_member(w, "id", r->id);
	pn_json_member(w, "path", r->path);
	pn_json_member(w, "origin", r->origin);
	pn_json_member_time(w, "time", p->time_ns);
	write_known(w, "type", p, h->kind);
	write_known(w, "collector", p, h->collector.name);
	write_known(w, "cmd", p, h->cmd);
	write_known(w, "args", p, h->args);
	write_known(w, "workload", p, h->workload);
	pn_json_member_int(w, "exit_status", h->exit_status);
	write_environment(w, p);
	pn_remark_json(w, p);
	if (h->dirty) {
		pn_json_key(w, "dirty");
		pn_json_bool(w, true);
	}
	write_pairs(w, "labels", p, h->labels, h->label_count);
	pn_json_key(w, "metrics");
	pn_json_open(w, '[');
	for (i = 0; i < p->metric_count; i++)
		write_metric(w, p, &p->metrics[i]);
	pn_json_close(w, ']');
	code = write_top(sink, p, err);
	write_doubts(w, r);
	pn_json_close(w, '}');
	return code;
}

int pn_results_json(FILE *to, const struct pn_measured *results, size_t count,
		    struct pn_error *err)
{
	struct pn_json_writer *w;
	struct pn_sink sink;
	size_t i;
	int code = 0;

	pn_sink_init(&sink, to);
	w = &sink.json;
	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", "collect");
	pn_json_key(w, "profiles");
	pn_json_open(w, '[');
	for (i = 0; !code && i < count; i++)
		code = write_result(&sink, &results[i], err);
	pn_json_close(w, ']');
	pn_json_close(w, '}');
	pn_buf_add_byte(&sink.text, '\n');
	if (code)
		pn_buf_clear(&sink.text);
	pn_sink_finish(&sink);
	return code;
}
