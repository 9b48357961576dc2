/*
 * What String(benchmark) of benchmark.js is: "name x 1,234 ops/sec +-1.23% (89
 * runs sampled)". benchmarkjs.com/docs, "Benchmark.prototype.toString".
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"

/* The name, whatever it has in it, and the number behind the last " x ". */
static bool is_result(struct pn_scan *name, double *value, struct pn_scan *line)
{
	struct pn_scan before, part;

	if (!pn_scan_until(&before, line, " ops/sec"))
		return false;
	*name = (struct pn_scan){before.at, before.at};
	while (pn_scan_until(&part, &before, " x "))
		name->end = part.end;
	pn_scan_trim(name);
	return pn_scan_left(name) && pn_scan_number(value, &before) &&
	       !pn_scan_left(&before);
}

static int take_line(struct pn_bench *bench, void *state, struct pn_scan *line,
		     struct pn_error *err)
{
	struct pn_scan name;
	double value;

	(void)state;
	return is_result(&name, &value, line)
		       ? pn_bench_add_scan(bench, &name, "ops/s",
					   PN_BETTER_MORE, value, err)
		       : 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_lines(out, in, NULL, take_line,
				   "a line '<name> x <number> ops/sec'", err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line, name;
	double value;

	if (!pn_scan_has(&rest, "/sec"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest))
		if (is_result(&name, &value, &line))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_benchmark_js = {
	.name = "benchmark.js",
	.summary = "what benchmark.js prints",
	.languages = "javascript typescript node",
	.made_by = "suite.on('cycle', e => console.log(String(e.target)))",
	.sniffed_by = "lines of '<name> x <number> ops/sec'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
