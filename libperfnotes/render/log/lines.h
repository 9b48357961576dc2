/* One line for each series of a commit. Text is escaped for a terminal. */
#ifndef PN_LOG_LINES_H
#define PN_LOG_LINES_H

#include "analysis/history/log_series.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "render/palette.h"

#include <stdbool.h>

#define PN_LOG_COLUMNS 80 /* of a line, where no terminal says how many */

/* Widest text of each column of the lines so far, and the least room that the
 * subject of a commit had before them, with the graph to its left; 0: none. */
struct pn_log_columns {
	size_t name, metric, figure, change;
	size_t subject;
	size_t line;  /* columns of a line; 0: PN_LOG_COLUMNS */
	size_t drawn; /* of a graph to the left, which `line` is without, ... */
	size_t drawn_most; /* ... and which lines are indented for, so far */
	/* Of a line beside a graph, in which a subject is wrapped; 0: it is
	 * not. */
	size_t wrap;
	/* Where figures begin on lines of their own, as one has no room for
	 * name, metric and figure; 0: they do not. */
	size_t below;
};

struct pn_log_series_style {
	struct pn_palette palette;
	bool tags; /* begins with the tag: "0@i" */
	bool all;  /* records and all metrics below each line */
	/* At hand: what was measured elsewhere says so. */
	struct pn_oid commit, tree;
	size_t indent, column; /* where lines begin, and the first one */
	size_t width; /* of a line, names are cut to that; 0: PN_LOG_COLUMNS */
	/* Of the lines that were written before, to stand below them; grows.
	 * NULL: these lines are alone. */
	struct pn_log_columns *columns;
};

/*
 *   0@i  count/callgrind  Ir    356,400          =
 *   1@i  count/time       wall  1.07 ms ± 0.22   -12.3%  dirty
 *        sort             build failed: 'make' exited with status 2
 */
void pn_log_series_lines(struct pn_buf *out, const struct pn_log_series *rows,
			 size_t count, const struct pn_log_series_style *style);
/* "not measured: why", and what measures it where that does not say what to
 * do, in lines of `width` columns (0: in one). */
void pn_log_unmeasured(struct pn_buf *out, const char *why,
		       const struct pn_oid *commit,
		       const struct pn_palette *palette, size_t width,
		       size_t indent);
/* The member `series`: the same, with every metric, as JSON. */
void pn_log_series_json(struct pn_json_writer *w,
			const struct pn_log_series *rows, size_t count);

#endif
