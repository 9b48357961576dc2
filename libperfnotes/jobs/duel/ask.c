/* What is asked of a duel. */
#define PN_OPTION_STRUCT struct pn_duel_ask
#include "jobs/duel/ask.h"

#include "base/number.h"
#include "base/opts/table.h"

#include <stdlib.h>

#define TIME_MAX_S 1e6

const struct pn_opt pn_duel_opts[] = {
	{PN_OPTION_FLAG(run), 0, "run", NULL,
	 "build and run both commits in turns, until it is decided"},
	{PN_OPTION_FLAG(selfcheck), 0, "selfcheck", NULL,
	 "run a commit in turns with itself: what can be seen here"},
	{PN_OPTION_DOUBLE(time_s), 0, "time", "<s>",
	 "run: so long in all, builds apart (60 for each job)"},
	{PN_OPTION_INT(max_runs), 0, "max-runs", "<n>",
	 "run: so many of a job, both sides together (200)",
	 .min = 2 * PN_DUEL_MIN_PAIRS},
	{PN_OPTION_INT(relink), 0, "relink", "<n>",
	 "run: link so many layouts of code (12): is it the code?",
	 .min = PN_DUEL_MIN_PAIRS},
	{PN_OPTION_TEXT(tolerance), 0, "tolerance", "<share>",
	 "run: it ends when no change is larger (2%, of counts 0.2%)"},
	{PN_OPTION_TEXT(margin), 0, "margin", "<share>",
	 "run: slower is by more than this (half of the tolerance)"},
	{PN_OPTION_TEXT(config), 0, "config", "<file>",
	 "run, collect, why: job file, trusted by being named"},
	{0},
};

static int read_share(double *out, const char *name, const char *text,
		      struct pn_error *err)
{
	*out = -1;
	if (!text || pn_number_share(out, text))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "'--%s=%s' is no share; need one such as 0.02 or "
			    "2%%",
			    name, text);
}

static int check_layouts(const struct pn_duel_ask *ask, struct pn_error *err)
{
	if (!ask->relink)
		return 0;
	if (ask->relink > PN_DUEL_MAX_PAIRS)
		return pn_error_set(err, PN_ERANGE,
				    "--relink is %d to %d layouts",
				    PN_DUEL_MIN_PAIRS, PN_DUEL_MAX_PAIRS);
	if (ask->max_runs || ask->selfcheck)
		return pn_error_set(err, PN_EINVAL,
				    "--relink makes four runs of each layout "
				    "of two commits: --%s does not go with it",
				    ask->selfcheck ? "selfcheck" : "max-runs");
	return 0;
}

int pn_duel_ask_read(struct pn_duels_options *out,
		     const struct pn_duel_ask *ask,
		     const struct pn_series_request *which,
		     struct pn_error *err)
{
	int code =
		read_share(&out->tolerance, "tolerance", ask->tolerance, err);

	if (!code)
		code = read_share(&out->margin, "margin", ask->margin, err);
	if (!code && !(ask->time_s >= 0 && ask->time_s <= TIME_MAX_S))
		code = pn_error_set(err, PN_EINVAL,
				    "--time is 0 to %.0f seconds", TIME_MAX_S);
	if (!code)
		code = check_layouts(ask, err);
	out->time_ns = code ? 0 : (int64_t)(ask->time_s * 1e9);
	out->max_pairs = (size_t)ask->max_runs / 2;
	out->layouts = (size_t)ask->relink;
	out->metric = which->metric;
	out->collector = which->collector;
	out->names = &which->job;
	out->name_count = which->job != NULL;
	out->give_up = getenv("CI") != NULL;
	out->whole = ask->selfcheck;
	out->sides.machine = which->machine;
	return code;
}
