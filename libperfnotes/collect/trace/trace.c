/*
 * The collector "trace": every call of a program that was built with
 * -finstrument-functions, by caller and callee. runtime/trace/trace.c counts,
 * in the program.
 */
#include "base/number.h"
#include "collect/preload.h"
#include "collect/trace/record.h"

#include <math.h>
#include <string.h>

#define TIMED_RUNS 5

/* "<inside>,<outside>" in ns, or "none". */
static int parse_cost(struct pn_trace_cost *out, const char *text,
		      struct pn_error *err)
{
	const char *comma = strchr(text, ',');
	struct pn_trace_cost cost = {0};

	if (strcmp(text, "none") &&
	    (!comma ||
	     !pn_number_double(&cost.inside_ns, text, (size_t)(comma - text)) ||
	     !pn_number_double(&cost.outside_ns, comma + 1,
			       strlen(comma + 1)) ||
	     !(cost.inside_ns >= 0 && cost.inside_ns <= 1e6) ||
	     !(cost.outside_ns >= 0 && cost.outside_ns <= 1e6)))
		return pn_error_set(err, PN_EINVAL,
				    "bad calibration '%s', need none or two "
				    "numbers of ns, as in 21.5,20",
				    text);
	*out = cost;
	return 0;
}

static int trace_read(struct pn_profile *out, double *lost,
		      const struct pn_preload_run *run, struct pn_error *err)
{
	const char *given = pn_collect_option(run->plan, "calibration");
	struct pn_trace_reading reading;
	struct pn_runtime_record record;
	struct pn_trace_cost cost;
	size_t i;
	int code = 0;

	if (given && (code = parse_cost(&cost, given, err)))
		return code;
	pn_trace_reading_begin(&reading, out, run->run_count,
			       given ? &cost : NULL);
	reading.by_size = pn_collect_option(run->plan, "sizes") != NULL;
	for (i = 0; !code && i < run->count; i++) {
		code = pn_runtime_record_open(&record, run->paths[i], err);
		if (code)
			break;
		pn_trace_reading_add(&reading, &record, run->runs[i]);
		pn_runtime_record_release(&record);
	}
	pn_trace_reading_end(&reading);
	*lost = reading.lost;
	if (!code && reading.calls <= 0)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no call was traced: build the program "
				    "with -finstrument-functions, or mark "
				    "regions (perfnotes/runtime/git-perf.h)");
	if (!code && reading.by_size && !out->sample_count)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no call stated a size: see "
				    "pn_region_size in perfnotes/runtime/"
				    "git-perf.h");
	return code;
}

static int trace_variables(struct pn_buf out[PN_PRELOAD_MAX_ENV],
			   const struct pn_collect_plan *plan,
			   struct pn_error *err)
{
	const char *clock = pn_collect_option(plan, "clock");
	const char *given = pn_collect_option(plan, "calibration");
	const char *rounds = pn_collect_option(plan, "rounds");
	struct pn_trace_cost cost;
	int64_t count;

	if (rounds && (!pn_number_int(&count, rounds, strlen(rounds)) ||
		       count < 1 || count > PN_RUNTIME_TRACE_MAX_ROUNDS))
		return pn_error_set(err, PN_EINVAL,
				    "bad rounds '%s', need a whole number of "
				    "1 to %d",
				    rounds, PN_RUNTIME_TRACE_MAX_ROUNDS);
	if (clock && strcmp(clock, "tsc") && strcmp(clock, "wall") &&
	    strcmp(clock, "cpu") && strcmp(clock, "none"))
		return pn_error_set(err, PN_EINVAL,
				    "bad clock '%s', need tsc, wall, cpu or "
				    "none",
				    clock);
	if (given && parse_cost(&cost, given, err))
		return PN_EINVAL;
	if (pn_collect_option(plan, "sizes") &&
	    (pn_collect_option(plan, "flat") ||
	     (clock && !strcmp(clock, "none"))))
		return pn_error_set(err, PN_EINVAL,
				    "cannot tell times by size from calls "
				    "alone, need no flat and no clock=none");
	if (clock)
		pn_buf_printf(&out[0], PN_RUNTIME_TRACE_CLOCK "=%s", clock);
	if (pn_collect_option(plan, "flat"))
		pn_buf_printf(&out[1], PN_RUNTIME_TRACE_FLAT "=1");
	if (rounds)
		pn_buf_printf(&out[2], PN_RUNTIME_TRACE_ROUNDS "=%s", rounds);
	return 0;
}

/* Of short calls one run says how disturbed it was; counts are alike, and the
 * times of a size are those of many calls. */
static uint64_t trace_runs(const struct pn_collect_plan *plan)
{
	const char *clock = pn_collect_option(plan, "clock");

	return (clock && !strcmp(clock, "none")) ||
			       pn_collect_option(plan, "sizes")
		       ? 1
		       : TIMED_RUNS;
}

static const struct pn_preload kind = {
	.name = "trace",
	.kind = "mixed",
	.runs = trace_runs,
	.variables = trace_variables,
	.read = trace_read,
};

static int trace_open(struct pn_collection **out,
		      const struct pn_collect_plan *plan, struct pn_error *err)
{
	return pn_preload_open(out, &kind, plan, err);
}

static const struct pn_option options[] = {
	{"clock", "tsc|wall|cpu|none", "what times the calls (tsc)"},
	{"flat", NULL, "own time and calls only, without callers"},
	{"sizes", NULL, "time of calls by the size that the program states"},
	{"calibration", "<inside>,<outside>|none",
	 "ns of a call to take off (found anew)"},
	{"rounds", "<n>", "calls in a batch that finds it (400)"},
	{0},
};

const struct pn_collector pn_collector_trace = {
	.name = "trace",
	.summary = "every call of an instrumented program, by caller",
	.options = options,
	.result_takes = true,
	.open = trace_open,
	.step = pn_preload_step,
	.result = pn_preload_result,
	.warnings = pn_preload_warnings,
	.free = pn_preload_free,
};
