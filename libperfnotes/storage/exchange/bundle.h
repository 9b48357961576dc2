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

/* Unite with what a file has. Errors as of pn_bundle_read and pn_unite. */
int pn_exchange_apply(struct pn_united *out, const struct pn_exchange *exchange,
		      const char *path, struct pn_error *err);

#endif
