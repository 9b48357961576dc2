/*
 * What a Perun store lists, as records for ours. Each is labelled with the
 * name that its object has there ("perun=<SHA-1>"), by which it is known when
 * the store is imported again.
 */
#ifndef PN_PERUN_IMPORT_H
#define PN_PERUN_IMPORT_H

#include "base/error.h"
#include "base/strtab.h"
#include "perun/store.h"
#include "storage/record.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* What was imported already. A zeroed struct knows nothing. */
struct pn_perun_known {
	struct pn_strtab keys;
};

void pn_perun_known_release(struct pn_perun_known *known);
/* Learn what the commit's list has. */
int pn_perun_known_stored(struct pn_perun_known *known, struct pn_notes *notes,
			  const struct pn_oid *commit, struct pn_error *err);
/* Learn what is pending. */
int pn_perun_known_pending(struct pn_perun_known *known, struct pn_repo *repo,
			   struct pn_error *err);
/* Whether this listing (object, name and time) at the commit is new; it is
 * known from then on. */
bool pn_perun_known_add(struct pn_perun_known *known,
			const struct pn_oid *commit,
			const struct pn_perun_listing *listing);
/* The same of a record of pn_perun_import_pending. */
bool pn_perun_known_add_pending(struct pn_perun_known *known,
				const struct pn_record *record);

/*
 * The record of a listing: its object's profile, its name, its time. The
 * commit and tree are the caller's to set. `max_bytes` as in
 * pn_record_options. PN_EINVAL, PN_ELIMIT, PN_EREFUSED, PN_ENOTFOUND: the
 * object is broken, too large, a link, or absent.
 */
int pn_perun_import_listed(struct pn_record *out,
			   const struct pn_perun_store *store,
			   struct pn_perun_listing *listing, uint64_t max_bytes,
			   struct pn_error *err);
/* The record of a pending profile; its commit is where it was measured, zero
 * when the profile does not say. */
int pn_perun_import_pending(struct pn_record *out,
			    const struct pn_perun_store *store,
			    const char *name, uint64_t max_bytes,
			    struct pn_error *err);

#endif
