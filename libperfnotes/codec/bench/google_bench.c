/*
 * Google Benchmark's JSON. Repetitions are the values of one benchmark; a
 * file of aggregates alone gives their mean, median and standard deviation.
 * github.com/google/benchmark, docs/user_guide.md, "Output Files".
 */
#include "codec/bench/bench.h"
#include "codec/bench/document.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <string.h>

#define COUNTERS_MAX 64 /* of one benchmark */

/* Members that are numbers but no counters. */
static const char *const facts[] = {
	"family_index",	    "per_family_instance_index",
	"repetition_index", "threads",
	"iterations",	    "cpu_coefficient",
	"real_coefficient", "rms",
	"repetitions",	    "real_time",
	"cpu_time",
};

/* One of the benchmarks: a run, or an aggregate of runs. */
struct run {
	const char *name, *aggregate, *unit; /* aggregate: "mean", or "" */
	double times[2];		     /* real, cpu; or NaN */
	int64_t repetitions;
	bool failed;
	const struct pn_document *json; /* for the counters */
};

/* Aggregates of one benchmark stand together. */
struct open {
	const char *name, *unit; /* name "": none yet */
	struct pn_summary times[2];
};

static const char *const times[2] = {"real_time", "cpu_time"};

static bool is_fact(const char *key)
{
	size_t i;

	for (i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (!strcmp(key, facts[i]))
			return true;
	return false;
}

static int read_texts(struct run *out, const struct pn_document *json,
		      struct pn_error *err)
{
	const char *type = "", *of = "", *aggregate = "";
	const struct {
		const char *key;
		const char **to;
	} texts[] = {
		{"name", &out->name},	   {"run_name", &of},
		{"run_type", &type},	   {"aggregate_name", &aggregate},
		{"time_unit", &out->unit},
	};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < sizeof(texts) / sizeof(*texts); i++)
		code = pn_document_text(texts[i].to, json, texts[i].key, err);
	if (*of)
		out->name = of;
	if (!strcmp(type, "aggregate"))
		out->aggregate = aggregate;
	return code;
}

static int read_run(struct run *out, const struct pn_document *json,
		    struct pn_error *err)
{
	struct pn_document item = {0};
	size_t i;
	int code;

	*out = (struct run){
		.name = "", .unit = "", .times = {NAN, NAN}, .json = json};
	code = read_texts(out, json, err);
	for (i = 0; !code && i < 2; i++)
		code = pn_document_number(&out->times[i], json, times[i], err);
	if (!code)
		code = pn_document_int(&out->repetitions, json, "repetitions",
				       err);
	if (code)
		return code;
	while (pn_document_next(&item, json))
		if (!strcmp(pn_document_name(&item), "error_occurred") ||
		    !strcmp(pn_document_name(&item), "skipped"))
			out->failed |= pn_document_is_true(&item);
	if (!out->failed && !*out->name)
		return pn_document_fail(json, err, "expected a name");
	if (!*out->unit)
		out->unit = "ns";
	return 0;
}

static int add_counter(struct pn_bench *bench, const char *run,
		       const char *name, double value, struct pn_error *err)
{
	size_t len = strlen(name);
	bool rate = len > 11 && !strcmp(name + len - 11, "_per_second");
	struct pn_buf full = {0};
	int code;

	pn_buf_printf(&full, "%s %s", run, name);
	code = pn_bench_add(bench, pn_buf_text(&full),
			    !rate	   ? "count"
			    : *name == 'b' ? "bytes/s"
					   : "items/s",
			    rate ? PN_BETTER_MORE : PN_BETTER_UNKNOWN, value,
			    err);
	pn_buf_release(&full);
	return code;
}

/* Every other number is a counter, by a name of its own. */
static int add_counters(struct pn_bench *bench, const struct run *run,
			struct pn_error *err)
{
	struct pn_document item = {0};
	size_t count = 0;
	double value;
	int code = 0;

	while (!code && count < COUNTERS_MAX &&
	       pn_document_next(&item, run->json)) {
		const char *name = pn_document_name(&item);

		if (is_fact(name) || !pn_document_is_number(&value, &item))
			continue;
		if (!isfinite(value))
			return pn_document_fail(&item, err,
						"expected a finite number");
		code = add_counter(bench, run->name, name, value, err);
		count++;
	}
	return code;
}

