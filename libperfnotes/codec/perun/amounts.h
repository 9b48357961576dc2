/*
 * What the amounts of a Perun profile are amounts of.
 *
 * All resources have their number under one key, "amount", whatever they
 * measure; header.units names the unit of each "type" or "type(subtype)".
 * Different ones are value types of their own, so that seconds are never added
 * to bytes, nor a run's user time to its real time. Subtypes of memory without
 * a unit of their own (malloc, calloc, free) stay together: they are ways to
 * the same bytes.
 */
#ifndef PN_PERUN_AMOUNTS_H
#define PN_PERUN_AMOUNTS_H

#include "base/error.h"
#include "codec/perun/build.h"

/* header.units, strings of the profile. */
struct pn_perun_units {
	struct pn_pair *items; /* type or type(subtype), unit */
	size_t count, cap;
};

struct pn_perun_amount {
	uint32_t name, unit; /* strings */
};

struct pn_perun_amounts {
	struct pn_perun_amount items[PN_MAX_VALUE_TYPES];
	size_t count;
	size_t main; /* the one that views are about: "real", else the first */
	uint8_t *of_row; /* by row: which item; only for rows with an amount */
};

/*
 * What the rows of `build` measure. One kind of thing is called "amount",
 * several by what they are; none gives no items. PN_EINVAL names a type that
 * header.units, which names others, gives no unit.
 */
int pn_perun_amounts_find(struct pn_perun_amounts *out,
			  struct pn_perun_build *build,
			  const struct pn_perun_units *units,
			  struct pn_error *err);
void pn_perun_amounts_release(struct pn_perun_amounts *amounts);

#endif
