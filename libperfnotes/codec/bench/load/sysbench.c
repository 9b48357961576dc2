/*
 * What sysbench prints at the end of a run: rates, and the latency of events.
 * github.com/akopytov/sysbench: sb_report_cumulative, and the reports of its
 * tests.
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"

struct state {
	bool latency; /* lines below "Latency (ms):" */
};

static int add(struct pn_bench *bench, const struct pn_scan *key,
	       const char *before, const char *unit, enum pn_better better,
	       double value, struct pn_error *err)
{
	struct pn_buf name = {0};
	int code;

	pn_buf_add_text(&name, before);
	pn_buf_add(&name, key->at, pn_scan_left(key));
	code = pn_bench_add(bench, pn_buf_text(&name), unit, better, value,
			    err);
	pn_buf_release(&name);
	return code;
}

/* "events per second:  2537.19", "Total operations: 204800 (4546289.72 per
 * second)", "transactions: 2 (1.9 per sec.)", "reads/s:  12.5", "read, MiB/s:
 * 1.5", "200.00 MiB transferred (4439.74 MiB/sec)". */
static int take_rate(struct pn_bench *bench, struct pn_scan *line,
		     struct pn_error *err)
{
	struct pn_scan key, rest = *line, left;
	double value;

	if (pn_scan_until(&key, &rest, " MiB transferred (")) {
		if (!pn_scan_number(&value, &rest) ||
		    !pn_scan_text(&rest, " MiB/sec)"))
			return 0;
		key = (struct pn_scan){key.end + 5, key.end + 16};
		return add(bench, &key, "", "MiB/s", PN_BETTER_MORE, value,
			   err);
	}
	if (!pn_scan_until(&key, &rest, ":"))
		return 0;
	left = key;
	if (pn_scan_until(&left, &key, "/s")) {
		bool bytes = pn_scan_begins(&left, "read, MiB") ||
			     pn_scan_begins(&left, "written, MiB");

		if (pn_scan_left(&key) || !pn_scan_number(&value, &rest))
			return 0;
		return add(bench, &left, "", bytes ? "MiB/s" : "ops/s",
			   PN_BETTER_MORE, value, err);
	}
	if (pn_scan_is(&key, "events per second"))
		return pn_scan_number(&value, &rest)
			       ? add(bench, &key, "", "events/s",
				     PN_BETTER_MORE, value, err)
			       : 0;
	if (!pn_scan_until(&left, &rest, " (") ||
	    !pn_scan_number(&value, &rest) || !pn_scan_text(&rest, " per sec"))
		return 0;
	return add(bench, &key, "", "ops/s", PN_BETTER_MORE, value, err);
}

static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *state = user;
	struct pn_scan key, rest;
	double value;

	if (pn_scan_begins(line, "Latency (ms):") || !pn_scan_left(line)) {
		state->latency = pn_scan_left(line) > 0;
		return 0;
	}
	pn_scan_trim(line);
	rest = *line;
	if (!state->latency)
		return take_rate(bench, line, err);
	if (!pn_scan_until(&key, &rest, ":") ||
	    !pn_scan_number(&value, &rest) || pn_scan_is(&key, "sum"))
		return 0;
	return add(bench, &key, "latency ", "ms", PN_BETTER_LESS, value, err);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state state = {0};

	return pn_bench_read_lines(out, in, &state, take_line,
				   "'events per second:' or 'Latency (ms):' of "
				   "sysbench",
				   err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;

	if (!pn_scan_has(&rest, "LuaJIT"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest))
		if (pn_scan_begins(&line, "sysbench ") &&
		    pn_scan_until(&line, &line, "LuaJIT"))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_sysbench = {
	.name = "sysbench",
	.summary = "what sysbench prints: rates, latency",
	.languages = "any",
	.made_by = "sysbench cpu run, sysbench memory run",
	.sniffed_by = "its first line, 'sysbench ... LuaJIT'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
