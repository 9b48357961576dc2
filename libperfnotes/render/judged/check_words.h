/* Inside of render/judged/ only: what the formats of a check say alike. But for
 * the line none of it is escaped: that is for the format. */
#ifndef PN_JUDGED_CHECK_WORDS_H
#define PN_JUDGED_CHECK_WORDS_H

#include "render/judged/check.h"
#include "render/sink.h"

#define PN_CHECK_NAME 120 /* columns of a name: it may have megabytes */

/* A line for people, escaped and wrapped, in a colour or ""; `text` is empty
 * then. */
void pn_check_line(struct pn_sink *out, struct pn_buf *text, const char *color);
/* A name, cut to some columns. */
void pn_check_name(struct pn_buf *out, const char *name, size_t columns);
/* "fib/time": as one types it, cut like any name. */
void pn_check_series(struct pn_buf *out, const struct pn_judge_row *row);
void pn_check_metric(struct pn_buf *out, const struct pn_judge_row *row);
/* "fib/time got slower by 8.3% [7.1, 9.6]: 44.0 ms, was 40.6 ms"; ends with
 * ", by one of 3 commits up to 1234567890" where that is not clear. */
void pn_check_sentence(struct pn_buf *out, const struct pn_judge_report *report,
		       const struct pn_judge_row *row);
/* "3 metrics got worse, 1 better, 12 did not change": of all rows. */
void pn_check_totals(struct pn_buf *out, const struct pn_judge_report *report);
/* "HEAD (1234567890, subject) and its past", "... and main". */
void pn_check_title(struct pn_buf *out, const struct pn_judge_report *report);
/* "+8.3%", "[+7.1, +9.6]", "1.4%" or "x14"; nothing where it is not known. */
void pn_check_change(struct pn_buf *out, const struct pn_judge_row *row);
void pn_check_interval(struct pn_buf *out, const struct pn_judge_row *row);
/* The same of ratios. */
void pn_check_ratio(struct pn_buf *out, double ratio);
void pn_check_ratios(struct pn_buf *out, double low, double high);
void pn_check_seen(struct pn_buf *out, const struct pn_judge_row *row);
/* Why there is no verdict, or none that is sure, and what to do; nothing where
 * there is nothing to be said. */
void pn_check_doubt(struct pn_buf *out, const struct pn_judge_row *row);
/* What the level that holds began with: "got worse by +14.7% at 1234567890, 3
 * commits before: nobody has accepted it"; nothing where that is not so. */
void pn_check_standing(struct pn_buf *out, const struct pn_judge_report *report,
		       const struct pn_judge_row *row);
/* Whether something changed, or may have. */
bool pn_check_is_change(const struct pn_judge_row *row);

#endif
