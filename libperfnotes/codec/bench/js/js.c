/* github.com/tinylibs/tinybench, src/types.ts: Statistics. */
#include "codec/bench/js/js.h"

#include <math.h>

int pn_js_add_latency(struct pn_bench *bench, const char *name,
		      const struct pn_document *latency, struct pn_error *err)
{
	static const struct pn_bench_figures names = {
		.min = "min", .max = "max", .mean = "mean", .sd = "sd"};
	struct pn_document samples = {0};
	struct pn_summary figures;
	size_t count = 0;
	int64_t n = 0;
	int code = pn_document_array(&samples, latency, "samples", err);

	if (!code)
		code = pn_bench_add_numbers(&count, bench, name, "ms",
					    PN_BETTER_LESS, &samples, err);
	if (code || count)
		return code;
	code = pn_bench_read_figures(&figures, latency, &names, err);
	/* tinybench calls the median p50, vitest does not */
	if (!code)
		code = pn_document_number(&figures.median, latency, "p50", err);
	if (!code)
		code = pn_document_number(&figures.median, latency, "median",
					  err);
	if (!code)
		code = pn_document_number(&figures.q3, latency, "p75", err);
	if (!code)
		code = pn_document_int(&n, latency, "samplesCount", err);
	if (!code)
		code = pn_document_int(&n, latency, "sampleCount", err);
	if (code || isnan(figures.mean))
		return code;
	figures.n = n > 0 ? (uint64_t)n : 1;
	return pn_bench_add_figures(bench, name, "ms", PN_BETTER_LESS, figures,
				    err);
}
