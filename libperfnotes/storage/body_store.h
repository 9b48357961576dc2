/*
 * Bodies in the repository: reading one along its chain, and encoding a
 * profile as a delta on the previous one of its job.
 */
#ifndef PN_STORAGE_BODY_STORE_H
#define PN_STORAGE_BODY_STORE_H

#include "base/buf.h"
#include "base/error.h"
#include "body/body.h"
#include "model/entry.h"
#include "model/profile.h"
#include "vcs/repo.h"

/* The stored bytes of an entry's body: canonical ones as they lie in git.
 * PN_ENOTFOUND when it is absent (pruned, or never fetched). */
int pn_body_store_read(struct pn_buf *out, struct pn_repo *repo,
		       const struct pn_entry *entry, struct pn_error *err);

/*
 * The profile of an entry: canonical bodies resolved along their chain and
 * verified, verbatim ones read by the codec that the entry names; without a
 * body (figures only) a profile of the line's metrics.
 */
int pn_body_store_load(struct pn_profile *out, struct pn_repo *repo,
		       const struct pn_entry *entry, struct pn_error *err);

/* Header facts of an index line, put into a profile whose own body has none
 * (verbatim bodies, figures only). */
void pn_body_store_describe(struct pn_profile *profile,
			    const struct pn_entry *entry);

/* The labels of an index line alone: a canonical body lacks those that add was
 * told, so that equal profiles are one body. The one that an import put there
 * to know the profile again is no label of it. */
void pn_body_store_label(struct pn_profile *profile,
			 const struct pn_entry *entry);

/* The state of a stored canonical body, chain resolved. */
int pn_body_store_state(struct pn_body_state **out, struct pn_repo *repo,
			const struct pn_oid *body, struct pn_error *err);
/* The same where that of a body near it, `near`, is at hand (NULL: none is): of
 * a chain that both are on only what is not there is read. */
int pn_body_store_state_near(struct pn_body_state **out, struct pn_repo *repo,
			     const struct pn_oid *body,
			     const struct pn_oid *near_oid,
			     const struct pn_body_state *near,
			     struct pn_error *err);
/* For pn_body_encode_lean. */
int pn_body_store_state_lean(struct pn_body_state **out, struct pn_repo *repo,
			     const struct pn_oid *body, struct pn_error *err);

#endif
