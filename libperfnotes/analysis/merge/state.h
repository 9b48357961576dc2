/* What the parts of a merge share. Internal to it. */
#ifndef PN_MERGE_STATE_H
#define PN_MERGE_STATE_H

#include "analysis/merge/merge.h"
#include "base/slots.h"

struct pn_merge {
	struct pn_profile out;
	size_t inputs;
	bool observations; /* samples are never added up */
	struct pn_slots mappings, functions, locations;
	struct pn_slots stacks, sets, samples;
	struct pn_slots nodes, edges, costs;
	struct pn_slots comments, metrics;
	size_t comment_cap;
	uint32_t *order; /* of each node among those of its location */
	size_t order_cap;
	uint32_t *listed; /* of each node, as which one it was more than a
			   * name, from 1 on; 0: not yet */
	size_t listed_cap;
	uint32_t listed_count;

	/* of the profile that is being added; what maps its ids to those of
	 * `out` is PN_NONE until it is asked for */
	const struct pn_profile *in;
	struct pn_merge_change change;
	uint32_t *strings, *of_mapping, *of_function, *of_location;
	uint32_t *of_stack, *of_set, *of_node;
	uint64_t *words; /* of a key that is looked for */
	size_t word_cap;
	struct pn_label *labels;
	size_t label_cap;
	/* which column of `in` is the column of `out`, and times what */
	uint32_t column[PN_MAX_VALUE_TYPES];
	double factor[PN_MAX_VALUE_TYPES];
	/* of integers the sums of what was added, and of what was taken away,
	 * above 0 and below, without signs; a long double holds all digits */
	long double sums[PN_MAX_VALUE_TYPES][2][2];
	bool again;		     /* `in` is of a merge that held them */
	bool plain;		     /* the columns fit as they are */
	bool has_curves, has_events; /* one that was added had */
	bool no_facts;
	bool joins_threads; /* `in` is of another thread of the same run */

	/* runs.c: whether runs stay apart, and of `in` how many there are,
	 * behind how many others, which is that of each set (NULL: unknown),
	 * and the key of their label */
	bool keep_runs, by_run, lost_runs;
	uint32_t runs, runs_before, run_key;
	uint32_t *run_of_set;
	/* own costs of nodes by run: run_self[run][node * types + type], for
	 * the first run_nodes[run] nodes */
	union pn_value **run_self;
	size_t *run_nodes, *run_caps, run_count, run_cap;

	/* roles.c: the largest peak so far, and the run of `in` that counts
	 * (PN_NONE: all of it), by column; values are taken as they are */
	double peak[PN_MAX_VALUE_TYPES];
	uint32_t peak_run[PN_MAX_VALUE_TYPES];
	bool no_graph; /* not all with stacks have one */
	bool no_roles;
};

/* Ids of `out` for those of `in`. */
uint32_t pn_merge_string(struct pn_merge *m, uint32_t id);
uint32_t pn_merge_mapping(struct pn_merge *m, uint32_t at);
uint32_t pn_merge_location(struct pn_merge *m, uint32_t at);
uint32_t pn_merge_stack(struct pn_merge *m, uint32_t at);

/* Room for the words of a key that is looked for, in `words`. */
uint64_t *pn_merge_words(struct pn_merge *m, size_t count);

/* Find the columns of `in`; the columns of `out` become as fine as they. */
int pn_merge_types(struct pn_merge *m, struct pn_error *err);
/* The whole number next to it; 0 for what is no number. */
int64_t pn_merge_rounded(double value);
/* Values of a column, every `width`-th, as `number` and times `factor`. */
void pn_merge_change_rows(union pn_value *values, size_t rows, size_t width,
			  const struct pn_value_type *type, uint8_t number,
			  double factor);
/* A row of values of `in` as one of `out`. */
void pn_merge_row(union pn_value *row, const struct pn_merge *m,
		  const union pn_value *from);
/* row += more */
void pn_merge_add_row(union pn_value *row, const struct pn_merge *m,
		      const union pn_value *more);

void pn_merge_graph(struct pn_merge *m);
void pn_merge_graph_end(struct pn_merge *m);
/* Those of the first one that has any, until a second one has. */
void pn_merge_curves(struct pn_merge *m);
void pn_merge_events(struct pn_merge *m);
void pn_merge_ticks(struct pn_merge *m);
/* Whether `in` has other threads of the process that `out` is of: dumps of one
 * run, as valgrind --separate-threads=yes writes them. */
bool pn_merge_is_thread(const struct pn_merge *m);

/* What becomes of columns that are no sums, once their factors are known. */
void pn_merge_roles(struct pn_merge *m);
void pn_merge_roles_row(union pn_value *row, const struct pn_merge *m,
			uint32_t set);
void pn_merge_roles_end(struct pn_merge *m);

void pn_merge_runs_begin(struct pn_merge *m);
void pn_merge_runs_close(struct pn_merge *m);
/* Whether a label of `in` says the run, which is told anew or not at all. */
bool pn_merge_runs_is_label(const struct pn_merge *m,
			    const struct pn_label *label);
/* The run of a set of `in`, numbered in `out` from 1 on; 0: not told. */
uint32_t pn_merge_runs_of_set(const struct pn_merge *m, uint32_t set);
/* What node `from` of `in` costs in each run, on top of node `to`. */
void pn_merge_runs_node(struct pn_merge *m, size_t to, size_t from);
/* A column of what is there already: see pn_merge_types. */
void pn_merge_runs_change(struct pn_merge *m, size_t column, uint8_t number,
			  double factor);
/* Puts what was gathered by run into the result. True: it has costs of one run
 * only, or no longer by run, so that labels which tell runs apart have to go.
 */
bool pn_merge_runs_end(struct pn_merge *m);
void pn_merge_runs_release(struct pn_merge *m);
void pn_merge_header(struct pn_merge *m);
void pn_merge_metrics(struct pn_merge *m);

#endif
