/* Sparklines below a log. */
#include "base/escape.h"
#include "render/log/entry.h"
#include "render/log/log.h"
#include "render/log/sparkline.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

#define WIDTH 60 /* leaves room for name and range in 120 columns */

static void add_trend(struct pn_buf *out, const struct pn_trend *t)
{
	struct pn_buf job = {0};

	pn_escape_terminal(out, t->key.metric, strlen(t->key.metric));
	pn_buf_add_text(out, "  ");
	pn_sparkline(out, t->values, t->count, WIDTH);
	pn_buf_add_text(out, "  ");
	pn_quantity_text(out, t->low, NAN, t->key.unit);
	pn_buf_add_text(out, " .. ");
	pn_quantity_text(out, t->high, NAN, t->key.unit);
	pn_figure_job_text(&job, &t->key, &t->tell);
	if (job.len)
		pn_buf_printf(out, "  [%s]", pn_buf_text(&job));
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&job);
}

void pn_log_trends(struct pn_buf *out, struct pn_trends *trends)
{
	struct pn_trend rows[PN_TREND_MAX_SERIES];
	size_t i, n = pn_trends_rows(rows, trends);

	for (i = 0; i < n; i++)
		add_trend(out, &rows[i]);
}
