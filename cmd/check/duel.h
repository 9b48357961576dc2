/* git perf check --run and --selfcheck: commits built and run in turns. */
#ifndef CMD_CHECK_DUEL_H
#define CMD_CHECK_DUEL_H

#include "command.h"
#include "jobs/duel/ask.h"

struct duel_call {
	const struct pn_duel_ask *ask;
	const struct pn_series_request *which;
	const char *output;
	const char *format; /* of a check */
	bool allow_unknown;
};

/* Returns an exit code. */
int check_by_duel(const struct global *global, const struct duel_call *call,
		  int argc, char **argv);

#endif
