/*
 * The functions of a timed call graph in the order in which Racket's profiler
 * shows them, without those that it hides (racket/profile: its manual and
 * utils.rkt).
 */
#ifndef PN_TIMED_ORDERED_H
#define PN_TIMED_ORDERED_H

#include "model/graph/timed.h"

enum pn_timed_order { PN_ORDER_TOPOLOGICAL, PN_ORDER_SELF, PN_ORDER_TOTAL };

/* How a graph is shown; Racket's render-text. */
struct pn_timed_style {
	enum pn_timed_order order;
	/* Shares: a function is hidden whose own time is not above the first,
	 * and which is not above the second in the time of any caller or
	 * callee. Both 0: none is. */
	double hide_self, hide_subs;
	int64_t truncate; /* name and place to so many characters; 0: never */
};

#define PN_TIMED_STYLE_DEFAULT                                                 \
	(struct pn_timed_style)                                                \
	{                                                                      \
		PN_ORDER_TOPOLOGICAL, 0.01, 0.02, 50                           \
	}

/* By name: PN_EINVAL lists the names. */
int pn_timed_order_find(enum pn_timed_order *out, const char *name,
			struct pn_error *err);
void pn_timed_order_names(struct pn_buf *out, const char *between);

struct pn_timed_ordered {
	uint32_t *nodes; /* that are shown */
	size_t count;
	size_t hidden;	/* others */
	uint32_t *rank; /* by node: place in `nodes` + 1; 0: not shown */
};

/*
 * The topological order is that of a drawing in layers from callers to
 * callees, cycles cut where least time flows back (Di Battista, Eades,
 * Tamassia, Tollis: Graph Drawing, 9.1 and 9.4, with times as weights); within
 * a layer the largest total is first. Time O(edges) but for cycles, each of
 * which costs a look at all functions that are left.
 */
void pn_timed_ordered_init(struct pn_timed_ordered *out,
			   const struct pn_timed *timed,
			   const struct pn_timed_style *style);
void pn_timed_ordered_release(struct pn_timed_ordered *ordered);

#endif
