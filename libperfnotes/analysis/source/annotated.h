/*
 * A source file with what its lines cost, of a report by places
 * (PN_BY_PLACES; of a call graph PN_BY_LINES), or of two with the lines of
 * both.
 */
#ifndef PN_SOURCE_ANNOTATED_H
#define PN_SOURCE_ANNOTATED_H

#include "analysis/report.h"
#include "analysis/source/text.h"

struct pn_annotated_cost {
	int64_t line, self, total;
	/* Of a call graph, the function without callgrind's count of recursion
	 * ("fib" of "fib'2"); borrowed, len 0: none. */
	const char *function;
	size_t len;
};

/* One profile's costs of the file, and its lines there. */
struct pn_annotated_side {
	const struct pn_report *report; /* NULL: it has no such side */
	const struct pn_source_text *text;
	struct pn_annotated_cost *costs; /* by line, each once */
	size_t count;
	int64_t self;	   /* of all of them */
	int64_t elsewhere; /* own cost of lines that are not shown */
};

struct pn_annotated_row {
	uint32_t line[2]; /* of each side, from 1; 0: it is not there */
	int64_t self[2], total[2];
};

/* The old side is 0, the new one 1; of one profile that is 1 alone. */
struct pn_annotated {
	struct pn_annotated_side side[2];
	struct pn_annotated_row *rows;
	size_t row_count;
};

/* Bytes of "fib" of "fib'2", as callgrind counts inner calls. */
size_t pn_function_len(const char *name);

/* The costs of those files (ids of report->nodes.files) that `is_meant` has. */
void pn_annotated_costs(struct pn_annotated_side *out,
			const struct pn_report *report,
			const unsigned char *is_meant);
/* Move costs to the lines that `to` (by line, `count` of them; 0: gone) says;
 * those that are gone are counted as elsewhere. */
void pn_annotated_move(struct pn_annotated_side *side, const uint32_t *to,
		       size_t count);
/* Fill in what the rows cost, and what has none. Rows have their lines, each
 * line once and in order. */
void pn_annotated_fill(struct pn_annotated *annotated);
void pn_annotated_release(struct pn_annotated *annotated);

#endif
