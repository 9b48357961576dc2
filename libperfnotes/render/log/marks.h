/* The marks of a history beside its commits. */
#ifndef PN_LOG_MARKS_H
#define PN_LOG_MARKS_H

#include "analysis/judge/marks.h"
#include "base/json/json.h"
#include "render/palette.h"

/* "! fib/time: wall +8.3% [+7.1, +9.6], by one of 3 commits" for each mark of a
 * commit, in lines of `width` columns (0: each in one). */
void pn_log_marks_text(struct pn_buf *out, const struct pn_marked *marks,
		       const struct pn_oid *commit,
		       const struct pn_palette *palette, size_t width);
/* The member `changes`, where there are any. */
void pn_log_marks_json(struct pn_json_writer *w, const struct pn_marked *marks,
		       const struct pn_oid *commit);

#endif
