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
	bool plain; /* the columns fit as they are */
};

/* Ids of `out` for those of `in`. */
uint32_t pn_merge_string(struct pn_merge *m, uint32_t id);
uint32_t pn_merge_mapping(struct pn_merge *m, uint32_t at);
uint32_t pn_merge_location(struct pn_merge *m, uint32_t at);

/* Room for the words of a key that is looked for, in `words`. */
uint64_t *pn_merge_words(struct pn_merge *m, size_t count);

/* Find the columns of `in`; the columns of `out` become as fine as they. */
int pn_merge_types(struct pn_merge *m, struct pn_error *err);
/* A row of values of `in` as one of `out`. */
void pn_merge_row(union pn_value *row, const struct pn_merge *m,
		  const union pn_value *from);
/* row += more */
void pn_merge_add_row(union pn_value *row, const struct pn_merge *m,
		      const union pn_value *more);

void pn_merge_graph(struct pn_merge *m);
void pn_merge_header(struct pn_merge *m);
void pn_merge_metrics(struct pn_merge *m);

#endif
