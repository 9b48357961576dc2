/*
 * Exchanging profiles with a remote. git does the transport; what comes is
 * united here, in process, and what goes moves the remote's ref forward only.
 */
#ifndef PN_EXCHANGE_EXCHANGE_H
#define PN_EXCHANGE_EXCHANGE_H

#include "base/error.h"
#include "model/moved.h"
#include "storage/exchange/lean.h"
#include "storage/exchange/unite.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Where workers of a CI system leave what they measured, each under a name of
 * its own, so that none waits for another. Whoever unites them pushes the
 * result and takes them away. */
#define PN_INBOX_REF "refs/perf/inbox/"
/* What is known of a remote: its notes and inboxes; printf formats. */
#define PN_TRACKED_REFS "refs/perf/remotes/%s"
#define PN_INBOX_TRACKING "refs/perf/remotes/%s/inbox/"

struct pn_exchange {
	struct pn_repo *repo;
	const char *remote; /* NULL: pn_sync_remote says which */
	FILE *progress;	    /* git's own; NULL: none */
	bool dry_run;
	bool inbox;	   /* of a push: into an inbox at once */
	bool keep_history; /* of a push: behind a compaction, too */
	bool filter;	   /* fetches leave large bodies out from now on, ... */
	bool all;	   /* ... or no more; not with dry_run */
	struct pn_lean lean; /* what a fetch leaves out */
	char *own;	     /* of the functions below: pn_exchange_release */
};

/* The remote is known then. PN_ENOTFOUND where there is none, or none of that
 * name; PN_EINVAL where it is no name of a ref's part. */
int pn_exchange_open(struct pn_exchange *exchange, struct pn_error *err);
void pn_exchange_release(struct pn_exchange *exchange);

/* Get the notes and the inboxes of the remote beside ours. An inbox that git's
 * own check refuses does not come; `aside` (0: none) tells. */
int pn_exchange_fetch(struct pn_error *aside,
		      const struct pn_exchange *exchange, struct pn_error *err);

/* What of that is not part of ours; of a dry run, what would have come. */
int pn_exchange_waiting(struct pn_waiting *out,
			const struct pn_exchange *exchange,
			struct pn_error *err);

/* What was fetched last becomes part of ours. */
int pn_exchange_unite(struct pn_united *out, const struct pn_exchange *exchange,
		      struct pn_error *err);

struct pn_pushed {
	enum pn_pushed_state state;
	size_t inboxes;		 /* that went, because they are part of ours */
	struct pn_error kept;	 /* why others did not go; 0: none */
	unsigned int losses;	 /* times that others were first */
	struct pn_united united; /* what came in meanwhile */
};

/*
 * Send what is here. One connection where nobody else has pushed since the
 * last fetch. Otherwise: fetch, unite, wait for a moment that grows, try again;
 * after PN_PUSH_LOSSES of these into an inbox. One push of a repository at a
 * time.
 */
#define PN_PUSH_LOSSES 4
int pn_exchange_push(struct pn_pushed *out, const struct pn_exchange *exchange,
		     struct pn_error *err);

#endif
