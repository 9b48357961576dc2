/* One line of commits with what is known of each: what a bisection looks at.
 * Internal. */
#ifndef PN_BISECT_SEARCH_H
#define PN_BISECT_SEARCH_H

#include "jobs/bisect/line.h"
#include "jobs/bisect/measured.h"

struct pn_bisect_search {
	const struct pn_bisect_series *series;
	struct pn_bisect_line line;
	struct pn_bisect_measured *measured; /* line.count, as ... */
	struct pn_bisect_commit *commits;    /* ... these */
	struct pn_bisect look;
	size_t stored; /* values that were there in the beginning */
	bool weighed;  /* by what the ends' profiles say */
};

int pn_bisect_search_open(struct pn_bisect_search *out,
			  const struct pn_bisect_series *series,
			  const struct pn_oid *good, const struct pn_oid *bad,
			  struct pn_error *err);
void pn_bisect_search_release(struct pn_bisect_search *search);

/* Read the notes of one commit of the line again. */
int pn_bisect_search_read(struct pn_bisect_search *search, size_t at,
			  struct pn_error *err);
/* Weigh the commits by what changed another job's metric. */
int pn_bisect_search_learn(struct pn_bisect_search *search,
			   const struct pn_bisect_series *other,
			   struct pn_error *err);
/* Look at what is known. */
void pn_bisect_search_look(struct pn_bisect_search *search,
			   const struct pn_bisect_options *options);
/* The functions that make two commits of the line differ: *before and *after
 * are initialised by the caller, and are what `out` is of. */
int pn_bisect_search_why(struct pn_why *out, struct pn_profile *before,
			 struct pn_profile *after,
			 const struct pn_bisect_search *search, size_t old,
			 size_t new, struct pn_error *err);
/* The last commit before `at` that has values. */
size_t pn_bisect_search_before(const struct pn_bisect_search *search,
			       size_t at);

#endif
