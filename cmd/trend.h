/* The course of each metric over the commits that log has shown. */
#ifndef CMD_TREND_H
#define CMD_TREND_H

#include "analysis/figures.h"
#include "base/buf.h"

struct trends;

struct trends *trends_new(void);
void trends_free(struct trends *trends);
/* The figures of the next commit, towards the past. */
void trends_add(struct trends *trends, const struct pn_figure *figures,
		size_t count);
/* One line a series that moved, oldest value left: name, sparkline, least ..
 * greatest. */
void trends_print(struct pn_buf *out, const struct trends *trends);

#endif
