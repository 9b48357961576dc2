/* Sparklines below a log. */
#include "base/escape.h"
#include "base/text/width.h"
#include "render/log/entry.h"
#include "render/log/log.h"
#include "render/log/sparkline.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

#define WIDTH 30 /* leaves room for name and range in 80 columns */
#define NAME_MAX 26
#define METRIC_MAX 14

/* "fib/time", escaped and cut. */
static void add_name(struct pn_buf *out, const struct pn_trend *t)
{
	struct pn_buf name = {0}, safe = {0};

	pn_series_text(&name, &t->key.series, &t->parts);
	pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
	pn_text_fit_name(out, pn_buf_text(&safe), safe.len, NAME_MAX);
	pn_buf_add_byte(out, ' ');
	pn_buf_clear(&safe);
	pn_escape_terminal(&safe, t->key.metric, strlen(t->key.metric));
	pn_text_fit(out, pn_buf_text(&safe), safe.len, METRIC_MAX);
	pn_buf_release(&name);
	pn_buf_release(&safe);
}

static void add_trend(struct pn_buf *out, const struct pn_trend *t)
{
	pn_sparkline(out, t->values, t->count, WIDTH);
	pn_buf_add_text(out, "  ");
	add_name(out, t);
	pn_buf_add_text(out, "  ");
	pn_quantity_text(out, t->low, NAN, t->key.unit);
	pn_buf_add_text(out, " .. ");
	pn_quantity_text(out, t->high, NAN, t->key.unit);
	pn_buf_add_byte(out, '\n');
}

void pn_log_trends(struct pn_buf *out, struct pn_trends *trends)
{
	struct pn_trend rows[PN_TREND_MAX_SERIES];
	size_t i, n = pn_trends_rows(rows, trends);

	for (i = 0; i < n; i++)
		add_trend(out, &rows[i]);
}
