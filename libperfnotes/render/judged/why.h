/* The functions that explain a change: as a sentence, as lines, as JSON. */
#ifndef PN_JUDGED_WHY_H
#define PN_JUDGED_WHY_H

#include "analysis/judge/judge.h"
#include "analysis/why/why.h"
#include "base/buf.h"
#include "base/json/json.h"

#define PN_WHY_SENTENCE_MAX 3 /* functions that it names */

/*
 * "parse_header +41 ms, called 3 x as often from read_loop; validate_utf8 is
 * new, +12 ms; 92 % of it explained": without full stop or line feed, escaped
 * for a terminal. "no function explains it" where none does.
 */
void pn_why_sentence(struct pn_buf *out, const struct pn_why *why);
/* The same, a line for each part, indented by two blanks; without the last
 * line feed. */
void pn_why_lines(struct pn_buf *out, const struct pn_why *why);
/* A line for each row: change, share of the whole change, name, how; each
 * begins with `indent` blanks. */
void pn_why_text(struct pn_buf *out, const struct pn_why *why,
		 unsigned int indent);
/* One object: {type, unit, old_total, new_total, delta, common, explained,
 * tested, changed, rows[]}. */
void pn_why_json(struct pn_json_writer *w, const struct pn_why *why);
/* The functions that explain it, and of which collector where that is another
 * one than the row's; as lines below the sentence, or as a sentence. */
void pn_why_reason(struct pn_buf *out, const struct pn_judge_reason *reason,
		   const struct pn_judge_row *row, bool lines);
/* What happened, and the functions that explain it where they are known. */
void pn_why_change(struct pn_buf *out, const struct pn_judge_report *report,
		   const struct pn_judge_row *row);

#endif
