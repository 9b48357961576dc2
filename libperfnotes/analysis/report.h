/*
 * The report that most views print: each node with its own weight and the
 * weight of all stacks it is on, trimmed and ordered, and, when asked for,
 * the edges between the nodes. This is the shape "graph"; it is pure data.
 *
 * Weights are those of the profile, sums over all its runs (model/runs.h).
 * What is printed of them is what one run cost: pn_report_number.
 *
 * The rules are pprof's (github.com/google/pprof, internal/graph and
 * internal/report): a node counts once a sample however often it recurs, so
 * does an edge; an edge never leads to its own node; a frame that was trimmed
 * away leaves the weight of the leaf below it to nobody, and a residual edge.
 *
 * A profile that is a call graph without stacks gives the functions' self and
 * total costs, those of functions that call each other bounded by what they
 * cost together. What the granularity makes one costs what its functions cost
 * themselves and what they call outside of it. Lines and addresses come from
 * the costs by line that the graph has, see cost_lines.h.
 */
#ifndef PN_ANALYSIS_REPORT_H
#define PN_ANALYSIS_REPORT_H

#include "analysis/filter/filter.h"
#include "analysis/nodes.h"
#include "analysis/weight.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"

/* Two stamps a sample fit 32 bits; as a file that is over 8 GB. */
#define PN_REPORT_MAX_SAMPLES 0x7ffffffeu

#define PN_REPORT_NODE_FRACTION 0.005
#define PN_REPORT_EDGE_FRACTION 0.001

enum pn_report_edges {
	PN_EDGES_NONE,
	PN_EDGES_INLINED, /* those that decide `inlined` of the nodes */
	PN_EDGES_ALL
};

struct pn_report_options {
	struct pn_filter filter;
	enum pn_granularity granularity;
	enum pn_report_edges edges;
	bool no_rows;	 /* filter and choose only: who asks makes its own rows,
			  * of a call graph as its profiler has it */
	bool nodes_only; /* and nodes: rows are made of a call graph, or where
			  * the unit is to be the one of the least of them */
	bool drawn;	 /* rows and edges for a picture: analysis/drawn */
	bool noinlines;
	bool cum_sort;	    /* order by cum instead of flat */
	bool flat_sort;	    /* it was said: nothing but what is the default */
	bool relative;	    /* the total is of what the filters left */
	bool drop_negative; /* no nodes that weigh less than nothing */
	bool call_tree;	    /* of pictures: drawn/paths.h */
	bool mean;
	const char *sample_index; /* see pn_weight_choose */
	double divide_by;	  /* 0: 1 */
	const char *unit;	  /* NULL: minimum; see unit.h */
	int64_t node_count;	  /* 0: all */
	double node_fraction;	  /* of the sum of flat; 0: no trimming */
	double edge_fraction;
	/* By string of the profile: whether there are rows of functions that
	 * are called so; NULL: of all. */
	const unsigned char *names;
};

/* What an option table cannot check. PN_EINVAL. */
int pn_report_options_check(const struct pn_report_options *options,
			    struct pn_error *err);

enum pn_inlined { PN_INLINED_NO, PN_INLINED_PARTLY, PN_INLINED_ALWAYS };

struct pn_report_node {
	const char *name; /* printable, not escaped */
	size_t name_len;
	const char *binary;	   /* that tells equal names apart, or "" */
	uint32_t node;		   /* of `nodes` */
	int64_t flat, cum;	   /* divided when the report is a mean */
	int64_t flat_sum, cum_sum; /* before the division */
	int64_t calls;		   /* of a call graph; -1: unknown */
	enum pn_inlined inlined;
	/* Edges: in[in_first ...], out[out_first ...], heaviest first. */
	size_t in_first, in_count, out_first, out_count;
};

struct pn_report_edge {
	uint32_t from, to; /* of `rows` */
	int64_t weight, divisor;
	bool inlined;  /* every call along it was inlined */
	bool residual; /* it bridges nodes that were trimmed */
};

struct pn_report {
	const struct pn_profile *profile;
	struct pn_report_options options;
	struct pn_weight weight;
	const char *type, *unit; /* of the column, as the profile has them */
	const char *to_unit;	 /* in which values are printed */
	uint32_t *tag_units;	 /* see pn_tag_unit */
	struct pn_nodes nodes;
	int64_t total;
	int64_t whole;	    /* the same before filters, whatever is relative */
	int64_t flat_total; /* of the rows */
	uint32_t runs;	    /* by which figures are divided; 1 for a mean */
	struct pn_report_node *rows;
	size_t row_count;
	size_t hidden_count;  /* rows behind them: ends of edges, not shown */
	size_t kept_count;    /* nodes after trimming, before node_count */
	size_t dropped_count; /* nodes that trimming took away */
	struct pn_report_edge *edges;
	size_t edge_count, dropped_edges;
	uint32_t *in, *out;	/* edges */
	int64_t draws_tags_of;	/* at least this weight, see drawn.h */
	unsigned int unmatched; /* filters, see pn_filter_apply */
	struct pn_arena arena;
};

/*
 * Filters `profile` in place and reports on it; it is borrowed until the
 * release and must not change. PN_EINVAL: a bad expression or sample type;
 * PN_ELIMIT above PN_REPORT_MAX_SAMPLES. Time O(frames), memory O(locations +
 * edges).
 */
int pn_report_init(struct pn_report *out, struct pn_profile *profile,
		   const struct pn_report_options *options,
		   struct pn_error *err);
/* One more report of the same profile, by the same weights and runs, which
 * changes nothing: no filter, column or mean of the options counts. False: the
 * profile would have to be changed, and *out is as it was. */
bool pn_report_init_again(struct pn_report *out, const struct pn_report *from,
			  const struct pn_report_options *options);
void pn_report_release(struct pn_report *report);

/* A weight as a number of the profile's own unit, of one run. */
double pn_report_number(const struct pn_report *report, int64_t weight);
/* Whether that is the weight itself, a whole number, for all weights. */
bool pn_report_is_whole(const struct pn_report *report);
/* A weight that is of one run only. */
double pn_report_number_of_run(const struct pn_report *report, int64_t weight);
/* The calls of a row by run. */
double pn_report_calls(const struct pn_report *report, int64_t calls);
/* A weight as text, in the report's unit: "2.29s". */
void pn_report_value(struct pn_buf *out, const struct pn_report *report,
		     int64_t weight);
/* A weight's share of the total: see pn_unit_percentage. */
void pn_report_share(struct pn_buf *out, const struct pn_report *report,
		     int64_t weight);
/* "Curves: heap, stacks (--view=flow)" and LF, not escaped: what tops and
 * tables do not show; nothing when there are none. */
void pn_report_curves(struct pn_buf *out, const struct pn_profile *p);
/* The lines above a report, each with LF, not escaped: binary, type, time
 * (UTC), number of runs where there are several, duration; `rows` adds what the
 * rows account for and what is left out. */
void pn_report_header(struct pn_buf *out, const struct pn_report *report,
		      bool rows);

#endif
