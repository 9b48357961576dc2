/* Duels for people. */
#include "render/judged/duelled.h"
#include "render/judged/check_words.h"
#include "render/judged/duelled_words.h"

#include "render/run/run.h"

#include "base/escape.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Below it where code lies can be all of a change: relinking alone moves a
 * program as far. */
#define LAYOUT 0.02
#define MOST_BOUND 0.995 /* a larger one tells nothing */
#define LIVE_FROM 12 /* pairs: before that no forecast is worth being read */

static const char *const sides[] = {"base", "head"};

static double percent(const struct pn_duel_look *look, double shift)
{
	return 100 * (pn_duel_ratio(look, shift) - 1);
}

/* Behind the point, so that what tells one end from the other is seen. */
static int digits_of(const struct pn_duel_look *look)
{
	double width = percent(look, look->high) - percent(look, look->low);

	if (!isfinite(width))
		return 1;
	if (!(width > 0))
		width = fabs(percent(look, look->effect));
	return width < 0.02 ? 3 : width < 0.2 ? 2 : 1;
}

static void add_end(struct pn_buf *out, const struct pn_duel_look *look,
		    double shift, int digits)
{
	if (isfinite(shift))
		pn_buf_printf(out, "%+.*f", digits, percent(look, shift));
	else
		pn_buf_add_text(out, "?");
}

/* "[+1.2, +5.6]" */
static void add_interval(struct pn_buf *out, const struct pn_duel_look *look)
{
	int digits = digits_of(look);

	pn_buf_add_text(out, "[");
	add_end(out, look, look->low, digits);
	pn_buf_add_text(out, ", ");
	add_end(out, look, look->high, digits);
	pn_buf_add_text(out, "]");
}

/* "+3.1 % [-0.4, +6.5]"; of an exact one no interval. */
void pn_duelled_effect(struct pn_buf *out, const struct pn_duel_look *look)
{
	pn_buf_printf(out, "%+.*f %%", digits_of(look),
		      percent(look, look->effect));
	if (look->method == PN_DUEL_EXACT)
		return;
	pn_buf_add_text(out, " ");
	add_interval(out, look);
}

static bool is_time(const struct pn_duelled_metric *m)
{
	return !strcmp(m->unit, "ns");
}

static const char *word_of(const struct pn_duelled_metric *m)
{
	bool up = m->duel->last.decision == PN_DUEL_SLOWER;

	if (is_time(m))
		return up ? "slower" : "faster";
	return up ? "more" : "less";
}

/* A share as percent, as short as it is exact to two digits. */
static void add_share(struct pn_buf *out, double share)
{
	pn_buf_printf(out, "%.2g %%", 100 * share);
}

const char *pn_duelled_title(const struct pn_duelled_metric *m)
{
	return strcmp(m->name, PN_DUELLED_CPU) != 0 ? m->name
						    : "processor time";
}

static void add_seconds(struct pn_buf *out, int64_t ns)
{
	double s = (double)ns / 1e9;

	if (s < 9.95)
		pn_buf_printf(out, "%.1f s", s);
	else if (s < 600)
		pn_buf_printf(out, "%.0f s", s);
	else
		pn_buf_printf(out, "%.0f min", s / 60);
}

/* What was decided of a metric, without what it is called. */
static void add_decision(struct pn_buf *out, const struct pn_duelled_metric *m)
{
	const struct pn_duel_look *look = &m->duel->last;
	int digits = digits_of(look);

	switch (look->decision) {
	case PN_DUEL_SLOWER:
	case PN_DUEL_FASTER:
		pn_buf_printf(out, "%s by %.*f %%", word_of(m), digits,
			      fabs(percent(look, look->effect)));
		if (look->method == PN_DUEL_EXACT)
			break;
		pn_buf_add_text(out, " ");
		add_interval(out, look);
		break;
	case PN_DUEL_NO_CHANGE:
		pn_buf_add_text(out, "no change larger than ");
		add_share(out, look->method == PN_DUEL_EXACT
				       ? PN_DUEL_COUNTER_EFFECT
				       : m->duel->rule.tolerance);
		pn_buf_add_text(out, " (");
		pn_duelled_effect(out, look);
		pn_buf_add_text(out, ")");
		break;
	case PN_DUEL_NO_SLOWDOWN:
		pn_buf_add_text(out, "not slower by ");
		add_share(out, m->duel->suspected);
		pn_buf_add_text(out, ", as its past let suspect (");
		pn_duelled_effect(out, look);
		pn_buf_add_text(out, ")");
		break;
	case PN_DUEL_UNDECIDED:
	case PN_DUEL_CANNOT_TELL:
	default:
		pn_buf_add_text(out, "cannot tell: ");
		pn_duelled_effect(out, look);
	}
}

