/*
 * The profile: what every format is read into and written from.
 *
 * Pure data in columns. Entities refer to each other by index (uint32_t) into
 * the arrays here, strings by id in `strings` (0 is ""). PN_NONE is "no such
 * thing". Samples name a stack and a set of labels, so that one stack or set
 * is kept once however many samples share it. The semantics are those of
 * profile.proto (github.com/google/pprof) wherever it has them: stacks are
 * leaf first, a location with several lines is inlining with the outermost
 * caller last.
 */
#ifndef PN_MODEL_PROFILE_H
#define PN_MODEL_PROFILE_H

#include "base/error.h"
#include "base/strtab.h"
#include "model/summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_NONE UINT32_MAX

/* Limits on what a decoder may build; PN_ELIMIT names them. */
#define PN_MAX_VALUE_TYPES 64	      /* columns; perf stat -d has about 20 */
#define PN_MAX_STACK_DEPTH (1u << 20) /* runaway recursion seen: 200,000 */
#define PN_MAX_LABELS (1u << 10)      /* labels of one sample */
#define PN_MAX_FACTS (1u << 10)	      /* a profiler has about ten */
#define PN_MAX_RUNS (1u << 30)	      /* what a sum of more runs says */

enum pn_better { PN_BETTER_UNKNOWN, PN_BETTER_LESS, PN_BETTER_MORE };

enum pn_number { PN_NUMBER_INT, PN_NUMBER_DOUBLE };

/* What values of several runs, or several profiles, make together. */
enum pn_role {
	PN_ROLE_SUM,	 /* a cost: their sum, of which one run has its part */
	PN_ROLE_PEAK,	 /* the most there was at a moment: the largest peak */
	PN_ROLE_GAUGE,	 /* a level, as at the end: what a run has on average */
	PN_ROLE_POSITION /* no cost but what one depends on: nothing */
};

/* One column of values. */
struct pn_value_type {
	uint32_t type, unit; /* strings */
	uint8_t better;	     /* enum pn_better */
	uint8_t number;	     /* enum pn_number: which arm of pn_value */
	uint8_t role;	     /* enum pn_role */
};

union pn_value {
	int64_t i;
	double d;
};

enum pn_mapping_has {
	PN_MAPPING_FUNCTIONS = 1,
	PN_MAPPING_FILENAMES = 2,
	PN_MAPPING_LINES = 4,
	PN_MAPPING_INLINES = 8
};

struct pn_mapping {
	uint64_t start, limit, offset;
	uint32_t file, build_id; /* strings */
	uint32_t has;		 /* enum pn_mapping_has, or-ed */
};

struct pn_function {
	uint32_t name, system_name, file; /* strings */
	int64_t start_line;
};

struct pn_line {
	uint32_t function;
	int64_t line, column;
};

/* A place in the program; its lines are lines[line_first ...]. */
struct pn_location {
	uint64_t address;
	uint32_t mapping; /* or PN_NONE */
	uint32_t line_first, line_count;
	bool folded; /* identical code folding: several sources, one address */
};

enum pn_label_kind {
	PN_LABEL_STRING, /* value.s */
	PN_LABEL_INT,	 /* value.i, with unit */
	PN_LABEL_DOUBLE, /* value.d, with unit */
	PN_LABEL_JSON /* value.s: a JSON text, compact (Perun's nested keys) */
};

struct pn_label {
	uint32_t key;  /* string */
	uint32_t unit; /* string */
	uint8_t kind;  /* enum pn_label_kind */
	union {
		uint32_t s;
		int64_t i;
		double d;
	} value;
};

struct pn_sample {
	uint32_t stack;	 /* index for stack_start */
	uint32_t labels; /* index for label_set_start; 0 is the empty set */
};

/*
 * A call graph without stacks (callgrind, pstats, gprof, Racket). Costs have
 * one value per value type, row-major beside their array: self of node n,
 * column c is graph.self[n * type_count + c].
 */
struct pn_node {
	uint32_t location; /* PN_NONE: the root that is no function */
	int64_t calls;	   /* -1: unknown */
	int64_t primitive; /* calls that were not recursive; -1: unknown */
};

