/*
 * What hey prints of the requests that it made, or its list of them (-o csv):
 * how long each took, and when it began. github.com/rakyll/hey,
 * requester/print.go.
 */
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/counters.h"

#include <math.h>
#include <string.h>

#define CSV_HEAD "response-time,"

struct state {
	struct pn_summary latency; /* seconds */
	bool csv, offsets;
	struct pn_counters course; /* of latencies, by when each began */
};

/* "  Average:	0.0016 secs" */
static bool take_figure(double *out, struct pn_scan line, const char *begin)
{
	return pn_scan_text(&line, begin) && pn_scan_number(out, &line);
}

/* "  25% in 0.0008 secs", of requests that were made: 0 % is no share. */
static void take_quantile(struct state *state, struct pn_scan line)
{
	double percent, seconds;

	if (!pn_scan_number(&percent, &line) || !pn_scan_text(&line, "% in ") ||
	    !pn_scan_number(&seconds, &line))
		return;
	if (percent == 25)
		state->latency.q1 = seconds;
	else if (percent == 50)
		state->latency.median = seconds;
	else if (percent == 75)
		state->latency.q3 = seconds;
}

static int take_summary(struct pn_bench *bench, struct state *state,
			struct pn_scan *line, struct pn_error *err)
{
	struct pn_summary *l = &state->latency;
	struct pn_scan rest = *line;
	double value;

	if (pn_scan_text(&rest, "Requests/sec:"))
		return pn_scan_number(&value, &rest)
			       ? pn_bench_add(bench, "requests", "requests/s",
					      PN_BETTER_MORE, value, err)
			       : 0;
	/* the last part of a report: counts by status, or errors */
	if (pn_scan_begins(&rest, "Status code distribution:") &&
	    !isnan(l->mean))
		return pn_bench_add_summary(bench, "latency", "seconds",
					    PN_BETTER_LESS, l, err);
	if (!take_figure(&l->max, rest, "Slowest:") &&
	    !take_figure(&l->min, rest, "Fastest:") &&
	    !take_figure(&l->mean, rest, "Average:"))
		take_quantile(state, rest);
	return 0;
}

/* The last column is when the request began, in seconds since the first. */
static void add_course(struct state *state, struct pn_scan rest, double value)
{
	struct pn_strtab *strings = &state->course.p->strings;
	struct pn_counter of = {0};
	struct pn_scan before;
	double offset;

	if (!pn_scan_until_last(&before, &rest, ',') ||
	    !pn_number_double(&offset, rest.at, pn_scan_left(&rest)))
		return;
	of.name = pn_strtab_add_text(strings, "latency");
	of.unit = pn_strtab_add_text(strings, "seconds");
	pn_counters_add(&state->course, pn_counters_at(&state->course, &of),
			offset * 1000, value);
}

/* "0.0016,0.0008,...,200,0.0001": requests that failed are not in it. */
static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *state = user;
	struct pn_scan field;
	double value;

	if (pn_scan_begins(line, CSV_HEAD)) {
		state->csv = true;
		state->offsets = pn_scan_has(line, ",offset");
		return 0;
	}
	pn_scan_trim(line);
	if (!state->csv)
		return take_summary(bench, state, line, err);
	if (!pn_scan_left(line))
		return 0;
	if (!pn_scan_until(&field, line, ",") ||
	    !pn_number_double(&value, field.at, pn_scan_left(&field)))
		return pn_error_set(err, PN_EINVAL,
				    "expected seconds in the first column");
	if (state->offsets)
		add_course(state, *line, value);
	return pn_bench_add(bench, "latency", "seconds", PN_BETTER_LESS, value,
			    err);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state state = {.latency = {1, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
			      .course.p = out};
	int code =
		pn_bench_read_lines(out, in, &state, take_line,
				    "'Requests/sec:' of hey, or its CSV", err);

	if (!code)
		pn_counters_finish(&state.course);
	pn_counters_release(&state.course);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;
	bool summary = false;

	if (pn_scan_begins(&rest, CSV_HEAD "DNS+dialup,"))
		return PN_SNIFF_SURE;
	if (!pn_scan_has(&rest, "Summary:"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest)) {
		summary |= pn_scan_begins(&line, "Summary:");
		if (summary &&
		    pn_scan_begins(&line, "Response time histogram:"))
			return PN_SNIFF_SURE;
	}
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_hey = {
	.name = "hey",
	.summary = "what hey prints, or its CSV: latency of requests",
	.languages = "any http",
	.made_by = "hey -o csv <url>, or hey <url>",
	.sniffed_by =
		"'Response time histogram:', or its head 'response-time,'",
	.suffix = ".csv",
	.sniff = sniff,
	.read = read_profile,
};