/* What can be said where nothing was decided. */
static void add_bound(struct pn_buf *out, const struct pn_duelled *row)
{
	const struct pn_duel *duel = row->metrics[0].duel;
	const struct pn_duel_look *look = &duel->last;

	if (isfinite(look->bound)) {
		if (look->bound < MOST_BOUND) {
			pn_buf_add_text(out, "  no change over ");
			add_share(out, look->bound);
		} else {
			pn_buf_add_text(out, "  twice as much or half is "
					     "possible, too");
		}
		if (look->need > (double)look->pairs) {
			pn_buf_add_text(out, "; ");
			add_share(out, duel->rule.tolerance);
			pn_buf_printf(out, " would need about %.0f runs",
				      pn_duelled_runs(row, look->need));
		}
		pn_buf_add_text(out, "\n");
	}
}

static bool has_changed(const struct pn_duelled_metric *m)
{
	return m->duel->last.decision == PN_DUEL_SLOWER ||
	       m->duel->last.decision == PN_DUEL_FASTER;
}

static void add_beside(struct pn_buf *out, const struct pn_duelled *row)
{
	const struct pn_duelled_metric *m = &row->metrics[1];

	if (!m->duel->last.pairs)
		return;
	pn_buf_add_text(out, "  ");
	pn_escape_terminal(out, pn_duelled_title(m),
			   strlen(pn_duelled_title(m)));
	pn_buf_add_text(out, ": ");
	if (m->duel->last.decision == PN_DUEL_CANNOT_TELL)
		pn_duelled_effect(out, &m->duel->last);
	else
		add_decision(out, m);
	pn_buf_add_text(out, "\n");
	if (has_changed(&row->metrics[row->waits ? 0 : 1]) &&
	    !has_changed(&row->metrics[row->waits ? 1 : 0]) &&
	    (row->waits ||
	     row->metrics[0].duel->last.decision == PN_DUEL_NO_CHANGE))
		pn_buf_add_text(out, "  it waits, it does not compute, "
				     "for another time than before\n");
}

/* What one has to know of a verdict before one acts on it. */
static void add_remarks(struct pn_buf *out, const struct pn_duelled *row)
{
	const struct pn_duelled_metric *m = &row->metrics[0];
	size_t i;

	if (row->same_layout)
		pn_buf_add_text(out, "  two layouts have the same program: "
				     "GIT_PERF_LAYOUT_SEED is for its\n"
				     "  link step to heed\n");
	else if (has_changed(m) && is_time(m) && !row->layouts &&
		 fabs(percent(&m->duel->last, m->duel->last.effect)) <
			 100 * LAYOUT)
		pn_buf_add_text(out, "  so little may come from where code "
				     "lies in memory, of no function\n"
				     "  (--relink=12 tells)\n");
	for (i = 0; i < 2; i++)
		if (row->failed[i])
			pn_buf_printf(out,
				      "  %zu run%s of %s failed, and %s pairs "
				      "do not count\n",
				      row->failed[i],
				      row->failed[i] == 1 ? "" : "s", sides[i],
				      row->failed[i] == 1 ? "its" : "their");
}

static void add_done(struct pn_buf *out, const struct pn_duelled *row)
{
	const struct pn_duelled_metric *m = &row->metrics[0];

	pn_buf_add_text(out, "  ");
	add_decision(out, m);
	pn_buf_add_text(out, "\n  by ");
	pn_escape_terminal(out, pn_duelled_title(m),
			   strlen(pn_duelled_title(m)));
	pn_buf_printf(out, ", %.0f runs, ",
		      pn_duelled_runs(row, (double)m->duel->count));
	if (row->layouts)
		pn_buf_printf(out, "%zu layouts, ", m->duel->count);
	add_seconds(out, row->spent_ns);
	pn_buf_add_text(out, "\n");
	if (m->duel->last.decision == PN_DUEL_CANNOT_TELL)
		add_bound(out, row);
	if (row->metric_count > 1)
		add_beside(out, row);
	add_remarks(out, row);
}

void pn_duelled_fault(struct pn_buf *out, const struct pn_duelled *row)
{
	if (row->state == PN_DUELLED_LEFT_OUT)
		pn_buf_add_text(out, "left out: ");
	else if (row->state == PN_DUELLED_NOT_BUILT)
		pn_buf_printf(out, "%s is not built: ", sides[row->side]);
	else if (row->state == PN_DUELLED_FAILED)
		pn_buf_printf(out, "%s fails: ", sides[row->side]);
	else
		pn_buf_add_text(out, "no pair of runs was made");
	if (row->state != PN_DUELLED_DONE)
		pn_escape_terminal(out, row->why, strlen(row->why));
}

