/* What a command line asks of a check, and which of it goes together. */
#ifndef PN_JUDGE_ASK_H
#define PN_JUDGE_ASK_H

#include "analysis/history/series_request.h"
#include "jobs/duel/ask.h"
#include "jobs/judge/check.h"

struct pn_check_ask {
	struct pn_series_request which;
	const char *against, *min_effect, *fail_on, *detector;
	bool strict, allow_unknown, collect, why, functions;
	struct pn_duel_ask duel;
};

/* Whether the commits are built and run. */
bool pn_check_ask_measures(const struct pn_check_ask *ask);
/* Of so many names of commits, in this format (NULL: one that there is not);
 * PN_EINVAL says what does not fit. */
int pn_check_ask_count(const struct pn_check_ask *ask, int count,
		       struct pn_error *err);
int pn_check_ask_check(const struct pn_check_ask *ask, const char *format,
		       struct pn_error *err);
/* What fails, and what is no change. */
int pn_check_ask_read(struct pn_check_request *out,
		      const struct pn_check_ask *ask, struct pn_error *err);

#endif
