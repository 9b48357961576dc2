/* What `git perf run` shows: progress, results, the list of jobs. */
#ifndef CMD_RUN_VIEW_H
#define CMD_RUN_VIEW_H

#include "base/json.h"
#include "jobs/matrix.h"
#include "jobs/run.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A line on a terminal that is written over again and again, at most ten
 * times a second, and at once when another job or line begins. `prefix` comes
 * first in it ("" for none). Zeroed: not shown yet. */
struct run_progress_line {
	int64_t shown_ns;
	const void *what;
	bool visible, told;
};
void run_progress_show(struct run_progress_line *line, const char *prefix,
		       const struct pn_run_progress *progress);
/* Where no line is shown: that another run is waited for, once. */
void run_progress_tell(struct run_progress_line *line,
		       const struct pn_run_progress *progress);
void run_progress_clear(struct run_progress_line *line);

/* "parse  ./parser --fast small.json [time]": one line, escaped. */
void run_job_title(struct pn_buf *out, const struct pn_matrix_job *job);

/* What was measured, a line each, with the first figures. */
void run_print_text(FILE *to, struct pn_run *run, size_t count);
/* The members `profiles` and `failed` of an object. */
void run_write_json(struct pn_json_writer *w, struct pn_run *run, size_t count);
/* Failures and doubts, on standard error. */
void run_print_faults(struct pn_run *run, size_t count);

/* --list: the jobs that `run` selected, or all when it is NULL. */
void run_list_text(FILE *to, const struct pn_matrix *matrix,
		   struct pn_run *run);
void run_list_json(FILE *to, const struct pn_matrix *matrix,
		   struct pn_run *run);

#endif
