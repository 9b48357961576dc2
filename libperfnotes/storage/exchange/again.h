/*
 * What was fetched is a copy. Where some of it is gone (a `git gc --prune=now`
 * takes what comes beside it, as git-gc(1) warns), every call that reads it
 * fails until it is fetched again, and git fetches nothing beside a ref whose
 * commit is gone.
 */
#ifndef PN_EXCHANGE_AGAIN_H
#define PN_EXCHANGE_AGAIN_H

#include "base/buf.h"
#include "base/error.h"
#include "storage/exchange/exchange.h"

#include <stdbool.h>

/* Refs that were taken out. */
struct pn_again {
	const struct pn_exchange *exchange;
	struct pn_buf ids, names; /* each with a NUL */
};

/*
 * Take out the refs of what was fetched of the remote, its notes and inboxes,
 * that lead to something absent; others stay. True where there are any: try
 * again, then pn_again_end.
 */
bool pn_again_begin(struct pn_again *out, const struct pn_exchange *exchange);

/* `code`: of the second try. Where it failed, those come back of which the
 * commit is here. */
void pn_again_end(struct pn_again *again, int code);

#endif
