/*
 * A profile that is made of another one, as postprocessors do: it was measured
 * where, when and by what the first one was, and says which one that is.
 */
#ifndef PN_PROFILES_DERIVE_H
#define PN_PROFILES_DERIVE_H

#include "base/error.h"
#include "model/entry.h"
#include "storage/lookup.h"
#include "storage/record.h"

/* The first one; `found` and `repo` are the caller's to fill in. */
struct pn_derive {
	struct pn_repo *repo;
	const struct pn_found *found;
	/* Filled by pn_derive_init: */
	const struct pn_entry *entry; /* what its line says; NULL: a file */
	/* The commit in whose list it is; of a pending one or a file the one
	 * that was measured; zero: unknown. */
	struct pn_oid origin;
	struct pn_pending_list pending; /* owns the entry of a pending one */
};

/* What only the index line or the pending file says of the first one. */
int pn_derive_init(struct pn_derive *derive, struct pn_error *err);
void pn_derive_release(struct pn_derive *derive);

/*
 * Keep what was made of it as a pending profile; takes over what `profile`
 * owns, `out` is released by the caller in any case, *path is freed. Without a
 * name it gets that of the first one.
 */
int pn_derive_keep(struct pn_record *out, char **path, struct pn_derive *derive,
		   struct pn_profile *profile, const char *name,
		   uint64_t max_bytes, struct pn_error *err);

#endif
