/* Doubts in words. */
#include "render/measured/doubt.h"

void pn_doubt_text(struct pn_buf *out, const struct pn_doubt *doubt,
		   const struct pn_doubt_context *context)
{
	double value = doubt->value;

	switch (doubt->kind) {
	case PN_DOUBT_SLOW_FIRST:
		pn_buf_printf(out,
			      "the first run was much slower than the others; "
			      "%s",
			      context->prepared
				      ? "more warm-up (-w) may help"
				      : "caches were cold: warm up (-w), or "
					"empty them before every run "
					"(--prepare)");
		break;
	case PN_DOUBT_OUTLIERS:
		pn_buf_printf(out,
			      "%.0f run%s far from the others; is the machine "
			      "busy with something else?",
			      value, value == 1 ? " is" : "s are");
		break;
	case PN_DOUBT_TOO_SHORT:
		pn_buf_add_text(out, "takes less than 5 ms, where starting a "
				     "shell disturbs; leave --shell out");
		break;
	case PN_DOUBT_FAILED:
		pn_buf_printf(out,
			      "%.0f run%s ended with a status other than 0",
			      value, value == 1 ? "" : "s");
		break;
	case PN_DOUBT_WIDE:
		pn_buf_printf(out,
			      "the median is known to %.1f %% only, not "
			      "%.1f %%; --max-runs and --max-time end the runs",
			      value * 100, context->precision * 100);
		break;
	case PN_DOUBT_LOST:
		pn_buf_printf(out, "%.0f event%s could not be recorded", value,
			      value == 1 ? "" : "s");
		break;
	case PN_DOUBT_ABSENT:
		pn_buf_printf(out,
			      "this machine does not count %.0f of the events; "
			      "a virtual one often has no hardware counters",
			      value);
		break;
	case PN_DOUBT_KINDS:
		break;
	}
}
