/* How far something is. */
#include "render/progress.h"

#include "base/escape.h"
#include "render/measured/time_unit.h"
#include "render/run/run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void write_left(struct pn_buf *out, int64_t left_ns)
{
	int64_t s = left_ns / 1000000000 + 1;

	if (left_ns <= 0)
		return;
	if (s < 120)
		pn_buf_printf(out, ", %" PRId64 " s left", s);
	else if (s < 7200)
		pn_buf_printf(out, ", %" PRId64 " min left", (s + 59) / 60);
	else
		pn_buf_printf(out, ", %.1f h left", (double)s / 3600);
}

void pn_runs_progress_text(struct pn_buf *out, const struct pn_runs_progress *p)
{
	char median[PN_TIME_UNIT_TEXT] = "";

	if (!isnan(p->median_ns)) {
		struct pn_time_unit unit = pn_time_unit_of(NULL, p->median_ns);

		pn_time_unit_write(median, p->median_ns, unit,
				   pn_time_unit_digits(p->median_ns / unit.ns));
	}
	pn_buf_printf(out, "%" PRIu64 "/%" PRIu64 " runs", p->done,
		      p->expected);
	write_left(out, p->left_ns);
	pn_buf_printf(out, "%s%s  %s", *median ? ", median " : "", median,
		      p->warming_up ? "warming up " : "");
	pn_escape_terminal(out, p->title, strlen(p->title));
}

/* What is being done, in a few words. */
static void write_doing(struct pn_buf *out, const struct pn_jobs_progress *p)
{
	if (p->waiting) {
		pn_buf_add_text(out, p->hooked
					     ? "waiting for the hooks' worker "
					       "(\"git perf worker --status\")"
					     : "waiting for another run to "
					       "end");
	} else if (p->noisy) {
		pn_buf_add_text(out, "waiting for a quiet machine");
	} else if (p->building) {
		pn_buf_add_text(out, "building: ");
		pn_escape_terminal(out, p->building, strlen(p->building));
	} else if (p->job) {
		pn_planned_text(out, p->job);
	}
}

void pn_jobs_progress_text(struct pn_buf *out, const struct pn_jobs_progress *p)
{
	pn_buf_printf(out, "%zu/%zu jobs", p->done, p->count);
	write_left(out, p->left_ns);
	if (p->runs_expected > 1)
		pn_buf_printf(out, ", run %" PRIu64 "/%" PRIu64, p->runs_done,
			      p->runs_expected);
	pn_buf_add_text(out, "  ");
	write_doing(out, p);
}

void pn_jobs_waiting_text(struct pn_buf *out, const struct pn_jobs_progress *p)
{
	if (p->waiting)
		pn_buf_printf(out,
			      "waiting for another run of this repository to "
			      "end%s\n",
			      p->hooked ? ": the hooks' worker measures (\"git "
					  "perf worker --status\")"
					: "");
	else if (p->noisy)
		pn_buf_add_text(out, "waiting for a quiet machine\n");
}

void pn_walk_progress_text(struct pn_buf *out, const struct pn_walk_progress *p)
{
	double minutes = (double)p->elapsed_ns / 60e9;

	pn_buf_printf(out, "[%zu/%zu", p->done + 1, p->count);
	if (p->done && minutes > 0) {
		double rate = (double)p->done / minutes;

		pn_buf_printf(out, ", %.1f commits a minute", rate);
		write_left(out, (int64_t)((double)(p->count - p->done) / rate *
					  60e9));
	}
	pn_buf_printf(out, "] %.10s  ", p->commit);
}
