/* What a name stands for as one profile. */
#ifndef PN_PROFILES_POOL_H
#define PN_PROFILES_POOL_H

#include "codec/codec.h"
#include "storage/lookup/lookup.h"

/*
 * Of a partial clone: get the bodies of all of them at once, before they are
 * loaded one by one (storage/body_fetch.h). `found` has pointers, because they
 * may be of several lists.
 */
void pn_pool_fetch(struct pn_repo *repo, const struct pn_found *const *found,
		   size_t count);
/* The same of what these names stand for, before each is looked up by itself:
 * `commit` (NULL: HEAD) has the list that they are looked up in. */
void pn_pool_fetch_named(const char *const *names, size_t count,
			 const char *commit);

/*
 * As pn_lookup_load, of a series of several records, too: its profiles are
 * merged (analysis/merge/merge.h), oldest first, and the values of its metrics
 * pooled. *format (may be NULL) is the one that all have, else untouched.
 * On failure `out` is to be released, too.
 */
int pn_pool_load(struct pn_profile *out, const char **format,
		 const struct pn_lookup *lookup, const struct pn_found *found,
		 const struct pn_codec *codec, struct pn_error *err);

#endif
