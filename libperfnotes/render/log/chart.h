/* The course of series as charts for a terminal. */
#ifndef PN_LOG_CHART_H
#define PN_LOG_CHART_H

#include "analysis/history/trend.h"
#include "base/buf.h"
#include "render/palette.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A chart for each series that moved: a line with its name, then rows with the
 * scale on the left, one column or more a commit, the oldest on the left. In
 * dots of Braille's characters, joined by lines, or stars where there is no
 * UTF-8. At most `columns` wide (0: 80). Returns how many there were.
 */
size_t pn_log_charts(struct pn_buf *out, struct pn_trends *trends,
		     const struct pn_palette *palette, size_t columns,
		     bool utf8);

#endif
