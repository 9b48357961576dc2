/*
 * A profile that is made of the columns of a body, while it is made.
 */
#ifndef PN_BODY_BUILD_H
#define PN_BODY_BUILD_H

#include "body/state.h"

struct pn_body_build {
	const struct pn_body_state *s;
	struct pn_profile *p;
	bool distinct; /* no string is there twice */
	struct pn_body_live live;
	struct pn_arena *arena; /* of all that follows */
	size_t *string_starts;
	uint32_t *strings;			 /* ids of rows, or PN_NONE */
	uint32_t *functions, *locations, *nodes; /* indices of rows */
	uint32_t *stacks, *sets;
	uint32_t *depths; /* of stacks, by path */
	uint64_t frames;
};

/* The string of a row, added to those of the profile; 0 beyond the last. */
uint32_t pn_body_build_text(struct pn_body_build *b, uint64_t row);
/* The stack of a word that is a path + 1, or 0 for one without frames. */
uint32_t pn_body_build_stack(const struct pn_body_build *b, uint64_t word);
/* The text that a column names, added to the profile's strings. */
uint32_t pn_body_build_string(struct pn_body_build *b, unsigned int column,
			      size_t i);
/* Index in the profile of each living row of a table, from `from` on, and how
 * many there are; in b->arena. */
uint32_t *pn_body_build_rows(size_t *count, const struct pn_body_build *b,
			     unsigned int table, uint32_t from);
/* Nodes, edges and costs; the locations are there. */
void pn_body_build_graph(struct pn_body_build *b);
/* Curves, events and ticks; the stacks are there. */
void pn_body_build_curves(struct pn_body_build *b);
void pn_body_build_events(struct pn_body_build *b);
void pn_body_build_ticks(struct pn_body_build *b);
void pn_body_build_metrics(struct pn_body_build *b);
void pn_body_build_facts(struct pn_body_build *b);

#endif
