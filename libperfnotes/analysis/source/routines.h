/*
 * What functions cost, line by line, of a report by lines: pprof's `list`
 * (github.com/google/pprof, internal/report/source.go). A function that stands
 * in several files, as by inlining, is a routine in each.
 */
#ifndef PN_SOURCE_ROUTINES_H
#define PN_SOURCE_ROUTINES_H

#include "analysis/report.h"
#include "analysis/source/text.h"

/* Sums of the nodes of a line, before the division of a mean, as pprof has
 * them: of a function that is on a stack at several lines each has the cost. */
struct pn_routine_line {
	int64_t number, flat, cum;
};

struct pn_routine {
	uint32_t name; /* string of the profile */
	uint32_t file; /* string of report->nodes.files; "": unknown */
	int64_t flat, cum;
	/* What is shown: from where the function begins, or some lines before
	 * the first with a cost, to some behind the last. */
	int64_t first, last;
	size_t line_first, line_count; /* of `lines`, by number */
};

struct pn_routines {
	struct pn_routine *routines; /* by name, then by file */
	size_t routine_count;
	struct pn_routine_line *lines;
	size_t line_count;
};

/* Routines with what they were made of; borrowed. */
struct pn_routine_texts {
	const struct pn_report *by_line;
	const struct pn_routines *routines; /* NULL: there is none */
	const struct pn_source_texts *texts;
};

/* Those whose name matches `pattern`. PN_ENOTFOUND: none does; PN_EINVAL: a bad
 * expression. */
int pn_routines_init(struct pn_routines *out, const struct pn_report *report,
		     const char *pattern, struct pn_error *err);
void pn_routines_release(struct pn_routines *list);
/* What a line of a routine costs, whose lines are `lines`: zeros where it has
 * no cost. Lines are asked for in order, *at begins with 0. */
struct pn_routine_line pn_routine_cost(const struct pn_routine *routine,
				       const struct pn_routine_line *lines,
				       int64_t number, size_t *at);

#endif
