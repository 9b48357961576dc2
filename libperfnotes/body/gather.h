/* Between the files that turn a profile into columns. */
#ifndef PN_BODY_GATHER_H
#define PN_BODY_GATHER_H

#include "body/draft.h"
#include "body/state.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_body_gather {
	const struct pn_profile *p;
	struct pn_body_draft d;
	struct pn_arena arena; /* of all that follows */
	uint32_t *strings;     /* rows by the profile's ids, PN_NONE: not yet */
	uint32_t *functions, *locations, *stacks, *sets, *rows; /* rows */
	uint32_t *nodes, *edges, *costs;
	/* the profile's stacks that samples, parts and events name, its sets
	 * that samples do, and how many */
	uint32_t *used_stacks, *used_sets;
	size_t stack_count, set_count;
	bool lean;		     /* no columns of paths ... */
	struct pn_body_paths *paths; /* ... but these */
};

/* `count` rows that are not known yet, in g->arena. */
uint32_t *pn_body_new_rows(struct pn_body_gather *g, size_t count);
/* The row of one of the profile's strings. */
uint32_t pn_body_gather_string(struct pn_body_gather *g, uint32_t id);
/* The table's rows after alignment: those of the base and the new ones. */
size_t pn_body_gather_grown(const struct pn_body_gather *g, unsigned int table,
			    const uint32_t *slots, size_t count);
/*
 * Align a table of rows with `width` columns, given as words, and write them.
 */
void pn_body_gather_fixed(struct pn_body_gather *g, uint32_t *slots,
			  const uint64_t *words, size_t count,
			  const unsigned int *columns, size_t width,
			  unsigned int ways);

/* The paths of the stacks that samples name; g->stacks are rows of paths + 1,
 * 0 for a stack without frames. */
void pn_body_gather_stacks(struct pn_body_gather *g);
/* Header, value types, mappings, metrics: what keeps its place by itself. */
void pn_body_gather_facts(struct pn_body_gather *g);
/* Curves, events and ticks, after the stacks. */
void pn_body_gather_curves(struct pn_body_gather *g);
void pn_body_gather_events(struct pn_body_gather *g);
void pn_body_gather_ticks(struct pn_body_gather *g);
/* Nodes, edges and costs, after the locations. */
void pn_body_gather_graph(struct pn_body_gather *g);

#endif
