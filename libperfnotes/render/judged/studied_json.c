/* A noise study as JSON: git-perf-json(5). */
#include "render/judged/studied.h"

#include "base/json/json.h"

static void member_count(struct pn_json_writer *w, const char *key, size_t n)
{
	pn_json_key(w, key);
	pn_json_uint(w, n);
}

static void member_bool(struct pn_json_writer *w, const char *key, bool value)
{
	pn_json_key(w, key);
	pn_json_bool(w, value);
}

/* -1: not known. */
static void member_known(struct pn_json_writer *w, const char *key, int value)
{
	if (value >= 0)
		member_bool(w, key, value > 0);
}

static void put_sessions(struct pn_json_writer *w, const struct pn_selfcheck *s)
{
	pn_json_key(w, "sessions");
	pn_json_open(w, '{');
	member_count(w, "pairs", s->pairs);
	member_count(w, "wrong", s->confirmed);
	member_count(w, "maybe", s->maybe);
	pn_json_member_double(w, "wrong_share", s->false_share);
	pn_json_member_double(w, "wrong_most", s->false_most);
	pn_json_member_double(w, "noise", s->sd);
	pn_json_member_double(w, "min_effect", s->min_effect);
	pn_json_member_double(w, "seen", s->least_effect);
	member_bool(w, "may_gate", s->may_gate);
	pn_json_close(w, '}');
}

static void put_metric(struct pn_json_writer *w,
		       const struct pn_duelled_metric *m,
		       const struct pn_duel_study *study)
{
	pn_json_open(w, '{');
	pn_json_member(w, "metric", m->name);
	pn_json_member(w, "unit", m->unit);
	member_count(w, "runs", 2 * study->pairs);
	pn_json_member_double(w, "noise", study->spread);
	pn_json_member_double(w, "seen", study->seen);
	member_count(w, "duels", study->duels);
	member_count(w, "wrong", study->changed);
	pn_json_member_double(w, "duel_runs", study->mean_runs);
	member_bool(w, "may_gate", study->may_gate);
	put_sessions(w, &study->sessions);
	pn_json_close(w, '}');
}

static void put_job(struct pn_json_writer *w, const struct pn_studied *row)
{
	const struct pn_duelled *duel = row->duel;
	size_t i;

	pn_json_open(w, '{');
	pn_json_member(w, "job", duel->job.section);
	pn_json_member(w, "cmd", duel->job.cmd);
	pn_json_member(w, "args", duel->job.args);
	pn_json_member(w, "workload", duel->job.workload);
	pn_json_member(w, "collector", duel->job.collector);
	pn_json_member(w, "why", duel->why);
	pn_json_key(w, "metrics");
	pn_json_open(w, '[');
	for (i = 0; i < duel->metric_count; i++)
		put_metric(w, &duel->metrics[i], &row->metrics[i]);
	pn_json_close(w, ']');
	pn_json_close(w, '}');
}

static void put_machine(struct pn_json_writer *w, const struct pn_disturb *m)
{
	static const char *const randomized[] = {"no", "in part", "yes"};

	pn_json_key(w, "machine");
	pn_json_open(w, '{');
	pn_json_member_double(w, "others", m->quiet.others);
	pn_json_member_double(w, "idle", m->quiet.idle);
	pn_json_member_double(w, "steal", m->quiet.steal);
	pn_json_member_double(w, "switches", m->quiet.switches);
	pn_json_member_double(w, "load", m->quiet.load);
	pn_json_member_double(w, "mhz", m->quiet.mhz);
	pn_json_member(w, "governor", *m->governor ? m->governor : NULL);
	pn_json_member(w, "huge_pages", *m->huge_pages ? m->huge_pages : NULL);
	if (m->randomized >= 0 && m->randomized <= 2)
		pn_json_member(w, "randomized", randomized[m->randomized]);
	member_known(w, "turbo", m->turbo);
	member_known(w, "shared_cores", m->threads);
	member_known(w, "virtual", m->is_virtual);
	pn_json_close(w, '}');
}

void pn_studied_json(struct pn_buf *out, const struct pn_studied_report *report)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "check");
	pn_json_member(&w, "target", report->commit);
	member_bool(&w, "may_gate", pn_studied_may_gate(report) == 1);
	pn_json_key(&w, "jobs");
	pn_json_open(&w, '[');
	for (i = 0; i < report->count; i++)
		put_job(&w, &report->rows[i]);
	pn_json_close(&w, ']');
	put_machine(&w, &report->machine);
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
