/*
 * The parts of the codec for callgrind's format, which cachegrind's is a
 * subset of. The grammar: valgrind's manual, "Callgrind Format Specification".
 *
 * What is read becomes a call graph: a function of an object is a node, its
 * cost by line and instruction stands in graph.costs, calls from one line to
 * one function are an edge. Figures of totals are exact where the file says
 * enough, see total.c.
 */
#ifndef PN_CALLGRIND_CALLGRIND_H
#define PN_CALLGRIND_CALLGRIND_H

#include "base/reader/lines.h"
#include "base/slots.h"
#include "codec/frames.h"
#include "model/profile.h"

#define PN_CALLGRIND_TERMS 16 /* of the formula of a derived event */
/* What callgrind says for a file, an object or a function without a name. */
#define PN_CALLGRIND_UNKNOWN "???"

/* A run of a line's text. */
struct pn_span {
	const char *at;
	size_t len;
};

/* Blank or tab separated; false at the end. */
bool pn_span_word(struct pn_span *out, struct pn_span *text);
struct pn_span pn_span_trim(struct pn_span text);
bool pn_span_is(struct pn_span span, const char *text);

/* One event, a column of costs. */
struct pn_callgrind_event {
	uint32_t name;	   /* string: as the file calls it */
	int64_t scale;	   /* what 1 means in the value type's unit */
	size_t term_count; /* of a derived one: sum of factor * column */
	struct {
		int64_t factor;
		size_t column;
	} terms[PN_CALLGRIND_TERMS];
};

/* A line "event: NAME = FORMULA : long name", until "events:" is known. */
struct pn_callgrind_formula {
	char *name, *formula;
};

struct pn_callgrind_header {
	struct pn_callgrind_event events[PN_MAX_VALUE_TYPES];
	size_t recorded; /* events that cost lines have */
	size_t count;	 /* and those that follow from them */
	struct pn_callgrind_formula *formulas;
	size_t formula_count;
	bool has_events;
	uint64_t events_line;
	bool has_instr, has_bb, has_line; /* columns of positions */
	bool is_later_part;
	uint32_t pid, thread; /* strings, of the part at hand; 0: not told */
};

void pn_callgrind_header_init(struct pn_callgrind_header *h);
void pn_callgrind_header_release(struct pn_callgrind_header *h);
/*
 * A line "key: value" that is no sum: it goes into the profile or into `h`.
 */
int pn_callgrind_header_line(struct pn_callgrind_header *h,
			     struct pn_profile *p, struct pn_span key,
			     struct pn_span value, uint64_t line,
			     struct pn_error *err);
/*
 * What the thread of the part that ends has cost, into the table of threads;
 * nothing where none is told.
 */
void pn_callgrind_end_thread(struct pn_callgrind_header *h,
			     struct pn_profile *p, int64_t cost);
/* Costs of the recorded events into values of all types: scaled, derived.
 * False when one does not fit. */
bool pn_callgrind_values(int64_t *out, const struct pn_callgrind_header *h,
			 const int64_t *costs);

/* Names that were given a number: "(3) name" once, then "(3)". */
struct pn_callgrind_names {
	struct pn_strtab numbers;
	uint32_t *strings; /* by id of the number */
	size_t cap;
};

void pn_callgrind_names_release(struct pn_callgrind_names *names);
/* The string of the profile that `text` stands for. */
int pn_callgrind_name(uint32_t *out, struct pn_callgrind_names *names,
		      struct pn_profile *p, struct pn_span text, uint64_t line,
		      struct pn_error *err);

/* Rows of the graph by what they are. */
struct pn_callgrind_graph {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_slots costs, edges;
	uint32_t *mapping_of; /* by string of an object: mapping + 1 */
	size_t mapping_cap;
	uint32_t unknown; /* string "???" */
};

void pn_callgrind_graph_release(struct pn_callgrind_graph *g);
/* Strings; `file` and `object` may be "???" and 0. */
uint32_t pn_callgrind_node(struct pn_callgrind_graph *g, uint32_t object,
			   uint32_t file, uint32_t name);
/* `values`: one of each type. False when a sum does not fit 63 bits. */
bool pn_callgrind_add_cost(struct pn_callgrind_graph *g,
			   const struct pn_cost *cost, const int64_t *values);
bool pn_callgrind_add_call(struct pn_callgrind_graph *g,
			   const struct pn_edge *edge, const int64_t *values);
/* By convention the first mapping is the program; nothing is added after. */
void pn_callgrind_program_first(struct pn_profile *p);

/*
 * Fill graph.total, and calls and primitive calls of the nodes, from self
 * costs and edges. Time O(edges * log nodes).
 */
void pn_callgrind_total(struct pn_profile *p);

/* Which columns are written, and as what: costs are whole numbers. */
struct pn_callgrind_columns {
	size_t count;
	struct {
		size_t type;   /* of the profile */
		double factor; /* of a column of doubles, which times have */
	} items[PN_MAX_VALUE_TYPES];
};

/* The default value type comes first, as callgrind_annotate sorts by it. */
void pn_callgrind_columns_of(struct pn_callgrind_columns *out,
			     const struct pn_profile *p);
/* A row of values as costs; false when one is no number of 63 bits. */
bool pn_callgrind_whole(int64_t *out, const struct pn_callgrind_columns *c,
			const struct pn_profile *p, const union pn_value *row);

/*
 * A call graph of the profile's samples, with one value type for each column.
 * An edge has what flows along the outermost occurrence of its callee on each
 * stack: so the calls of a function add up to its total, and there is no
 * recursion that tools would add twice. A function that is called in one
 * sample and begins another is called by "(root)" there. How often functions
 * were called is not known. PN_EINVAL: a value that costs cannot hold.
 */
int pn_callgrind_of_stacks(struct pn_profile *out, const struct pn_profile *p,
			   const struct pn_callgrind_columns *columns,
			   struct pn_error *err);

int pn_callgrind_read(struct pn_profile *out, struct pn_reader *in,
		      struct pn_error *err);
int pn_callgrind_write(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err);
/* How many functions of a call graph have another total in what is written of
 * it: those that call each other, and those that callgrind takes for one. */
size_t pn_callgrind_other_totals(const struct pn_profile *profile);
/* How many functions have control characters in their names, for which blanks
 * are written. */
size_t pn_callgrind_other_names(const struct pn_profile *profile);
/* cachegrind's files: without calls, with a summary at the end. */
int pn_callgrind_read_flat(struct pn_profile *out, struct pn_reader *in,
			   struct pn_error *err);

#endif
