/* A noise study for people: what can be seen here, and what is in the way. */
#include "render/judged/studied.h"

#include "base/escape.h"
#include "render/run/run.h"

#include <math.h>
#include <string.h>

/* "1.4 %", "?" where it is not known. */
static void add_share(struct pn_buf *out, double share)
{
	if (isfinite(share))
		pn_buf_printf(out, "%.*f %%", share < 0.0995 ? 1 : 0,
			      100 * share);
	else
		pn_buf_add_text(out, "?");
}

static void add_title(struct pn_buf *out, const struct pn_duelled_metric *m)
{
	const char *title = strcmp(m->name, PN_DUELLED_CPU) != 0
				    ? m->name
				    : "processor time";

	pn_escape_terminal(out, title, strlen(title));
}

static void add_sessions(struct pn_buf *out, const struct pn_selfcheck *s)
{
	pn_buf_printf(out, "    runs one after the other, %d and %d: sees ",
		      PN_STUDY_SESSION, PN_STUDY_SESSION);
	add_share(out, s->least_effect);
	pn_buf_printf(out, "; %zu of %zu wrong", s->confirmed, s->pairs);
	if (s->pairs >= PN_SELFCHECK_PAIRS)
		pn_buf_add_text(out, s->may_gate ? ", it may gate"
						 : ", it may not gate");
	pn_buf_add_text(out, "\n");
}

static void add_metric(struct pn_buf *out, const struct pn_duelled_metric *m,
		       const struct pn_duel_study *study)
{
	pn_buf_add_text(out, "  ");
	add_title(out, m);
	if (study->equal) {
		pn_buf_printf(out,
			      ": the same in all of %zu runs; it may "
			      "gate\n",
			      2 * study->pairs);
		return;
	}
	pn_buf_printf(out, ": %zu runs, one is ", 2 * study->pairs);
	add_share(out, study->spread);
	pn_buf_add_text(out, " from the next\n    in turns: sees ");
	add_share(out, study->seen);
	pn_buf_printf(out, "; %zu of %zu duels wrong", study->changed,
		      study->duels);
	if (study->duels)
		pn_buf_printf(out, ", %.0f runs each, it may%s gate",
			      study->mean_runs, study->may_gate ? "" : " not");
	pn_buf_add_text(out, "\n");
	add_sessions(out, &study->sessions);
}

static void add_job(struct pn_buf *out, const struct pn_studied *row)
{
	size_t i;

	pn_planned_text(out, &row->duel->job);
	pn_buf_add_text(out, "\n");
	if (row->duel->state != PN_DUELLED_DONE) {
		pn_buf_add_text(out, "  not measured: ");
		pn_escape_terminal(out, row->duel->why, strlen(row->duel->why));
		pn_buf_add_text(out, "\n");
		return;
	}
	for (i = 0; i < row->duel->metric_count; i++)
		add_metric(out, &row->duel->metrics[i], &row->metrics[i]);
}

static void add_quiet(struct pn_buf *out, const struct pn_quiet *q)
{
	if (!isnan(q->others)) {
		pn_buf_add_text(out, "  other programs used ");
		add_share(out, q->others);
		pn_buf_add_text(out, q->others > PN_QUIET_OTHERS_FULL
					     ? ": end them, or measure where "
					       "nothing else runs\n"
					     : " of it\n");
	}
	if (q->steal > 0.005) {
		pn_buf_add_text(out, "  its host took ");
		add_share(out, q->steal);
		pn_buf_add_text(out, " of it (steal): others share it\n");
	}
	if (!isnan(q->load))
		pn_buf_printf(out, "  load %.1f\n", q->load);
}

/* Only what is known, and what would be better. */
static void add_settings(struct pn_buf *out, const struct pn_disturb *m)
{
	if (*m->governor)
		pn_buf_printf(out, "  frequency governor '%s'%s\n", m->governor,
			      strcmp(m->governor, "performance") != 0
				      ? ": 'performance' keeps it steady"
				      : "");
	else
		pn_buf_add_text(out, "  frequency: the system says nothing\n");
	if (m->turbo > 0)
		pn_buf_add_text(out, "  turbo is on: the clock falls as it "
				     "gets warm and others run\n");
	if (m->threads > 0)
		pn_buf_add_text(out, "  processors share cores: neighbours "
				     "slow each other\n");
	if (m->is_virtual > 0)
		pn_buf_add_text(out, "  it is a virtual machine: neighbours "
				     "on its host are not seen here\n");
	if (!strcmp(m->huge_pages, "always"))
		pn_buf_add_text(out, "  huge pages 'always': memory is fast "
				     "or slow by luck; 'madvise' is steady\n");
	if (m->randomized == 0)
		pn_buf_add_text(out, "  addresses are not randomized: one "
				     "layout of the stack stands for all\n");
	else if (m->randomized > 0)
		pn_buf_add_text(out, "  addresses are randomized: runs "
				     "average over them\n");
}

void pn_studied_text(struct pn_buf *out, const struct pn_studied_report *report)
{
	size_t i;

	pn_buf_printf(out, "%.10s with itself\n", report->commit);
	for (i = 0; i < report->count; i++)
		add_job(out, &report->rows[i]);
	pn_buf_add_text(out, "machine\n");
	add_quiet(out, &report->machine.quiet);
	add_settings(out, &report->machine);
}