static int add_run(struct pn_bench *bench, const struct run *run,
		   struct pn_error *err)
{
	struct pn_buf full = {0};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < 2; i++) {
		pn_buf_clear(&full);
		pn_buf_printf(&full, "%s %s", run->name, times[i]);
		if (!isnan(run->times[i]))
			code = pn_bench_add(bench, pn_buf_text(&full),
					    run->unit, PN_BETTER_LESS,
					    run->times[i], err);
	}
	pn_buf_release(&full);
	return code ? code : add_counters(bench, run, err);
}

/* What is known of a benchmark from its aggregates so far. */
static int close_aggregates(struct pn_bench *bench, struct open *open,
			    struct pn_error *err)
{
	struct pn_buf full = {0};
	size_t i;
	int code = 0;

	for (i = 0; !code && *open->name && i < 2; i++) {
		pn_buf_clear(&full);
		pn_buf_printf(&full, "%s %s", open->name, times[i]);
		if (!isnan(open->times[i].median) ||
		    !isnan(open->times[i].mean))
			code = pn_bench_add_summary(bench, pn_buf_text(&full),
						    open->unit, PN_BETTER_LESS,
						    &open->times[i], err);
	}
	pn_buf_release(&full);
	open->name = "";
	return code;
}

static const struct pn_summary unknown = {1, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static int add_aggregate(struct pn_bench *bench, struct open *open,
			 const struct run *run, struct pn_error *err)
{
	size_t i;

	if (strcmp(open->name, run->name) != 0) {
		if (close_aggregates(bench, open, err))
			return err->code;
		open->name = run->name;
		open->unit = run->unit;
		for (i = 0; i < 2; i++) {
			open->times[i] = unknown;
			if (run->repetitions > 0)
				open->times[i].n = (uint64_t)run->repetitions;
		}
	}
	for (i = 0; i < 2; i++) {
		if (!strcmp(run->aggregate, "mean"))
			open->times[i].mean = run->times[i];
		else if (!strcmp(run->aggregate, "median"))
			open->times[i].median = run->times[i];
		else if (!strcmp(run->aggregate, "stddev"))
			open->times[i].sd = run->times[i];
	}
	return 0;
}

static int read_list(struct pn_bench *bench, const struct pn_document *list,
		     bool aggregates, struct pn_error *err)
{
	struct pn_document item = {0};
	struct open open = {.name = ""};
	struct run run;
	int code = 0;

	while (!code && pn_document_next(&item, list)) {
		code = read_run(&run, &item, err);
		if (code || run.failed || (run.aggregate != NULL) != aggregates)
			continue;
		code = aggregates ? add_aggregate(bench, &open, &run, err)
				  : add_run(bench, &run, err);
	}
	return code ? code : close_aggregates(bench, &open, err);
}

/* Aggregates, when there are no single runs. */
static int read_runs(struct pn_bench *bench, const struct pn_document *root,
		     struct pn_error *err)
{
	struct pn_document list = {0};
	int code = pn_document_array(&list, root, "benchmarks", err);

	if (!code)
		code = read_list(bench, &list, false, err);
	if (!code && !bench->count)
		code = read_list(bench, &list, true, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_runs, "a benchmark that ran",
				    err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	if (!pn_json_sniff_object(bytes, len) ||
	    !pn_json_sniff_key(bytes, len, "context"))
		return PN_SNIFF_NO;
	if (pn_json_sniff_key(bytes, len, "benchmarks") &&
	    pn_json_sniff_key(bytes, len, "iterations"))
		return PN_SNIFF_SURE;
	return pn_json_sniff_key(bytes, len, "mhz_per_cpu") ||
			       pn_json_sniff_key(bytes, len,
						 "library_build_type")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_google_bench = {
	.name = "google-benchmark",
	.summary = "results of Google Benchmark, JSON",
	.languages = "c c++",
	.made_by = "--benchmark_out=<file> --benchmark_out_format=json",
	.sniffed_by = "\"context\" and \"benchmarks\" with \"iterations\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
