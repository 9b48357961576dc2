/* Profiles as a file, for who has no way to push: a worker on somebody else's
 * change, a machine without a network. */
#ifndef PN_EXCHANGE_BUNDLE_H
#define PN_EXCHANGE_BUNDLE_H

#include "storage/exchange/exchange.h"

/*
 * Write what is here and is not known to be at the exchange's remote; all of
 * it where there is no remote (NULL). PN_ENOTFOUND: there is nothing to write.
 */
int pn_exchange_bundle(const struct pn_exchange *exchange, const char *path,
		       struct pn_error *err);

/* Where a file's notes are while they are united with ours. */
#define PN_BUNDLE_PLACE "refs/perf/bundle"
#define PN_BUNDLE_REFS PN_BUNDLE_PLACE "/"

/* Take out what an apply that was killed has left there. Costs nothing where
 * there is nothing; waits for an apply that is at work. */
int pn_exchange_sweep(struct pn_repo *repo, struct pn_error *err);

/* Unite with what a file has. One at a time of a repository. Errors as of
 * pn_bundle_read and pn_unite. */
int pn_exchange_apply(struct pn_united *out, const struct pn_exchange *exchange,
		      const char *path, struct pn_error *err);

#endif
