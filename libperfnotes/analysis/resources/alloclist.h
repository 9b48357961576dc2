/*
 * Allocations one by one, or by the places that made them: Perun's alloclist.
 * What was freed (a resource whose subtype is "free") is no allocation.
 */
#ifndef PN_RESOURCES_ALLOCLIST_H
#define PN_RESOURCES_ALLOCLIST_H

#include "analysis/resources/frame.h"
#include "analysis/resources/request.h"
#include "analysis/table.h"

#define PN_ALLOCLIST_ROWS 10 /* of top, most and sum, as Perun has them */

/* One allocation, or all of one place. Texts live as long as the list. */
struct pn_allocation {
	const char *place;	/* uid: who made it */
	const char *subtype;	/* malloc, ...; "" */
	double amount;		/* in all */
	double count;		/* a run, of what `counted` says */
	struct pn_cell address; /* of one; exact where it is whole */
	double snapshot, time;	/* of one; NaN: not known, or runs differ */
	size_t resource;	/* of one */
};

struct pn_allocations {
	enum pn_alloclist mode;
	struct pn_allocation *items;
	size_t count, all; /* that are shown, and that there are */
	double amount;	   /* of all of them */
	double allocations;
	uint32_t runs; /* of the profile; figures are of one */
	const char *of, *unit;
	const char *counted; /* "allocations", "inuse_objects", "samples" */
	struct pn_arena arena;
};

/*
 * How many allocations a resource is says its value of that name: of
 * "inuse_space" "inuse_objects", else "allocations", "alloc_objects" and the
 * like. Perun's resources are one each. Of others only samples are counted.
 *
 * top: the largest first; all: as they stand in the profile; func: of those
 * whose place's function matches, or any function of the stack with
 * request->everywhere; most, sum: places, by number and by amount. What several
 * runs have alike is one. Only what
 * has a time between from_time and to_time, where these are given. `most`
 * entries; -1: PN_ALLOCLIST_ROWS of top, most and sum, all of the others; 0:
 * all. PN_EINVAL: func without a pattern, or with a bad one; what is listed is
 * not in bytes. To be released in any case.
 */
int pn_allocations_init(struct pn_allocations *out,
			const struct pn_profile *profile,
			const struct pn_resources_request *request,
			const char *pattern, int64_t most,
			struct pn_error *err);
void pn_allocations_release(struct pn_allocations *list);

/* Borrows from it. */
void pn_table_of_allocations(struct pn_table *out,
			     const struct pn_allocations *list);

#endif
