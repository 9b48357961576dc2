/* Taking many records out at once: by tombstones, as pn_store_remove does. */
#ifndef PN_RETAIN_PRUNE_H
#define PN_RETAIN_PRUNE_H

#include "base/error.h"
#include "model/entry.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pn_prune_what {
	PN_PRUNE_RECORD,
	PN_PRUNE_BODY, /* figures stay */
	/* nothing goes: it is written down that this stays, for a change point
	 * that names it */
	PN_PRUNE_KEEP
};

/* There may be millions. */
struct pn_prune_item {
	struct pn_oid commit; /* in whose note it is */
	char id[PN_ENTRY_ID_HEX + 1];
	enum pn_prune_what what : 8;
};

struct pn_pruned {
	size_t records, figures, bodies; /* out; without body now; bodies out */
	uint64_t body_bytes;		 /* of those bodies on the disk */
};

/*
 * Items are sorted by commit; what is not live any more is passed over, as is a
 * body that a line without figures needs. One commit of the ref, or nothing.
 * PN_EREFUSED: see full.h. PN_ECONFLICT: the notes are not those of `tip` any
 * more, which the items were chosen from.
 */
int pn_store_prune(struct pn_pruned *out, struct pn_repo *repo,
		   const struct pn_oid *tip, const struct pn_prune_item *items,
		   size_t count, bool dry_run, struct pn_error *err);

#endif
