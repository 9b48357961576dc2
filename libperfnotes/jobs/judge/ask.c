/* What is asked of a check. */
#include "jobs/judge/ask.h"

#include "base/text/similar.h"
#include "jobs/judge/gates.h"

#include <string.h>

bool pn_check_ask_measures(const struct pn_check_ask *ask)
{
	return ask->duel.run || ask->duel.selfcheck;
}

int pn_check_ask_count(const struct pn_check_ask *ask, int count,
		       struct pn_error *err)
{
	if (count > (ask->duel.selfcheck ? 1 : 2))
		return pn_error_set(err, PN_EINVAL, "need %s at most, have %d",
				    ask->duel.selfcheck ? "one commit"
							: "two commits",
				    count);
	if (count == 2 && ask->against)
		return pn_error_set(err, PN_EINVAL,
				    "--against is for one commit");
	if (ask->detector && !pn_detector_find(ask->detector) &&
	    strcmp(ask->detector, PN_DETECTOR_RULES) != 0)
		return pn_unknown_name("detector", ask->detector,
				       pn_detector_rules_names, err);
	if (count != 2 && ask->detector)
		return pn_error_set(err, PN_EINVAL,
				    "--detector needs two commits");
	return 0;
}

/* An option that is for the other kind of check. */
static const char *find_misplaced(const struct pn_check_ask *ask)
{
	const struct pn_duel_ask *d = &ask->duel;

	if (pn_check_ask_measures(ask))
		return ask->against	 ? "against"
		       : ask->strict	 ? "strict"
		       : ask->min_effect ? "min-effect"
		       : ask->fail_on	 ? "fail-on"
		       : ask->detector	 ? "detector"
		       : ask->collect	 ? "collect"
		       : ask->why	 ? "why"
		       : ask->functions	 ? "functions"
					 : NULL;
	return d->time_s				 ? "time"
	       : d->max_runs				 ? "max-runs"
	       : d->tolerance				 ? "tolerance"
	       : d->relink				 ? "relink"
	       : d->margin				 ? "margin"
	       : d->config && !ask->collect && !ask->why ? "config"
							 : NULL;
}

int pn_check_ask_check(const struct pn_check_ask *ask, const char *format,
		       struct pn_error *err)
{
	const char *misplaced = find_misplaced(ask);

	if (misplaced)
		return pn_error_set(
			err, PN_EINVAL, "--%s is %s --run", misplaced,
			pn_check_ask_measures(ask) ? "not for" : "for");
	if (ask->detector && ask->which.metric)
		return pn_error_set(err, PN_EINVAL,
				    "--detector takes no --metric");
	if (ask->detector && ask->min_effect)
		return pn_error_set(err, PN_EINVAL,
				    "--min-effect is not for --detector");
	if (ask->functions && ask->detector)
		return pn_error_set(err, PN_EINVAL,
				    "--functions is not for --detector");
	if (ask->functions && strcmp(format, "text") != 0 &&
	    strcmp(format, "json") != 0)
		return pn_error_set(err, PN_EINVAL,
				    "--functions has the formats text and "
				    "json, not '%s'",
				    format);
	if (ask->duel.selfcheck && strcmp(format, "text") != 0 &&
	    strcmp(format, "json") != 0)
		return pn_error_set(err, PN_EINVAL,
				    "--selfcheck has the formats text and "
				    "json, not '%s'",
				    format);
	return 0;
}

int pn_check_ask_read(struct pn_check_request *out,
		      const struct pn_check_ask *ask, struct pn_error *err)
{
	out->fail_on = ask->strict ? PN_JUDGE_FAIL_STRICT : PN_JUDGE_FAIL;
	out->against = ask->against;
	out->filter.job = ask->which.job;
	out->filter.collector = ask->which.collector;
	out->filter.machine = ask->which.machine;
	if (ask->min_effect &&
	    pn_gates_effect(&out->min_effect, ask->min_effect, err))
		return pn_error_context(err, "--min-effect");
	out->by_function = ask->functions;
	if (!ask->fail_on)
		return 0;
	if (pn_check_fail_on(&out->fail_on, ask->fail_on, err))
		return err->code;
	out->functions_fail_on = out->fail_on;
	return 0;
}
