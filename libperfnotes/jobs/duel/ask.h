/* What a command line asks of a duel: options, and what they say together. */
#ifndef PN_DUEL_ASK_H
#define PN_DUEL_ASK_H

#include "analysis/history/series_request.h"
#include "base/opts/opts.h"
#include "jobs/duel/duels.h"

struct pn_duel_ask {
	bool run, selfcheck;
	double time_s;
	int64_t max_runs, relink;
	const char *tolerance, *margin, *config;
};

/* OPT_TABLE(struct pn_duel_ask, <member>, pn_duel_opts). */
extern const struct pn_opt pn_duel_opts[];

/* Borrows both. Nobody waits for an answer where CI is set. */
int pn_duel_ask_read(struct pn_duels_options *out,
		     const struct pn_duel_ask *ask,
		     const struct pn_series_request *which,
		     struct pn_error *err);

#endif