struct pn_edge {
	uint32_t caller, callee; /* nodes */
	int64_t line;		 /* of the call, in `file`; 0: unknown */
	int64_t calls;		 /* -1: unknown */
	int64_t primitive;	 /* -1: unknown */
	/* Where the call stands: another file than that of the caller's
	 * function, whose code was inlined there ("": the same), and the
	 * instruction (0: unknown). */
	uint32_t file; /* string */
	uint64_t address;
};

/* Cost of one source line or instruction inside a node (callgrind). */
struct pn_cost {
	uint32_t node;
	uint32_t file; /* string; "" is the file of the node's function */
	int64_t line;
	uint64_t address;
};

struct pn_graph {
	struct pn_node *nodes;
	union pn_value *self, *total; /* node_count * type_count each */
	/* Of each run alone: the own cost of node n in run r, column c, is
	 * self_by_run[(n * runs + r) * type_count + c]. NULL: not known, as
	 * of one run. Whoever adds or moves nodes frees it or keeps it true. */
	union pn_value *self_by_run;
	size_t node_count, node_cap;
	struct pn_edge *edges;
	union pn_value *edge_self;  /* callee's own cost through this edge */
	union pn_value *edge_total; /* edge_count * type_count each */
	size_t edge_count, edge_cap;
	struct pn_cost *costs;
	union pn_value *cost_values; /* cost_count * type_count */
	size_t cost_count, cost_cap;
};

/* A value along a run; model/timeline/curves.h. */
struct pn_curve {
	uint32_t name, unit;
	uint32_t along;	     /* unit of positions; all three are strings */
	size_t first, count; /* of its points */
};

struct pn_point {
	double position, value;
	size_t first, count; /* of its parts, none where it does not say */
};

struct pn_part {
	uint32_t stack;
	double value;
};

struct pn_curves {
	struct pn_curve *items;
	size_t count, cap;
	struct pn_point *points;
	size_t point_count, point_cap;
	struct pn_part *parts;
	size_t part_count, part_cap;
};

/* When one of the samples of a stack was taken; model/timeline/events.h. */
struct pn_event {
	int64_t time_ns;     /* on the clock of the measurement */
	int64_t duration_ns; /* 0: a moment */
	uint32_t stack;
	uint32_t thread; /* or PN_NONE */
	uint32_t type;	 /* value type that it counted in */
};

/* Ids are as the input writes them: numbers mostly. */
struct pn_thread {
	uint32_t process;  /* or PN_NONE */
	uint32_t id, name; /* strings */
	double cost; /* in the default value type, 0 where it is not told */
};

/* A process. */
struct pn_thread_group {
	uint32_t id, name; /* strings */
};

/* What a profiler says of its own work, as the ticks that it missed: no
 * measured quantity, which would be compared. Facts of several runs add up. */
struct pn_fact {
	uint32_t name, unit; /* strings */
	double value;
};

/* How often the leaf of a stack was in a line; model/timeline/ticks.h. */
struct pn_tick {
	uint32_t stack;
	int64_t line;  /* 0: none that is known */
	int64_t count; /* of samples, more than 0 */
};

struct pn_events {
	struct pn_event *items;
	size_t count, cap;
	struct pn_thread *threads;
	size_t thread_count, thread_cap;
	struct pn_thread_group *processes;
	size_t process_count, process_cap;
};

/*
 * One measured quantity with its raw values: what an index line carries.
 * Either `values` (n of them, in order of measurement), or, where a source
 * gives only a summary, n and the summary below with value_count 0.
 */
struct pn_metric {
	uint32_t name, unit; /* strings */
	uint8_t better;	     /* enum pn_better */
	double *values;	     /* owned; NULL when value_count is 0 */
	size_t value_count;
	struct pn_summary summary; /* NaN: unknown */
};

/* An ordered pair of strings: label, environment fact, parameter. */
struct pn_pair {
	uint32_t key, value; /* strings */
};

/* A step in the making of a profile: a collector or postprocessor and its
 * parameters. */
