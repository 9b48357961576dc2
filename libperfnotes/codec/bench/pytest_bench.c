/*
 * pytest-benchmark's JSON (--benchmark-json): each benchmark with the seconds
 * of every round, or with their figures alone where the rounds were left out.
 * pytest-benchmark.readthedocs.io.
 */
#include "codec/bench/bench.h"
#include "codec/bench/document.h"
#include "codec/codec.h"
#include "codec/json_sniff.h"

#include <math.h>
#include <stdlib.h>

static int add_figures(struct pn_bench *bench, const char *name,
		       const struct pn_document *stats, struct pn_error *err)
{
	struct pn_summary figures;
	int64_t rounds = 0;
	int code = pn_bench_read_figures(&figures, stats, err);

	if (!code)
		code = pn_document_int(&rounds, stats, "rounds", err);
	if (!code && isnan(figures.mean))
		code = pn_document_fail(stats, err, "expected data or a mean");
	if (code)
		return code;
	figures.n = rounds > 0 ? (uint64_t)rounds : 1;
	return pn_bench_add_summary(bench, name, "seconds", PN_BETTER_LESS,
				    &figures, err);
}

static int read_stats(struct pn_bench *bench, const char *name,
		      const struct pn_document *stats, struct pn_error *err)
{
	double *rounds = NULL;
	size_t count = 0, i;
	int code = pn_document_numbers(&rounds, &count, stats, "data", err);

	for (i = 0; !code && i < count; i++)
		code = pn_bench_add(bench, name, "seconds", PN_BETTER_LESS,
				    rounds[i], err);
	free(rounds);
	return code || count ? code : add_figures(bench, name, stats, err);
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

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct pn_document root = {0}, list = {0}, item = {0};
	struct pn_bench bench = {0};
	int code = pn_document_read(&root, in, err);

	if (!code)
		code = pn_document_array(&list, &root, "benchmarks", err);
	while (!code && pn_document_next(&item, &list))
		code = read_benchmark(&bench, &item, err);
	if (!code)
		code = pn_bench_finish(out, &bench, "benchmarks", err);
	out->complete = false; /* machine, options */
	pn_bench_release(&bench);
	pn_document_release(&root);
	return code;
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
	.sniffed_by = "\"machine_info\"",
	.suffix = ".json",
	.sniff = sniff,
	.read = read_profile,
};
