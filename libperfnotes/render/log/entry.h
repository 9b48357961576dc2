/*
 * Index entries and their figures as people see them (text, escaped for a
 * terminal) and as programs do (JSON).
 */
#ifndef PN_LOG_ENTRY_H
#define PN_LOG_ENTRY_H

#include "analysis/history/figures.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "model/entry.h"

/* The members of a profile object, without braces. */
void pn_entry_json(struct pn_json_writer *w, const struct pn_entry *entry);
/* A metric as an object. */
void pn_entry_metric_json(struct pn_json_writer *w,
			  const struct pn_entry_metric *metric);

/* "./wordfreq 2000 small": command, arguments and workload; "" when all three
 * are. */
void pn_job_text(struct pn_buf *out, const char *cmd, const char *args,
		 const char *workload);
/* "2 noisy records left out": behind a figure, or nothing. */
void pn_figure_noise_text(struct pn_buf *out, const struct pn_figure *figure);
/* "  (noisy: other programs used 62 % of the machine)", or nothing. */
void pn_entry_noise_text(struct pn_buf *out, const struct pn_entry *entry);
/* "cpu 2.29 s" or "wall 81.3 ms +- 2.1 (n 15)". */
void pn_figure_text(struct pn_buf *out, const struct pn_figure *figure);

/* "  after regression-analysis, normalizer": what it was put through; nothing
 * where that is nothing. */
void pn_entry_posts_text(struct pn_buf *out, const struct pn_entry *entry);

#define PN_ENTRY_FIGURES 3 /* of a profile, where they stand on its line */

/* The first figures of an entry, a list: "wall 81.3 ms, user 80.1 ms". How many
 * others it has is returned. */
size_t pn_entry_figures_text(struct pn_buf *out, const struct pn_entry *entry);

/* "2026-11-20 10:00:00", UTC. */
void pn_time_text(struct pn_buf *out, int64_t time_s);

#endif
