/*
 * Flame graphs as data: all stacks of a profile as one tree of names, of which
 * each frame has the weight of the stacks that go through it (Gregg, "The
 * Flame Graph", CACM 59(6), 2016). Pure.
 *
 * Frames of equal printed name are one. Of two profiles each frame has the
 * weight of both. The tree grows where it is heaviest, so that what a limit
 * leaves out is what weighs least: a frame's weight is then more than that of
 * its children and its own together.
 *
 * A call graph without stacks gives an estimate: what a function costs flows
 * on to what it calls by the share of each call in all that it spends,
 * whoever called it. What goes back to a function that is on the way four times
 * already stays with its caller.
 *
 * By time, stacks stand in the order in which they were sampled, thread after
 * thread, and only neighbours are one; each sample weighs the same part of
 * what its stack weighs.
 */
#ifndef PN_FLAME_FLAME_H
#define PN_FLAME_FLAME_H

#include "analysis/diff/diff.h"
#include "analysis/report.h"
#include "base/arena.h"

#define PN_FLAME_FRAMES_MAX 100000 /* a page draws so many quickly */
#define PN_FLAME_DEPTH_MAX 1000	   /* deeper calls count for the last level */

enum pn_flame_side { PN_FLAME_NEW, PN_FLAME_OLD, PN_FLAME_SIDES };

struct pn_flame_name {
	const char *text; /* printable, not escaped */
	size_t len;
	uint32_t module; /* of `modules` */
	uint32_t hash;	 /* of the text: the same in each graph */
};

struct pn_flame_frame {
	uint32_t name;	 /* of `names` */
	uint32_t parent; /* PN_NONE: the root, which is the first */
	uint32_t depth;	 /* 0: the root */
	uint32_t end;	 /* the first frame behind its subtree */
	/* By side, in the unit of the graph; that of the old side is 0 where
	 * there is one profile. Where callers are the children, no frame has
	 * a cost of its own. */
	double total[PN_FLAME_SIDES], self[PN_FLAME_SIDES];
	double start[PN_FLAME_SIDES]; /* left end, from the root's */
};

struct pn_flame {
	struct pn_flame_frame *frames; /* in pre-order */
	size_t frame_count;
	uint32_t depth; /* levels, with the root's */
	struct pn_flame_name *names;
	size_t name_count;
	const char **modules; /* "": of none that is known */
	size_t module_count;
	const char *type, *unit; /* borrowed from the report */
	bool two;		 /* profiles */
	bool estimate;		 /* from a call graph without stacks */
	bool by_time, reversed;
	bool cut;      /* there is more than was kept */
	bool negative; /* what weighs less than nothing was left out */
	struct pn_arena arena;
};

struct pn_flame_options {
	bool by_time;	   /* else the heaviest child is first */
	bool reversed;	   /* the root's children are the innermost functions */
	size_t frames_max; /* 0: PN_FLAME_FRAMES_MAX */
};

/*
 * The graph of a report on all nodes, or of both sides of a difference: `diff`
 * is NULL for one. PN_EINVAL: a mean, which does not add up; by time, but of
 * two profiles or of one whose samples have no times.
 * Time O(frames of the stacks), memory 4 bytes for each.
 */
int pn_flame_init(struct pn_flame *out, const struct pn_report *report,
		  const struct pn_diff *diff,
		  const struct pn_flame_options *options, struct pn_error *err);
void pn_flame_release(struct pn_flame *flame);

/*
 * One function, by its outermost call in each stack: who called it, as a graph
 * with the function as root and its callers as children, and what it called.
 * Both roots weigh what the function does.
 */
struct pn_sandwich {
	struct pn_flame callers, callees;
	size_t matches; /* functions that the expression fits */
};

/* Of functions that match `pattern` the one with the largest total.
 * `frames_max` is of either graph, as in pn_flame_options. PN_ENOTFOUND: none
 * does; see pn_flame_init. */
int pn_sandwich_init(struct pn_sandwich *out, const struct pn_report *report,
		     const struct pn_diff *diff, const char *pattern,
		     size_t frames_max, struct pn_error *err);
void pn_sandwich_release(struct pn_sandwich *sandwich);

/* How much more a frame weighs on the new side: -1 (gone) to 1 (new), the
 * difference by the larger of both. */
double pn_flame_change(const struct pn_flame_frame *frame);
/* The size of a change that is drawn as the largest: 0.1, or what 95 of 100
 * frames do not exceed. */
double pn_flame_change_scale(const struct pn_flame *flame);

#endif
