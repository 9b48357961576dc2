/*
 * mitata's JSON: each benchmark with a run for each of its arguments, in
 * nanoseconds, and what a call puts on the heap.
 * npm, mitata 1: src/main.d.mts.
 */
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <string.h>

static const struct pn_bench_figures names = {
	.min = "min",
	.q1 = "p25",
	.median = "p50",
	.q3 = "p75",
	.max = "max",
	.mean = "avg",
};

static int add_times(struct pn_bench *bench, const char *name,
		     const struct pn_document *stats, struct pn_error *err)
{
	struct pn_document samples = {0};
	struct pn_summary figures;
	size_t count = 0;
	int code = pn_document_array(&samples, stats, "samples", err);

	if (!code)
		code = pn_bench_add_numbers(&count, bench, name, "ns",
					    PN_BETTER_LESS, &samples, err);
	if (code || count)
		return code;
	code = pn_bench_read_figures(&figures, stats, &names, err);
	return code ? code
		    : pn_bench_add_figures(bench, name, "ns", PN_BETTER_LESS,
					   figures, err);
}

static int add_heap(struct pn_bench *bench, const char *name,
		    const struct pn_document *stats, struct pn_error *err)
{
	static const struct pn_bench_figures own = {
		.min = "min", .max = "max", .mean = "avg"};
	struct pn_document heap = {0};
	struct pn_summary figures;
	struct pn_buf full = {0};
	int code = pn_document_object(&heap, stats, "heap", err);

	if (code || !heap.json)
		return code;
	code = pn_bench_read_figures(&figures, &heap, &own, err);
	if (code || isnan(figures.mean))
		return code;
	pn_buf_printf(&full, "%s heap", name);
	code = pn_bench_add_figures(bench, pn_buf_text(&full), "bytes",
				    PN_BETTER_LESS, figures, err);
	pn_buf_release(&full);
	return code;
}

/* Where the name does not show them: " (n=64)". */
static int add_arguments(struct pn_buf *out, const struct pn_document *run,
			 struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	char number[PN_NUMBER_TEXT];
	size_t begin = out->len;
	int code = pn_document_object(&list, run, "args", err);

	while (!code && pn_document_next(&item, &list)) {
		const char *text = pn_document_string(&item);
		double value;

		if (!text && pn_document_is_number(&value, &item)) {
			pn_number_write(number, value, false);
			text = number;
		}
		pn_buf_printf(out, "%s%s=%s", out->len > begin ? " " : " (",
			      pn_document_name(&item), text ? text : "...");
	}
	if (out->len > begin)
		pn_buf_add_text(out, ")");
	return code;
}

/* A run that failed has an error and no figures. */
static int read_run(struct pn_bench *bench, bool shown,
		    const struct pn_document *run, struct pn_error *err)
{
	struct pn_document stats = {0};
	struct pn_buf full = {0};
	const char *name = "";
	int code = pn_document_text(&name, run, "name", err);

	if (!code)
		code = pn_document_object(&stats, run, "stats", err);
	if (code || !stats.json)
		return code;
	pn_buf_add_text(&full, name);
	if (!shown)
		code = add_arguments(&full, run, err);
	if (!code && !full.len)
		code = pn_document_fail(run, err, "expected a name");
	if (!code)
		code = add_times(bench, pn_buf_text(&full), &stats, err);
	if (!code)
		code = add_heap(bench, pn_buf_text(&full), &stats, err);
	pn_buf_release(&full);
	return code;
}

static int read_benchmarks(struct pn_bench *bench,
			   const struct pn_document *root, struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	int code = pn_document_array(&list, root, "benchmarks", err);

	while (!code && pn_document_next(&item, &list)) {
		struct pn_document runs = {0}, run = {0};
		const char *alias = "";

		code = pn_document_text(&alias, &item, "alias", err);
		if (!code)
			code = pn_document_array(&runs, &item, "runs", err);
		while (!code && pn_document_next(&run, &runs))
			code = read_run(bench, strchr(alias, '$') != NULL, &run,
					err);
	}
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_benchmarks,
				    "benchmarks with runs that have stats",
				    err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "benchmarks") &&
			       pn_json_sniff_key(bytes, len, "runs") &&
			       pn_json_sniff_key(bytes, len, "stats")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_mitata = {
	.name = "mitata",
	.summary = "results of mitata, JSON",
	.languages = "javascript typescript node bun deno",
	.made_by = "run({format: 'json'}) of mitata",
	.sniffed_by = "\"benchmarks\" with \"runs\" and \"stats\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
