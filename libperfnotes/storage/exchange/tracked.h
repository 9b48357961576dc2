/* Inboxes of a remote that are known here: those that were fetched, and those
 * that were pushed from here. */
#ifndef PN_EXCHANGE_TRACKED_H
#define PN_EXCHANGE_TRACKED_H

#include "base/arena.h"
#include "base/error.h"
#include "base/oid.h"
#include "storage/exchange/exchange.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_TRACKED_MAX 10000 /* inboxes of a remote that are looked at */

struct pn_tracked {
	struct pn_arena arena;
	struct pn_tracked_ref {
		const char *ref;  /* here */
		const char *name; /* the last part, as it is at the remote */
		struct pn_oid id;
		bool merged; /* part of the tip that was asked about */
	} * items;
	size_t count;
	bool more; /* than PN_TRACKED_MAX */
};

/* Those of another epoch of which `tip` has all that is to be taken count as
 * merged, too. */
void pn_tracked_find_taken(struct pn_tracked *tracked, struct pn_repo *repo,
			   const struct pn_oid *tip);

/* The first PN_TRACKED_MAX by name. `tip`: of notes of ours, NULL for that of
 * PN_NOTES_REF. */
int pn_tracked_read(struct pn_tracked *out, struct pn_repo *repo,
		    const char *remote, const struct pn_oid *tip,
		    struct pn_error *err);
/* The inboxes that the remote has now, as if they had been fetched: of a dry
 * run. What is known of each is taken from `known`. */
int pn_tracked_ask(struct pn_tracked *out, const struct pn_exchange *exchange,
		   const struct pn_tracked *known, struct pn_error *err);
void pn_tracked_release(struct pn_tracked *tracked);

/* Before refs of what is known of the remote are moved: away with the lock
 * files of processes that were killed while they did it. Not in a dry run. */
int pn_tracked_clear_dead(const struct pn_exchange *exchange,
			  struct pn_error *err);

#endif
