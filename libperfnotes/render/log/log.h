/* A history with figures: as text in two lengths, as JSON, and the course of
 * its series. Text is escaped for a terminal. */
#ifndef PN_LOG_LOG_H
#define PN_LOG_LOG_H

#include "analysis/history/log_row.h"
#include "analysis/history/trend.h"
#include "base/json/json.h"
#include "render/log/lines.h"
#include "render/palette.h"

#include <stdbool.h>

/* One commit: head, an empty line, a line for each series (`all`: with every
 * metric), an empty line. One without profiles is one dim line. Names are cut
 * to a line of `columns`, of which nothing is changed. */
void pn_log_text(struct pn_buf *out, const struct pn_log_row *row,
		 const struct pn_palette *palette, bool all,
		 const struct pn_log_columns *columns);
/* One commit in short: id and subject, then a line for each series; a single
 * one of them stands on the same line. `columns`: zeros at first but for
 * the width of a line, for all commits of a history. */
void pn_log_line(struct pn_buf *out, const struct pn_log_row *row,
		 const struct pn_palette *palette, bool all,
		 struct pn_log_columns *columns);
/* A line for each series that moved: one column a commit, oldest left, then its
 * name and least .. greatest. */
void pn_log_trends(struct pn_buf *out, struct pn_trends *trends, size_t width);

/* The object of --json: what comes before the commits, each of them, and what
 * comes behind. */
void pn_log_json_begin(struct pn_json_writer *w, struct pn_buf *out);
void pn_log_json_add(struct pn_json_writer *w, const struct pn_log_row *row);
void pn_log_json_end(struct pn_json_writer *w);

#endif
