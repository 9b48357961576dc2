/* Duels as JSON: git-perf-json(5). */
#include "render/judged/duelled.h"

#include "base/json/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *const sides[] = {"base", "head"};

static void member_count(struct pn_json_writer *w, const char *key, size_t n)
{
	pn_json_key(w, key);
	pn_json_uint(w, n);
}

static void member_ratio(struct pn_json_writer *w, const char *key,
			 const struct pn_duel_look *look, double shift)
{
	double ratio = pn_duel_ratio(look, shift);

	if (isfinite(shift) && isfinite(ratio))
		pn_json_member_double(w, key, ratio);
}

static const char *method_of(const struct pn_duel_look *look)
{
	return look->method == PN_DUEL_EXACT ? "exact duel"
	       : look->method == PN_DUEL_T   ? "duel, t"
					     : "duel, ranks";
}

static void put_rule(struct pn_json_writer *w, const struct pn_duel_rule *rule)
{
	pn_json_key(w, "rule");
	pn_json_open(w, '{');
	pn_json_member_double(w, "tolerance", rule->tolerance);
	pn_json_member_double(w, "margin", rule->margin);
	member_count(w, "max_pairs", rule->max_pairs);
	pn_json_key(w, "counts");
	pn_json_bool(w, rule->counter);
	pn_json_key(w, "jointly");
	pn_json_bool(w, rule->jointly);
	pn_json_close(w, '}');
}

static void put_pairs(struct pn_json_writer *w, const struct pn_duel *duel)
{
	size_t i;

	pn_json_key(w, "pairs");
	pn_json_open(w, '[');
	for (i = 0; i < duel->count; i++) {
		pn_json_open(w, '[');
		pn_json_double(w, duel->a[i]);
		pn_json_double(w, duel->b[i]);
		pn_json_close(w, ']');
	}
	pn_json_close(w, ']');
}

static void put_job(struct pn_json_writer *w, const struct pn_duelled *row)
{
	pn_json_member(w, "job", row->job.section);
	pn_json_member(w, "cmd", row->job.cmd);
	pn_json_member(w, "args", row->job.args);
	pn_json_member(w, "workload", row->job.workload);
	pn_json_member(w, "collector", row->job.collector);
}

static void put_metric(struct pn_json_writer *w, const struct pn_duelled *row,
		       const struct pn_duelled_metric *m)
{
	const struct pn_duel_look *look = &m->duel->last;

	pn_json_open(w, '{');
	pn_json_member(w, "metric", m->name);
	put_job(w, row);
	pn_json_member(w, "unit", m->unit);
	pn_json_member(w, "better", m->more_is_better ? "more" : "less");
	pn_json_key(w, "judges");
	pn_json_bool(w, m == &row->metrics[0]);
	pn_json_member(w, "verdict", pn_verdict_name(pn_duelled_verdict(m)));
	pn_json_member(w, "decision", pn_duel_decision_names[look->decision]);
	if (look->pairs) {
		member_ratio(w, "ratio", look, look->effect);
		member_ratio(w, "low", look, look->low);
		member_ratio(w, "high", look, look->high);
		pn_json_member_double(w, "p", look->p_any);
		pn_json_member_double(w, "mde",
				      look->decision == PN_DUEL_NO_SLOWDOWN
					      ? m->duel->suspected
					      : look->bound);
		pn_json_member_double(w, "need", look->need);
		pn_json_member(w, "method", method_of(look));
	}
	pn_json_key(w, "n");
	pn_json_open(w, '[');
	pn_json_uint(w, m->duel->count);
	pn_json_uint(w, m->duel->count);
	pn_json_close(w, ']');
	if (row->layouts) {
		pn_json_key(w, "layouts");
		pn_json_uint(w, m->duel->count);
	}
	put_rule(w, &m->duel->rule);
	put_pairs(w, m->duel);
	pn_json_close(w, '}');
}

/* Why a job has no verdict, or how its duel went. */
static void put_duel(struct pn_json_writer *w, const struct pn_duelled *row)
{
	static const char *const states[] = {
		[PN_DUELLED_WAITING] = "waiting",
		[PN_DUELLED_RUNNING] = "running",
		[PN_DUELLED_DONE] = "done",
		[PN_DUELLED_LEFT_OUT] = "left out",
		[PN_DUELLED_NOT_BUILT] = "not built",
		[PN_DUELLED_FAILED] = "failed"};
	char seed[17];

	snprintf(seed, sizeof(seed), "%016" PRIx64, row->seed);
	pn_json_open(w, '{');
	put_job(w, row);
	pn_json_member(w, "id", row->job.id);
	pn_json_member(w, "state", states[row->state]);
	if (row->state == PN_DUELLED_NOT_BUILT ||
	    row->state == PN_DUELLED_FAILED)
		pn_json_member(w, "side", sides[row->side]);
	pn_json_member(w, "why", row->why);
	pn_json_member(w, "verdict",
		       pn_verdict_name(pn_duelled_row_verdict(row)));
	pn_json_member(w, "seed", seed);
	pn_json_key(w, "failed");
	pn_json_open(w, '[');
	pn_json_uint(w, row->failed[0]);
	pn_json_uint(w, row->failed[1]);
	pn_json_close(w, ']');
	pn_json_member_double(w, "seconds", (double)row->spent_ns / 1e9);
	pn_json_close(w, '}');
}

void pn_duelled_json(struct pn_buf *out, const struct pn_duelled_report *report)
{
	struct pn_json_writer w;
	size_t i, k;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "check");
	pn_json_member(&w, "base", report->commits[0]);
	pn_json_member(&w, "target", report->commits[1]);
	pn_json_member(&w, "result", pn_duelled_result_name(report));
	pn_json_key(&w, "verdicts");
	pn_json_open(&w, '[');
	for (i = 0; i < report->count; i++)
		for (k = 0; k < report->rows[i]->metric_count; k++)
			put_metric(&w, report->rows[i],
				   &report->rows[i]->metrics[k]);
	pn_json_close(&w, ']');
	pn_json_key(&w, "duels");
	pn_json_open(&w, '[');
	for (i = 0; i < report->count; i++)
		put_duel(&w, report->rows[i]);
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
