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
#define BLOCKS_MIN 4  /* beside long names and figures */
#define NAME_MAX 26
#define NAME_MIN 8
#define METRIC_MAX 14
#define METRIC_MIN 8
#define NAME_LEAST 6 /* where a line has no room for 8 of each */
#define METRIC_LEAST 4
#define NAMES_MIN (NAME_MIN + 1 + METRIC_MIN)

/* Columns that the metric may have. */
static size_t metric_room(size_t room)
{
	if (room >= NAME_MIN + 1 + METRIC_MAX)
		return METRIC_MAX;
	return room > NAME_MIN + 1 + METRIC_LEAST ? room - NAME_MIN - 1
						  : METRIC_LEAST;
}

/* "fib/time wall", escaped; both are cut to what `room` leaves them. */
static void add_name(struct pn_buf *out, const struct pn_trend *t, size_t room)
{
	struct pn_buf name = {0}, safe = {0}, metric = {0};
	size_t taken, most = NAME_MAX;

	pn_series_text(&name, &t->key.series, &t->parts);
	pn_escape_terminal(&safe, t->key.metric, strlen(t->key.metric));
	taken = 1 + pn_text_fit(&metric, pn_buf_text(&safe), safe.len,
				metric_room(room));
	pn_buf_clear(&safe);
	pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
	if (most + taken > room)
		most = room > taken + NAME_LEAST ? room - taken : NAME_LEAST;
	pn_text_fit_name(out, pn_buf_text(&safe), safe.len, most);
	pn_buf_printf(out, " %s", pn_buf_text(&metric));
	pn_buf_release(&name);
	pn_buf_release(&safe);
	pn_buf_release(&metric);
}

/* The unit of a quantity, with the blank before it. */
static const char *unit_of(const struct pn_buf *quantity)
{
	const char *unit = strrchr(pn_buf_text(quantity), ' ');

	return unit ? unit : "";
}

/* "  1.3 ms .. 1.7 ms"; where that has no room, a unit of both once. */
static void add_range(struct pn_buf *out, const struct pn_trend *t, size_t room)
{
	struct pn_buf low = {0}, high = {0};
	size_t unit;

	pn_quantity_text(&low, t->low, NAN, t->key.unit);
	pn_quantity_text(&high, t->high, NAN, t->key.unit);
	unit = strlen(unit_of(&low));
	if (low.len + high.len + 6 > room &&
	    !strcmp(unit_of(&low), unit_of(&high)))
		pn_buf_cut(&low, low.len - unit);
	pn_buf_printf(out, "  %s .. %s", pn_buf_text(&low), pn_buf_text(&high));
	pn_buf_release(&low);
	pn_buf_release(&high);
}

/* Of a sparkline, in a line that has `taken` columns besides it, the name and
 * the metric. */
static size_t blocks_of(size_t width, size_t taken)
{
	size_t blocks = width / 3 < BLOCKS_MAX ? width / 3 : BLOCKS_MAX;

	taken += NAMES_MIN;
	if (taken + blocks <= width)
		return blocks;
	return width > taken + BLOCKS_MIN ? width - taken : BLOCKS_MIN;
}

static void add_trend(struct pn_buf *out, const struct pn_trend *t,
		      size_t width)
{
	struct pn_buf range = {0};
	size_t blocks, taken, least = BLOCKS_MIN + 2 + NAMES_MIN;

	add_range(&range, t, width > least ? width - least : 0);
	taken = 2 + pn_text_width(pn_buf_text(&range), range.len);
	blocks = blocks_of(width, taken);
	taken += t->count < blocks ? t->count : blocks;
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
