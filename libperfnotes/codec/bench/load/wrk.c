/*
 * What wrk prints of the requests that it made: how many a second, and how long
 * each took. github.com/wg/wrk: print_stats, format_metric.
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"

#include <math.h>

struct state {
	struct pn_summary latency; /* ns; n 0: none yet */
	bool distribution;	   /* lines below "Latency Distribution" */
};

/* "1.79ms", "12.30us", "1.50s", "2.00m", "1.00h" in ns. */
static bool take_time(double *ns, struct pn_scan *s)
{
	static const struct {
		const char *text;
		double scale;
	} units[] = {{"us", 1e3},
		     {"ms", 1e6},
		     {"s", 1e9},
		     {"m", 6e10},
		     {"h", 3.6e12}};
	size_t i;

	if (!pn_scan_number(ns, s))
		return false;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (pn_scan_text(s, units[i].text)) {
			/* hundredths of the unit */
			*ns = nearbyint(*ns * units[i].scale);
			return true;
		}
	return false;
}

/* "1.06MB": steps of 1,024. */
static bool take_bytes(double *bytes, struct pn_scan *s)
{
	static const char *const units[] = {"B", "KB", "MB", "GB", "TB", "PB"};
	size_t i;

	if (!pn_scan_number(bytes, s))
		return false;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (pn_scan_text(s, units[i])) {
			*bytes = ldexp(*bytes, 10 * (int)i);
			return true;
		}
	return false;
}

/* Behind "Latency": mean, deviation, largest. */
static int take_latency(struct state *state, struct pn_scan *line,
			struct pn_error *err)
{
	struct pn_summary *l = &state->latency;

	*l = (struct pn_summary){1, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	if (!take_time(&l->mean, line) || !take_time(&l->sd, line) ||
	    !take_time(&l->max, line))
		return pn_error_set(err, PN_EINVAL,
				    "expected three times behind 'Latency'");
	return 0;
}

/* "75%    2.35ms" */
static void take_quantile(struct state *state, struct pn_scan *line)
{
	struct pn_summary *l = &state->latency;
	double percent, ns;

	if (!pn_scan_number(&percent, line) || !pn_scan_text(line, "%") ||
	    !take_time(&ns, line))
		return;
	if (percent == 25)
		l->q1 = ns;
	else if (percent == 50)
		l->median = ns;
	else if (percent == 75)
		l->q3 = ns;
}

/* "1228 requests in 1.01s": the last line about latency is behind us. */
static int finish_latency(struct pn_bench *bench, struct state *state,
			  double requests, struct pn_error *err)
{
	if (!state->latency.n)
		return 0;
	state->distribution = false;
	if (requests >= 1 && requests < 9e15)
		state->latency.n = (uint64_t)requests;
	return pn_bench_add_summary(bench, "latency", "ns", PN_BETTER_LESS,
				    &state->latency, err);
}

static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *state = user;
	struct pn_scan rest;
	double value;

	pn_scan_trim(line);
	rest = *line;
	if (pn_scan_text(line, "Latency Distribution"))
		state->distribution = true;
	else if (pn_scan_text(line, "Latency "))
		return take_latency(state, line, err);
	else if (pn_scan_text(line, "Requests/sec:"))
		return pn_scan_number(&value, line)
			       ? pn_bench_add(bench, "requests", "requests/s",
					      PN_BETTER_MORE, value, err)
			       : 0;
	else if (pn_scan_text(line, "Transfer/sec:"))
		return take_bytes(&value, line)
			       ? pn_bench_add(bench, "transfer", "bytes/s",
					      PN_BETTER_MORE, value, err)
			       : 0;
	else if (pn_scan_number(&value, &rest) &&
		 pn_scan_text(&rest, " requests in "))
		return finish_latency(bench, state, value, err);
	else if (state->distribution)
		take_quantile(state, line);
	return 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state state = {0};

	return pn_bench_read_lines(out, in, &state, take_line,
				   "'Requests/sec:' of wrk", err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line, part;
	bool running = false;

	if (!pn_scan_has(&rest, "Thread Stats"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest)) {
		if (pn_scan_begins(&line, "Running ") &&
		    pn_scan_until(&part, &line, " test @ "))
			running = true;
		pn_scan_trim(&line);
		if (running && pn_scan_begins(&line, "Thread Stats"))
			return PN_SNIFF_SURE;
	}
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_wrk = {
	.name = "wrk",
	.summary = "what wrk prints: requests a second, latency",
	.languages = "any http",
	.made_by = "wrk --latency <url>",
	.sniffed_by = "'Running ... test @' and 'Thread Stats'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
