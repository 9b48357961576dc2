/*
 * What two profiles cost and by how much that differs, node by node: the
 * figures of two reports side by side. Pure.
 *
 * Nodes are the same when their printed names are (of call graphs: and their
 * files); several of one name are paired in the order of their weight. One
 * that only the old profile has and one that only the new one has are the
 * same, too, when their names and the names of their files are, whatever the
 * folder: sources that were checked out elsewhere. Any other node without
 * weight on one side is new or gone, or both are one that was renamed (see
 * rename.h).
 */
#ifndef PN_DIFF_DIFF_H
#define PN_DIFF_DIFF_H

#include "analysis/report.h"
#include "analysis/table.h"

enum pn_diff_state {
	PN_DIFF_CHANGED,
	PN_DIFF_NEW,
	PN_DIFF_GONE,
	PN_DIFF_RENAMED
};

struct pn_diff_row {
	const char *name;
	const char *old_name; /* of a renamed one, else NULL */
	/* one of them may be NULL; borrowed from the reports */
	const struct pn_report_node *before, *after;
	double old_self, new_self, old_total, new_total;
	double delta; /* of self, or of total when the order is by that */
	enum pn_diff_state state;
};

struct pn_diff_options {
	bool by_total;	      /* delta is of the total; else of self */
	bool normalize;	      /* the new side is scaled to the old one's sum */
	double node_fraction; /* smaller changes are left out: of old_sum */
	int64_t node_count;   /* 0: all */
	bool keep_equal;      /* rows that do not differ stay */
};

struct pn_diff {
	const struct pn_report *before, *after;
	struct pn_diff_options options;
	const char *unit;	  /* of all figures: the new profile's */
	const char *to_unit;	  /* in which they are printed */
	double old_sum, new_sum;  /* what the reports' percentages are of */
	double factor;		  /* of --normalize, else 1 */
	struct pn_diff_row *rows; /* largest change first, then by name */
	size_t row_count;
	size_t changed_count; /* rows that differ, with those left out */
	size_t dropped_count; /* too small */
};

/*
 * The reports are borrowed and have to hold all nodes (node_count and
 * node_fraction 0). PN_EINVAL when their units cannot be compared.
 * Time O(n log n) in the rows.
 */
int pn_diff_init(struct pn_diff *out, const struct pn_report *before,
		 const struct pn_report *after,
		 const struct pn_diff_options *options, struct pn_error *err);
void pn_diff_release(struct pn_diff *diff);
/*
 * By which share of the old costs the new ones are worse: those of all rows
 * themselves, as far as filters left them, more of them unless more is better.
 * Of a mean it is that of the whole. 0: they are not worse; infinite: there
 * were none.
 */
double pn_diff_worse(const struct pn_diff *diff);
/* Whether that is worse, and by `least` at least: 3.3 is by a tenth more than
 * 3, though not as doubles. */
bool pn_diff_is_worse(double worse, double least);

/*
 * Columns old, new, delta, relative (delta by the old value), points (delta by
 * the old total), old cum, new cum, name; for JSON name, old_name, file, line,
 * old_self, new_self, old_total, new_total, delta, relative, points, old_calls,
 * new_calls, state. Borrows from the diff.
 */
void pn_table_of_diff(struct pn_table *out, const struct pn_diff *diff);

/* The lines above the table, each with LF, not escaped. */
void pn_diff_header(struct pn_buf *out, const struct pn_diff *diff);

/*
 * The metrics of two profiles, or the sums of their samples: name, old, new
 * (medians), delta, relative, n of both; for JSON also unit, better, state.
 * *worse is by which share the worst one is, beyond its noise and as it says
 * itself what is better; 0: none is. Borrows from the profiles. `only`: of this
 * name (NULL: all); PN_EINVAL where there is none, *out is to be released then,
 * too.
 */
int pn_table_of_metric_diff(struct pn_table *out, double *worse,
			    const struct pn_profile *before,
			    const struct pn_profile *after, const char *only,
			    struct pn_error *err);

#endif
