/*
 * pytest-benchmark's JSON (--benchmark-json): each benchmark with the seconds
 * of every round, or with their figures alone where the rounds were left out.
 * pytest-benchmark.readthedocs.io.
 */
#include "codec/bench/bench.h"
#include "codec/bench/document.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>

static int read_stats(struct pn_bench *bench, const char *name,
		      const struct pn_document *stats, struct pn_error *err)
{
	struct pn_bench_figures names = pn_bench_usual;
	struct pn_document rounds = {0};
	struct pn_summary figures;
	size_t count = 0;
	int code = pn_document_array(&rounds, stats, "data", err);

	if (!code)
		code = pn_bench_add_numbers(&count, bench, name, "seconds",
					    PN_BETTER_LESS, &rounds, err);
	if (code || count)
		return code;
	names.n = "rounds";
	code = pn_bench_read_figures(&figures, stats, &names, err);
	if (!code && isnan(figures.mean))
		code = pn_document_fail(stats, err, "expected data or a mean");
	return code ? code
		    : pn_bench_add_figures(bench, name, "seconds",
					   PN_BETTER_LESS, figures, err);
}

static int read_benchmark(struct pn_bench *bench,
			  const struct pn_document *benchmark,
			  struct pn_error *err)
{
	struct pn_document stats = {0};
	const char *name = "", *full = "";
	int code = pn_document_text(&name, benchmark, "name", err);

	if (!code)
		code = pn_document_text(&full, benchmark, "fullname", err);
	if (!code)
		code = pn_document_object(&stats, benchmark, "stats", err);
	if (code)
		return code;
	if (*full)
		name = full;
	if (!*name)
		return pn_document_fail(benchmark, err, "expected a name");
	if (!stats.json)
		return pn_document_fail(benchmark, err, "expected stats");
	return read_stats(bench, name, &stats, err);
}

static int read_all(struct pn_bench *bench, const struct pn_document *root,
		    struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	int code = pn_document_array(&list, root, "benchmarks", err);

	while (!code && pn_document_next(&item, &list))
		code = read_benchmark(bench, &item, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_all, "benchmarks", err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "machine_info")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_pytest_bench = {
	.name = "pytest-benchmark",
	.summary = "results of pytest-benchmark, JSON",
	.languages = "python",
	.made_by = "pytest --benchmark-json=<file>",
	.sniffed_by = "\"machine_info\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
