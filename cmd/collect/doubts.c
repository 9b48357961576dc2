/* Doubts of a collector in words. */
#include "doubts.h"

#include "command.h"

void warn_of_doubts(const char *title,
		    const struct pn_collect_warning *warnings, size_t count,
		    const struct pn_collect_plan *plan, bool has_prepare)
{
	size_t i;

	for (i = 0; i < count; i++) {
		double value = warnings[i].value;

		switch (warnings[i].kind) {
		case PN_COLLECT_SLOW_FIRST:
			warn("'%s': the first run was much slower than the "
			     "others; %s",
			     title,
			     plan->warmup || has_prepare
				     ? "more warm-up (-w) may help"
				     : "caches were cold: warm up (-w), or "
				       "empty them before every run "
				       "(--prepare)");
			break;
		case PN_COLLECT_OUTLIERS:
			warn("'%s': %.0f run%s far from the others; is the "
			     "machine busy with something else?",
			     title, value, value == 1 ? " is" : "s are");
			break;
		case PN_COLLECT_TOO_SHORT:
			warn("'%s': takes less than 5 ms, where starting a "
			     "shell disturbs; leave --shell out",
			     title);
			break;
		case PN_COLLECT_FAILED:
			warn("'%s': %.0f run%s ended with a status other than "
			     "0",
			     title, value, value == 1 ? "" : "s");
			break;
		case PN_COLLECT_WIDE:
			warn("'%s': the median is known to %.1f %% only, not "
			     "%.1f %%; --max-runs and --max-time end the runs",
			     title, value * 100, plan->precision * 100);
			break;
		case PN_COLLECT_LOST:
			warn("'%s': %.0f event%s could not be recorded", title,
			     value, value == 1 ? "" : "s");
			break;
		case PN_COLLECT_ABSENT:
			warn("'%s': this machine does not count %.0f of the "
			     "events; a virtual one often has no hardware "
			     "counters",
			     title, value);
			break;
		case PN_COLLECT_DOUBTS:
			break;
		}
	}
}
