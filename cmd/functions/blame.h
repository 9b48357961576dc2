/* Functions over commits, as log --function and blame print them. */
#ifndef CMD_FUNCTIONS_BLAME_H
#define CMD_FUNCTIONS_BLAME_H

#include "analysis/history/series_request.h"
#include "command.h"
#include "jobs/functions/blame_ask.h"

struct blame_call {
	const struct command *command;
	const char *pattern, *output; /* pattern: NULL: all */
	/* Its metric is the name of the costs; its others, where it has them,
	 * get the names of series that nobody asked for. */
	const struct pn_series_request *which;
	double min_effect;	  /* 0: the detector's own */
	bool is_log, brief, json; /* brief: of a log changes only */
	/* All but repository, notes, series and the expression. */
	struct pn_functions_request request;
};

#define WITH_FUNCTIONS " with functions"

/* A filter that nothing `with` something passed is more often mistyped than
 * meant: say it; false: there is none. */
bool say_none_has(const struct pn_series_request *which, const char *with);
/* Returns an exit code. */
int print_functions(const struct global *global, struct blame_call *call);

#endif
