/*
 * The resources of a profile, or its models, as a table of all that is known
 * of them: Perun's tableof.
 */
#ifndef PN_RESOURCES_LISTING_H
#define PN_RESOURCES_LISTING_H

#include "analysis/resources/request.h"
#include "analysis/table.h"

/* What the table is to hold besides what the request says. */
struct pn_listing_ask {
	const char *const *sort; /* keys, the first counts most */
	size_t sort_count;
	bool reverse;
	int64_t most; /* rows; 0 or less: all */
};

/*
 * A column for each key that any of the rows has, or for those of the
 * request's headers; rows as they stand in the profile, or sorted: numbers by
 * size, texts by their bytes, what has no value behind all others. `stack`,
 * which says what the place says, only where it is asked for.
 *
 * `models`: rows are models, keys their members. PN_ENOTFOUND: no such key;
 * PN_ELIMIT: more columns than a table has.
 */
int pn_listing(struct pn_table *out, const struct pn_profile *profile,
	       const struct pn_resources_request *request,
	       const struct pn_listing_ask *ask, struct pn_error *err);

/* The models of a profile as the resources of another one, made of nothing
 * else: a label for each member. PN_EINVAL: one is no object. */
int pn_models_as_resources(struct pn_profile *out,
			   const struct pn_profile *profile,
			   struct pn_error *err);

#endif
