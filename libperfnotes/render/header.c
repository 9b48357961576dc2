/* What stands above the rows of a report. */
#include "render/header.h"

void pn_print_header(struct pn_sink *out, const struct pn_report *report,
		     bool rows)
{
	struct pn_buf text = {0};

	pn_report_header(&text, report, rows);
	pn_sink_lines(out, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
}

void pn_print_weight_json(struct pn_sink *out, const char *key,
			  const struct pn_report *report, int64_t weight)
{
	if (pn_report_is_whole(report))
		pn_json_member_int(&out->json, key, weight);
	else
		pn_json_member_double(&out->json, key,
				      pn_report_number(report, weight));
}

/* What threads cost, where that is told. */
static void threads_json(struct pn_sink *out, const struct pn_profile *p)
{
	const struct pn_events *e = &p->events;
	size_t i;

	if (!e->thread_count || e->threads[0].cost == 0)
		return;
	pn_json_key(&out->json, "threads");
	pn_json_open(&out->json, '[');
	for (i = 0; i < e->thread_count; i++) {
		const struct pn_thread *t = &e->threads[i];

		pn_json_open(&out->json, '{');
		if (t->process != PN_NONE)
			pn_json_member(&out->json, "process",
				       pn_profile_text(
					       p, e->processes[t->process].id));
		pn_json_member(&out->json, "thread", pn_profile_text(p, t->id));
		pn_json_member_double(&out->json, "cost",
				      t->cost / pn_profile_runs(p));
		pn_json_close(&out->json, '}');
	}
	pn_json_close(&out->json, ']');
}

void pn_print_header_json(struct pn_sink *out, const struct pn_report *report)
{
	pn_json_member(&out->json, "type", report->type);
	pn_json_member(&out->json, "unit", report->unit);
	pn_print_weight_json(out, "total", report, report->total);
	if (pn_profile_runs(report->profile) > 1)
		pn_json_member_int(&out->json, "runs",
				   pn_profile_runs(report->profile));
	if (report->profile->sample_count && report->profile->graph.node_count)
		pn_json_member_int(&out->json, "call_graph",
				   (int64_t)report->profile->graph.node_count);
	threads_json(out, report->profile);
}
