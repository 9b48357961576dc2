/*
 * Which addresses are allocated at each snapshot: Perun's heap map, and its
 * heat map of how often each address was allocated. Address space that nobody
 * uses is left out, however much of it lies between two regions.
 */
#ifndef PN_RESOURCES_HEAP_H
#define PN_RESOURCES_HEAP_H

#include "analysis/resources/request.h"
#include "analysis/table.h"

#define PN_HEAP_ROWS 40 /* snapshots that are shown, of more some */

/* Addresses that belong together, `columns` of the map from `first` on. */
struct pn_heap_region {
	uint64_t start, end;
	size_t first, columns;
};

struct pn_heap_row {
	double snapshot, time; /* time NaN: it has none */
	double bytes;	       /* that are allocated at its end */
	size_t count;	       /* in so many pieces */
	double *share;	       /* of each column, 0 to 1 */
};

struct pn_heap {
	struct pn_heap_region *regions;
	size_t region_count;
	size_t columns;
	uint64_t column_bytes; /* what a column stands for */
	struct pn_heap_row *rows;
	size_t row_count, snapshots; /* of which these are */
	double *heat;		     /* allocations that touched a column */
	const char *unit;	     /* of bytes */
	size_t left_out;	     /* resources without address or amount */
	struct pn_arena arena;
};

/*
 * In the order of the profile within a snapshot: an allocation is there until
 * the address is freed (a resource whose subtype is "free") or allocated again;
 * one that is freed in its own snapshot is in no row, in whatever order both
 * stand. Of several runs figures are those of one: what each has at an address
 * is added up and divided. A map of about `columns`. PN_ENOTFOUND: resources
 * have no "address", which is one of memory; PN_ERANGE: none has one and an
 * amount. Time O(n log n
 * + n columns). To be released in any case.
 */
int pn_heap_init(struct pn_heap *out, const struct pn_profile *profile,
		 const struct pn_resources_request *request, size_t columns,
		 size_t rows, struct pn_error *err);
void pn_heap_release(struct pn_heap *heap);

/* A row each: snapshot, time, allocations, bytes. Borrows from it. */
void pn_table_of_heap(struct pn_table *out, const struct pn_heap *heap);

#endif
