/* Sparklines below a log. */
#include "base/escape.h"
#include "base/text/width.h"
#include "render/log/entry.h"
#include "render/log/lines.h"
#include "render/log/log.h"
#include "render/log/sparkline.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

#define BLOCKS_MAX 30 /* of a sparkline, and at most a third of the line */
#define NAME_MAX 26
#define NAME_MIN 8
#define METRIC_MAX 14

/* "fib/time wall", escaped; the name is cut to what `room` leaves it. */
static void add_name(struct pn_buf *out, const struct pn_trend *t, size_t room)
{
	struct pn_buf name = {0}, safe = {0}, metric = {0};
	size_t taken, most = NAME_MAX;

	pn_series_text(&name, &t->key.series, &t->parts);
	pn_escape_terminal(&safe, t->key.metric, strlen(t->key.metric));
	taken = 1 +
		pn_text_fit(&metric, pn_buf_text(&safe), safe.len, METRIC_MAX);
	pn_buf_clear(&safe);
	pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
	if (most + taken > room)
		most = room > taken + NAME_MIN ? room - taken : NAME_MIN;
	pn_text_fit_name(out, pn_buf_text(&safe), safe.len, most);
	pn_buf_printf(out, " %s", pn_buf_text(&metric));
	pn_buf_release(&name);
	pn_buf_release(&safe);
	pn_buf_release(&metric);
}

static void add_trend(struct pn_buf *out, const struct pn_trend *t,
		      size_t width)
{
	size_t blocks = width / 3 < BLOCKS_MAX ? width / 3 : BLOCKS_MAX, taken;
	struct pn_buf range = {0};

	pn_buf_add_text(&range, "  ");
	pn_quantity_text(&range, t->low, NAN, t->key.unit);
	pn_buf_add_text(&range, " .. ");
	pn_quantity_text(&range, t->high, NAN, t->key.unit);
	taken = (t->count < blocks ? t->count : blocks) + 2 +
		pn_text_width(pn_buf_text(&range), range.len);
	pn_sparkline(out, t->values, t->count, blocks);
	pn_buf_add_text(out, "  ");
	add_name(out, t, width > taken ? width - taken : 0);
	pn_buf_printf(out, "%s\n", pn_buf_text(&range));
	pn_buf_release(&range);
}

void pn_log_trends(struct pn_buf *out, struct pn_trends *trends, size_t width)
{
	struct pn_trend rows[PN_TREND_MAX_SERIES];
	size_t i, n = pn_trends_rows(rows, trends);

	for (i = 0; i < n; i++)
		add_trend(out, &rows[i], width ? width : PN_LOG_COLUMNS);
}
