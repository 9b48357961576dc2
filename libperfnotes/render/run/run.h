/* Jobs of a project and what became of them, as text and as JSON. */
#ifndef PN_RUN_RUN_H
#define PN_RUN_RUN_H

#include "analysis/history/planned.h"
#include "base/buf.h"
#include "base/json/json.h"

/* "parse  ./parser --fast small.json  [time]": one line, escaped. */
void pn_planned_text(struct pn_buf *out, const struct pn_planned *job);
/* A line for each job, with its id; what has no room in `columns` (0: any) goes
 * on below. */
void pn_planned_list_text(struct pn_buf *out, const struct pn_planned *jobs,
			  size_t count, size_t columns);
void pn_planned_list_json(struct pn_buf *out, const struct pn_planned *jobs,
			  size_t count);

/* What went wrong, as lines for standard error. */
void pn_ran_faults_text(struct pn_buf *out, const struct pn_ran_fault *rows,
			size_t count);
/* What was measured at `commit` and could not be stored: `count` pending
 * profiles. */
void pn_left_pending_text(struct pn_buf *out, size_t count, const char *commit);

/* What was measured, a line each: the series' name, and as many of the first
 * figures as fit `columns` (0: not known). */
void pn_ran_text(struct pn_buf *out, const struct pn_ran *rows, size_t count,
		 size_t columns);
/* The document of one commit, whose id is `commit`. */
void pn_ran_document(struct pn_buf *out, const char *commit,
		     const struct pn_ran *rows, size_t count);
/* That of several commits: begin, one object for each, end. */
void pn_ran_begin(struct pn_json_writer *w, struct pn_buf *out);
void pn_ran_commit(struct pn_json_writer *w, const char *commit,
		   const struct pn_ran *rows, size_t count);
void pn_ran_end(struct pn_json_writer *w, struct pn_buf *out);

#endif
