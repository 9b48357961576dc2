/* Index entries as people and programs see them: shared by log and status. */
#ifndef CMD_ENTRY_VIEW_H
#define CMD_ENTRY_VIEW_H

#include "analysis/figures.h"
#include "base/buf.h"
#include "base/json.h"
#include "model/entry.h"

/* The members of a profile object (CLI.md, "JSON"), without braces. */
void entry_members(struct pn_json_writer *w, const struct pn_entry *entry);

/* A metric (CLI.md, "JSON"), braces and all. */
void metric_object(struct pn_json_writer *w,
		   const struct pn_entry_metric *metric);

/* "./wordfreq 2000 small": command, arguments and workload; "" when the line
 * does not say. Escaped for a terminal. */
void entry_job(struct pn_buf *out, const char *cmd, const char *args,
	       const char *workload);

/* What a job's name needs beside command, arguments and workload, so that no
 * other job bears it. */
struct job_tell {
	bool collector, environment;
};

/* Note what tells the job of a from that of b. */
void job_tell_apart(struct job_tell *tell, const struct pn_figure *a,
		    const struct pn_figure *b);
/* "./fib 30: callgrind on <environment>": as entry_job, and what to tell. */
void job_text(struct pn_buf *out, const struct pn_figure *figure,
	      const struct job_tell *tell);

/* "81.3ms": a value in a unit that suits it, escaped. */
void value_text(struct pn_buf *out, double value, const char *unit);

/* "cpu 2.29s" or "wall 81.3ms +- 2.1ms (n 15)": one figure, escaped. */
void figure_text(struct pn_buf *out, const struct pn_figure *figure);

/* "2026-11-20 10:00:00", UTC. */
void time_text(struct pn_buf *out, int64_t time_ns);

#endif
