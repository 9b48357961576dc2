/* git perf check --run and --selfcheck: commits built and run in turns. */
#ifndef CMD_CHECK_DUEL_H
#define CMD_CHECK_DUEL_H

#include "command.h"

/* What is asked for: options that check has without it, too, and those of
 * duel_opts. */
struct duel_call {
	const char *metric, *job, *collector, *machine, *output;
	const char *format; /* of a check */
	bool allow_unknown;

	bool run, selfcheck;
	double time_s;
	int64_t max_runs;
	const char *tolerance, *margin, *config;
};

extern const struct pn_opt duel_opts[];

/* Returns an exit code. */
int check_by_duel(const struct global *global, const struct duel_call *call,
		  int argc, char **argv);

#endif
