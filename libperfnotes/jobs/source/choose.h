/* What one means by a revision where a profile with functions is wanted. */
#ifndef PN_SOURCE_CHOOSE_H
#define PN_SOURCE_CHOOSE_H

#include "base/arena.h"
#include "base/error.h"
#include "storage/lookup/lookup.h"

/* The series of a commit that have more than figures. */
struct pn_source_choice {
	struct pn_arena arena;
	const char *rev; /* as it was given, or as one may type it */
	struct pn_oid commit;
	const char **series; /* as one types them behind `rev`, then NULL */
	size_t count;
};

/* Those of `rev`; NULL is the commit of `lookup` or its nearest measured
 * ancestor. PN_ENOTFOUND: there is none. Closed in any case. */
int pn_source_choice_open(struct pn_source_choice *out,
			  const struct pn_lookup *lookup, const char *rev,
			  struct pn_error *err);
/* In a partial clone their bodies, all together. */
void pn_source_choice_fetch(const struct pn_source_choice *choice,
			    const struct pn_lookup *lookup);
void pn_source_choice_close(struct pn_source_choice *choice);

#endif