struct pn_step {
	uint32_t name;	 /* string */
	uint32_t params; /* string: a compact JSON text, "" is none */
};

/* What was run and by what. All strings; "" is unknown. */
struct pn_header {
	uint32_t kind; /* rough type: time, memory, mixed (Perun's "type") */
	uint32_t cmd;  /* the program */
	uint32_t args; /* its arguments, as one shell-quoted text */
	uint32_t workload; /* its input */
	uint32_t name;	   /* name under which the profile is registered */
	uint32_t origin;   /* 40 hex: commit it was measured at; pending only */
	/* Where relative files, sources and binaries, begin: a folder, or ".",
	 * the top of the repository in whatever clone; "": unknown. */
	uint32_t source_root;
	int64_t exit_status; /* of the command; -1: unknown */
	bool dirty;	     /* measured in a tree with uncommitted changes */
	/* Runs of the program whose values are added up here. 1 of whatever
	 * does not say; 0 counts as 1. At most PN_MAX_RUNS. */
	uint32_t runs;
	struct pn_step collector;
	struct pn_step *posts; /* postprocessors, in order of application */
	size_t post_count;
	struct pn_pair *environment;
	size_t environment_count;
	struct pn_pair *labels; /* of the whole profile */
	size_t label_count;
	struct pn_pair *extras; /* other top-level JSON: key -> compact text */
	size_t extra_count;
	uint32_t *models; /* strings: one compact JSON text each */
	size_t model_count;
};

struct pn_profile {
	struct pn_strtab strings;
	struct pn_header header;

	struct pn_value_type *types;
	size_t type_count;
	uint32_t default_type; /* string: the type's name, "": the last one */
	struct pn_value_type period_type;
	int64_t period;
	int64_t time_ns, duration_ns; /* since 1970 UTC; 0: unknown */
	uint32_t drop_frames, keep_frames, doc_url; /* strings */
	uint32_t *comments;			    /* strings */
	size_t comment_count;

	struct pn_mapping *mappings;
	size_t mapping_count, mapping_cap;
	struct pn_function *functions;
	size_t function_count, function_cap;
	struct pn_line *lines;
	size_t line_count, line_cap;
	struct pn_location *locations;
	size_t location_count, location_cap;

	/* stack s: frames[stack_start[s]] up to frames[stack_start[s + 1]] */
	uint32_t *frames; /* locations, leaf first */
	size_t frame_count, frame_cap;
	uint32_t *stack_start; /* stack_count + 1 of them, or NULL */
	size_t stack_count, stack_cap;

	/* set s: labels[label_set_start[s]] ...; set 0 is empty */
	struct pn_label *labels;
	size_t label_count, label_cap;
	uint32_t *label_set_start; /* label_set_count + 1 of them, or NULL */
	size_t label_set_count, label_set_cap;

	struct pn_sample *samples;
	union pn_value *values; /* row-major: sample * type_count + type */
	/* bit sample * type_count + type; NULL: every value is present.
	 * An absent value is 0 in `values`. */
	uint8_t *present;
	size_t sample_count, sample_cap;

	struct pn_graph graph;
	struct pn_curves curves;
	struct pn_events events;
	struct pn_tick *ticks;
	size_t tick_count, tick_cap;
	struct pn_fact *facts;
	size_t fact_count;

	struct pn_metric *metrics;
	size_t metric_count, metric_cap;

	/*
	 * The decoder's word that the input held nothing that is not here, but
	 * for order of tables and unused strings. If false, the canonical body
	 * would lose something and the input's own bytes are stored.
	 */
	bool complete;
};

/* Empty, exit status unknown, and complete until a decoder drops something. */
void pn_profile_init(struct pn_profile *profile);
void pn_profile_release(struct pn_profile *profile);

/* Text of a string of this profile. */
const char *pn_profile_text(const struct pn_profile *profile, uint32_t id);
/* A value as a double, of a table of the profile's types: samples, or self or
 * total costs of a graph. */
