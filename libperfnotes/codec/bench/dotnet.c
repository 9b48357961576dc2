/*
 * BenchmarkDotNet's JSON (JsonExporter.Full, or Brief with fewer figures): the
 * nanoseconds of each iteration, without outliers where it took these away,
 * and what an operation allocates. A job that is not the default one is part
 * of the name. benchmarkdotnet.org/articles/configs/exporters.html,
 * JsonExporterBase.cs of its source.
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <string.h>

/* "Type.Method: Job-ABC(Runtime=.NET 8.0) [N=10]" has its job between. */
static void add_job(struct pn_buf *out, const char *display)
{
	struct pn_scan rest = pn_scan_of(display, strlen(display)), job;

	if (!pn_scan_until(&job, &rest, ": "))
		return;
	if (!pn_scan_until(&job, &rest, " ["))
		job = rest;
	if (pn_scan_is(&job, "DefaultJob") || !pn_scan_left(&job))
		return;
	pn_buf_add_text(out, " [");
	pn_buf_add(out, job.at, pn_scan_left(&job));
	pn_buf_add_text(out, "]");
}

static int add_times(struct pn_bench *bench, const char *name,
		     const struct pn_document *benchmark, struct pn_error *err)
{
	static const struct pn_bench_figures names = {
		.n = "N",
		.min = "Min",
		.q1 = "Q1",
		.median = "Median",
		.q3 = "Q3",
		.max = "Max",
		.mean = "Mean",
		.sd = "StandardDeviation",
	};
	struct pn_document statistics = {0}, values = {0};
	struct pn_summary figures;
	size_t count = 0;
	int code =
		pn_document_object(&statistics, benchmark, "Statistics", err);

	if (code || !statistics.json) /* null: it failed */
		return code;
	code = pn_document_array(&values, &statistics, "OriginalValues", err);
	if (!code)
		code = pn_bench_add_numbers(&count, bench, name, "ns",
					    PN_BETTER_LESS, &values, err);
	if (code || count)
		return code;
	code = pn_bench_read_figures(&figures, &statistics, &names, err);
	return code ? code
		    : pn_bench_add_figures(bench, name, "ns", PN_BETTER_LESS,
					   figures, err);
}

static int add_memory(struct pn_bench *bench, struct pn_buf *name,
		      const struct pn_document *benchmark, struct pn_error *err)
{
	struct pn_document memory = {0};
	double bytes = NAN;
	int code = pn_document_object(&memory, benchmark, "Memory", err);

	if (!code && memory.json)
		code = pn_document_number(&bytes, &memory,
					  "BytesAllocatedPerOperation", err);
	if (code || isnan(bytes))
		return code;
	pn_buf_add_text(name, " allocated");
	return pn_bench_add(bench, pn_buf_text(name), "bytes", PN_BETTER_LESS,
			    bytes, err);
}

static int read_benchmark(struct pn_bench *bench,
			  const struct pn_document *benchmark,
			  struct pn_error *err)
{
	const char *full = "", *display = "";
	struct pn_buf name = {0};
	int code = pn_document_text(&full, benchmark, "FullName", err);

	if (!code)
		code = pn_document_text(&display, benchmark, "DisplayInfo",
					err);
	if (!code && !*full)
		code = pn_document_fail(benchmark, err, "expected a FullName");
	pn_buf_add_text(&name, full);
	add_job(&name, display);
	if (!code)
		code = add_times(bench, pn_buf_text(&name), benchmark, err);
	if (!code)
		code = add_memory(bench, &name, benchmark, err);
	pn_buf_release(&name);
	return code;
}

static int read_benchmarks(struct pn_bench *bench,
			   const struct pn_document *root, struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	int code = pn_document_array(&list, root, "Benchmarks", err);

	while (!code && pn_document_next(&item, &list))
		code = read_benchmark(bench, &item, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_benchmarks,
				    "Benchmarks with Statistics", err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len,
						 "HostEnvironmentInfo")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_dotnet = {
	.name = "benchmarkdotnet",
	.summary = "results of BenchmarkDotNet, JSON",
	.languages = "c# f# dotnet .net",
	.made_by =
		"dotnet run -c Release -- --exporters JSON (BenchmarkDotNet)",
	.sniffed_by = "\"HostEnvironmentInfo\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
