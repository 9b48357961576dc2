/* The series of a commit, or of two side by side: as text and as JSON. */
#ifndef PN_LOG_SERIES_H
#define PN_LOG_SERIES_H

#include "analysis/diff/series_rows.h"
#include "base/json/json.h"
#include "render/palette.h"

#include <stdio.h>

struct pn_series_print {
	const struct pn_log_row *before; /* NULL: of one commit */
	const struct pn_log_row *after;
	const char *old_rev, *new_rev; /* put before names, as one types them */
	bool all;		       /* every metric, not the first alone */
	const struct pn_palette *palette; /* NULL: no colours */
};

/* Text: head, then a line a series; JSON has every metric in any case. */
void pn_series_print_text(FILE *to, const struct pn_series_rows *rows,
			  const struct pn_series_print *print);
void pn_series_print_json(FILE *to, const struct pn_series_rows *rows,
			  const struct pn_series_print *print);
/* What tells a series from others: `series`, `job` and so on. */
void pn_series_members(struct pn_json_writer *w, const struct pn_series *s,
		       const struct pn_series_parts *parts);

#endif
