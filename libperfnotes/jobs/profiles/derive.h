/*
 * A profile that is made of another one, as postprocessors do: it was measured
 * where, when and by what the first one was, and says which one that is.
 */
#ifndef PN_PROFILES_DERIVE_H
#define PN_PROFILES_DERIVE_H

#include "analysis/post/applied.h"
#include "base/error.h"
#include "codec/codec.h"
#include "model/entry.h"
#include "storage/lookup/lookup.h"
#include "storage/record.h"

/* The first one; `found` and `repo` are the caller's to fill in. */
struct pn_derive {
	struct pn_repo *repo;
	const struct pn_found *found;
	/* Filled by pn_derive_open: */
	const struct pn_entry *entry; /* what its line says; NULL: a file */
	/* The commit in whose list it is; of a pending one or a file the one
	 * that was measured; zero: unknown. */
	struct pn_oid origin;
	struct pn_pending_list pending; /* owns the entry of a pending one */
	/* Filled by it, too, changed by pn_derive_apply: */
	struct pn_profile profile;
	/* What its header had before. */
	size_t models_before, posts_before;
	struct pn_post_notes notes;
	/* Filled by pn_derive_keep: */
	struct pn_record record;
	char *path;
};

/* Read the first one (`format`, of a file; NULL: recognised), and what only the
 * index line or the pending file says of it. To be released in any case. */
int pn_derive_open(struct pn_derive *derive, const struct pn_lookup *lookup,
		   const char *format, struct pn_error *err);
void pn_derive_release(struct pn_derive *derive);

/* Postprocessors, one after the other. */
int pn_derive_apply(struct pn_derive *derive, const struct pn_post *posts,
		    size_t count, struct pn_error *err);
/*
 * Keep what was made of it as a pending profile; the record takes over what
 * `profile` owns. Without a name it gets that of the first one.
 */
int pn_derive_keep(struct pn_derive *derive, const char *name,
		   struct pn_error *err);
/* What was kept, to be printed; borrows. */
struct pn_applied pn_derive_applied(char origin[PN_OID_HEX + 1],
				    const struct pn_derive *derive);

#endif