void pn_duelled_sentence(struct pn_buf *out, const struct pn_duelled *row,
			 const struct pn_duelled_metric *m)
{
	pn_duelled_name(out, row);
	pn_buf_add_text(out, ": ");
	if (!m || !m->duel->last.pairs) {
		pn_duelled_fault(out, row);
		return;
	}
	pn_buf_printf(out, "%s ", pn_duelled_title(m));
	add_decision(out, m);
	pn_buf_printf(out, ", %.0f runs, ",
		      pn_duelled_runs(row, (double)m->duel->count));
	add_seconds(out, row->spent_ns);
}

void pn_duelled_name(struct pn_buf *out, const struct pn_duelled *row)
{
	const char *workload = row->job.workload;

	pn_check_name(out, row->job.section, PN_CHECK_NAME);
	pn_buf_printf(out, "/%s", row->job.collector);
	if (!workload || !*workload)
		return;
	pn_buf_add_byte(out, '@');
	pn_check_name(out, workload, PN_CHECK_NAME);
}

void pn_duelled_text(struct pn_buf *out, const struct pn_duelled_report *report)
{
	size_t i;

	pn_buf_printf(out, "%.10s..%.10s\n", report->commits[0],
		      report->commits[1]);
	for (i = 0; i < report->count; i++) {
		const struct pn_duelled *row = report->rows[i];

		pn_planned_text(out, &row->job);
		pn_buf_add_text(out, "\n");
		if (row->state == PN_DUELLED_DONE && row->metric_count &&
		    row->metrics[0].duel->last.pairs) {
			add_done(out, row);
			continue;
		}
		pn_buf_add_text(out, "  ");
		pn_duelled_fault(out, row);
		pn_buf_add_byte(out, '\n');
	}
}

/* Whether the one before it said the same. */
static bool is_said(const struct pn_duelled_report *report, size_t index)
{
	const struct pn_duelled *row = report->rows[index], *before;

	before = index ? report->rows[index - 1] : NULL;
	return before && row->state == PN_DUELLED_NOT_BUILT &&
	       before->state == row->state && !strcmp(before->why, row->why);
}

static void add_said(struct pn_buf *out, const char *said)
{
	size_t len;

	for (; said && *said; said += len + (said[len] == '\n')) {
		len = strcspn(said, "\n");
		pn_buf_add_text(out, "    ");
		pn_escape_terminal(out, said, len);
		pn_buf_add_text(out, "\n");
	}
}

void pn_duelled_faults(struct pn_buf *out,
		       const struct pn_duelled_report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct pn_duelled *row = report->rows[i];

		if ((row->state != PN_DUELLED_NOT_BUILT &&
		     row->state != PN_DUELLED_FAILED) ||
		    is_said(report, i))
			continue;
		pn_buf_printf(out, "error: %s %.10s: job '", sides[row->side],
			      report->commits[row->side]);
		pn_escape_terminal(out, row->job.section,
				   strlen(row->job.section));
		pn_buf_add_text(out, "': ");
		pn_escape_terminal(out, row->why, strlen(row->why));
		pn_buf_add_text(out, "\n");
		add_said(out, row->said);
	}
}

static void add_live(struct pn_buf *out, const struct pn_duelled *row,
		     int64_t spent_ns, int64_t limit_ns)
{
	const struct pn_duelled_metric *m = &row->metrics[0];
	const struct pn_duel_look *look =
		row->metric_count ? &m->duel->last : NULL;

	pn_escape_terminal(out, row->job.section, strlen(row->job.section));
	pn_buf_printf(out, "/%s", row->job.collector);
	if (!look) {
		pn_buf_add_text(out, "  warming up");
		return;
	}
	pn_buf_printf(out, "  %zu pair%s", m->duel->count,
		      m->duel->count == 1 ? "" : "s");
	if (look->pairs) {
		pn_buf_add_text(out, "  ");
		pn_duelled_effect(out, look);
		pn_buf_printf(out, "  %s",
			      pn_duel_decision_names[look->decision]);
		if (look->pairs >= LIVE_FROM && row->left_ns > 0) {
			pn_buf_add_text(out, ", about ");
			add_seconds(out, row->left_ns);
			pn_buf_add_text(out, " more");
		}
	}
	pn_buf_printf(out, "  (%.0f of %.0f s)", (double)spent_ns / 1e9,
		      (double)limit_ns / 1e9);
}

void pn_duels_progress_text(struct pn_buf *out,
			    const struct pn_duels_progress *p)
{
	if (p->count > 1 && p->row)
		pn_buf_printf(out, "[%zu/%zu] ", p->over, p->count);
	if (p->waiting)
		pn_buf_add_text(out, "waiting for another run to end");
	else if (p->building)
		pn_buf_printf(out, "building %s: ", p->side ? "head" : "base");
	if (p->building)
		pn_escape_terminal(out, p->building, strlen(p->building));
	if (p->row)
		add_live(out, p->row, p->spent_ns, p->limit_ns);
}