static inline double pn_profile_number(const struct pn_profile *profile,
				       const union pn_value *table, size_t row,
				       size_t type)
{
	union pn_value value = table[row * profile->type_count + type];

	return profile->types[type].number == PN_NUMBER_INT ? (double)value.i
							    : value.d;
}
/* Number of runs, at least 1. */
uint32_t pn_profile_runs(const struct pn_profile *profile);

/*
 * Appending. Each returns the new index; nothing is interned. type_count must
 * be final before the first sample, node, edge or cost. Whoever fills arrays
 * by hand keeps their capacities true: samples, values and present have room
 * for sample_cap samples, stack_start for stack_cap + 1 ends, and there is
 * set 0 when there is a sample.
 */
uint32_t pn_profile_add_type(struct pn_profile *p, const char *type,
			     const char *unit);
/* A comment, of `len` bytes; for a few: each makes the list anew. */
void pn_profile_add_comment(struct pn_profile *p, const void *text, size_t len);
uint32_t pn_profile_add_mapping(struct pn_profile *p,
				const struct pn_mapping *mapping);
uint32_t pn_profile_add_function(struct pn_profile *p,
				 const struct pn_function *function);
/* `lines` are copied behind the others. */
uint32_t pn_profile_add_location(struct pn_profile *p,
				 const struct pn_location *location,
				 const struct pn_line *lines, size_t count);
uint32_t pn_profile_add_stack(struct pn_profile *p, const uint32_t *frames,
			      size_t count);
uint32_t pn_profile_add_label_set(struct pn_profile *p,
				  const struct pn_label *labels, size_t count);
/*
 * Of another profile with the same value types all stacks and samples, where
 * the frames of its stacks are in the column of `p` already, behind its last
 * stack. `sets` says what its label sets are in `p`.
 */
void pn_profile_add_rows(struct pn_profile *p, const struct pn_profile *from,
			 const uint32_t *sets);
/* `values` has type_count elements and is copied. */
size_t pn_profile_add_sample(struct pn_profile *p, uint32_t stack,
			     uint32_t labels, const union pn_value *values);
/* Says that one value of a sample is absent (and sets it to 0). */
void pn_profile_set_absent(struct pn_profile *p, size_t sample, size_t type);
/* The value type that views are about unless told otherwise: the one that is
 * named as such, else the last; SIZE_MAX when there is none. */
size_t pn_profile_default_type(const struct pn_profile *p);
bool pn_profile_is_present(const struct pn_profile *p, size_t sample,
			   size_t type);
/* `values` are copied; NULL with count 0 for a summary. */
struct pn_metric *pn_profile_add_metric(struct pn_profile *p, const char *name,
					const char *unit, enum pn_better better,
					const double *values, size_t count);
/* The first metric of this name; NULL: there is none. */
const struct pn_metric *pn_profile_metric(const struct pn_profile *p,
					  const char *name);
/* A fact behind the others; for a few: each makes the list anew. */
void pn_profile_add_fact(struct pn_profile *p, const char *name,
			 const char *unit, double value);
/* The value of the first fact of this name; false: there is none. */
bool pn_profile_fact(double *out, const struct pn_profile *p, const char *name);
/* Pairs of the header; an existing key gets the new value. */
void pn_profile_set_label(struct pn_profile *p, const char *key,
			  const char *value);
void pn_profile_set_environment(struct pn_profile *p, const char *key,
				const char *value);

/*
 * Whether the profile keeps the rules that every consumer relies on: indices
 * in range, each sample with a stack, labels and values, at least one type
 * when there are samples. PN_EINVAL names what and where.
 */
int pn_profile_check(const struct pn_profile *p, struct pn_error *err);

/*
 * Whether two profiles say the same, whatever the order of their tables,
 * samples and label sets, and whatever ids they use: equal header, value
 * types in order, and equal multisets of samples, locations, functions,
 * mappings (in order), nodes, edges, costs, ticks, curves
 * and events (in order). Unused strings
 * do not count. Doubles are equal when their bits are. On inequality `why` (may
 * be NULL, else why_size bytes) says what differs first. Time and memory
 * O(size).
 */
bool pn_profile_equal(const struct pn_profile *a, const struct pn_profile *b,
		      char *why, size_t why_size);

#endif
