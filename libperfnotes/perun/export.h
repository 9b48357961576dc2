/*
 * Writing a Perun store. It grows in a folder of its own and gets its name,
 * "<dir>/.perun", when it is whole.
 */
#ifndef PN_PERUN_EXPORT_H
#define PN_PERUN_EXPORT_H

#include "base/error.h"
#include "model/entry.h"
#include "perun/index.h"
#include "storage/lookup/lookup.h"
#include "storage/pending.h"
#include "vcs/repo.h"

struct pn_perun_export;

/* PN_EREFUSED when there is a store already. The store says that it belongs
 * to `repo`, which is borrowed. */
int pn_perun_export_open(struct pn_perun_export **out, const char *dir,
			 struct pn_repo *repo, enum pn_perun_layout layout,
			 struct pn_error *err);
/* What is not finished is removed. */
void pn_perun_export_free(struct pn_perun_export *export);

/*
 * Write the object of a stored profile and list it in the index that the next
 * pn_perun_export_commit writes. Bytes that came from a Perun store go out as
 * they came. PN_EIO: the store cannot be written, or the repository cannot be
 * read; any other error: this profile has no place in such a store, or its
 * body is absent, and others may go on.
 */
int pn_perun_export_entry(struct pn_perun_export *export,
			  const struct pn_entry *entry, struct pn_error *err);
/* The index of what was listed since the last one; none is written for
 * nothing. */
int pn_perun_export_commit(struct pn_perun_export *export,
			   const struct pn_oid *commit, struct pn_error *err);
/* Errors as of pn_perun_export_entry. */
int pn_perun_export_pending(struct pn_perun_export *export,
			    const struct pn_lookup *lookup,
			    const struct pn_pending *pending,
			    struct pn_error *err);

int pn_perun_export_finish(struct pn_perun_export *export,
			   struct pn_error *err);

#endif
