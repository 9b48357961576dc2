/*
 * A report as a picture: which nodes and edges of a call graph are worth being
 * drawn, and in which order. The rules are pprof's (google/pprof,
 * internal/graph): nodes from which calls part, or where they begin and end,
 * come before those that only pass a weight on; a drawn label takes the place
 * of a node; an edge over nodes that were left out is drawn only where there
 * is no other way to its end. Internal to the report but for the nodelets.
 */
#ifndef PN_DRAWN_DRAWN_H
#define PN_DRAWN_DRAWN_H

#include "analysis/report.h"
#include "analysis/tally.h"

#define PN_DRAWN_NODELETS 4 /* labels beside a node, and numbers beside one */

/* What the samples of a node that have some labels weigh. */
struct pn_drawn_tag {
	uint32_t node;
	uint32_t labels; /* strings: 0: the sample has none that is a text */
	uint32_t number; /* strings: "2kB"; 0: the labels as such */
	const char *unit;
	int64_t value; /* the number */
	int64_t flat, flat_div, cum, cum_div;
};

/* Sorted by node; those of node n are items[first[n]] up to first[n + 1]. */
struct pn_drawn_tags {
	struct pn_drawn_tag *items;
	size_t count, cap;
	size_t *first;
	struct pn_strtab strings; /* lines "key:value" */
};

/* Those of the report's rows that weigh `least` or more. */
void pn_drawn_tags_init(struct pn_drawn_tags *out,
			const struct pn_report *report, int64_t least);
void pn_drawn_tags_release(struct pn_drawn_tags *tags);

/* Of labels heaviest first, by cum or by flat, then by name. */
void pn_drawn_tags_order(struct pn_drawn_tag *items, size_t count, bool flat,
			 const struct pn_strtab *strings);

/* Order the report's rows, leave as many as its node_count allows, and find
 * its edges of at least `least_edge`. */
void pn_drawn_choose(struct pn_report *report, const struct pn_tally *tallies,
		     int64_t least_node, int64_t least_edge);

/* Take out of the lists of edges those that can be done without. */
void pn_drawn_drop_redundant(struct pn_report *report);

/* A label, or numbers of labels, beside a node. */
struct pn_nodelet {
	const char *name; /* lines with LF between, not escaped */
	int64_t weight;
	uint32_t place;	     /* among those of its node or label */
	bool partly;	     /* the weight is of what the node calls, too */
	size_t first, count; /* numbers beside a label */
};

struct pn_nodelets {
	struct pn_nodelet *items;
	size_t count, cap;
	/* By row of the report: labels, and numbers without labels. */
	struct pn_nodelet_rows {
		size_t labels, label_count, numbers, number_count;
	} * rows;
	struct pn_arena arena;
};

/* Those of a report that was made to be drawn. */
void pn_nodelets_init(struct pn_nodelets *out, const struct pn_report *report);
void pn_nodelets_release(struct pn_nodelets *nodelets);

#endif
