/*
 * What each label of the samples weighs: per key its values, heaviest first
 * (pprof's `tags`). A sample that gives a key twice counts twice.
 */
#ifndef PN_ANALYSIS_TAGS_H
#define PN_ANALYSIS_TAGS_H

#include "analysis/report.h"

struct pn_tag {
	const char *text; /* numbers are in the unit of their key: "2kB" */
	int64_t weight;
};

struct pn_tag_key {
	const char *name;
	int64_t total;
	size_t first, count; /* of `tags` */
};

struct pn_tags {
	struct pn_tag_key *keys; /* by name */
	size_t key_count;
	struct pn_tag *tags;
	size_t tag_count;
	struct pn_strtab strings; /* of numbers as text */
};

/* Time O(samples + labels log labels). Borrows from the report. */
void pn_tags_init(struct pn_tags *out, const struct pn_report *report);
void pn_tags_release(struct pn_tags *tags);

/* The text of a label's value: a string or JSON as it is, a number in `to`
 * (see unit.h). */
void pn_tag_text(struct pn_buf *out, const struct pn_report *report,
		 const struct pn_label *label, const char *to);

#endif
