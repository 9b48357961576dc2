/*
 * Google Benchmark's JSON. Repetitions are the values of one benchmark; a
 * file of aggregates alone gives their mean, median and standard deviation.
 * github.com/google/benchmark, docs/user_guide.md, "Output Files".
 */
#include "base/alloc.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json_sniff.h"
#include "codec/json_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNTERS_MAX 64 /* of one benchmark */

struct decoder {
	struct pn_profile *p;
	struct pn_bench bench;
	bool only_aggregates;
	/* the benchmark that is read */
	uint32_t name, run_name, run_type, aggregate, unit, aggregate_unit;
	double real_time, cpu_time;
	int64_t repetitions;
	bool failed;
	struct {
		uint32_t name;
		double value;
	} counters[COUNTERS_MAX];
	size_t counter_count;
	/* aggregates of one benchmark stand together */
	struct pn_buf open_name;
	const char *open_unit;
	struct pn_summary open[2]; /* real, cpu */
};

/* Members that are numbers but no counters. */
static const char *const facts[] = {
	"family_index",	    "per_family_instance_index",
	"repetition_index", "threads",
	"iterations",	    "cpu_coefficient",
	"real_coefficient", "rms",
};

static bool is_fact(const char *key)
{
	size_t i;

	for (i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (!strcmp(key, facts[i]))
			return true;
	return false;
}

static int take_number(struct decoder *d, const char *key, struct pn_json *json,
		       enum pn_json_event first, struct pn_error *err)
{
	double value;
	int code;

	if (!strcmp(key, "repetitions"))
		return pn_json_take_int(&d->repetitions, json, first, err);
	if (is_fact(key))
		return 0;
	code = pn_json_take_double(&value, json, first, err);
	if (code)
		return code;
	if (!strcmp(key, "real_time")) {
		d->real_time = value;
	} else if (!strcmp(key, "cpu_time")) {
		d->cpu_time = value;
	} else if (d->counter_count < COUNTERS_MAX) {
		d->counters[d->counter_count].name =
			pn_strtab_add_text(&d->p->strings, key);
		d->counters[d->counter_count++].value = value;
	}
	return 0;
}

/* A member of a benchmark: the counters have names of their own. */
static int take_member(struct decoder *d, struct pn_json *json,
		       struct pn_error *err)
{
	const struct {
		const char *key;
		uint32_t *to;
	} texts[] = {
		{"name", &d->name},
		{"run_name", &d->run_name},
		{"run_type", &d->run_type},
		{"aggregate_name", &d->aggregate},
		{"aggregate_unit", &d->aggregate_unit},
		{"time_unit", &d->unit},
	};
	char *key = pn_strdup(pn_json_text(json));
	enum pn_json_event first;
	size_t i;
	int code = pn_json_next(&first, json, err);

	for (i = 0; !code && i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(key, texts[i].key))
			break;
	if (!code && i < sizeof(texts) / sizeof(*texts))
		code = pn_json_take_string(texts[i].to, &d->p->strings, json,
					   first, err);
	else if (!code && first == PN_JSON_NUMBER)
		code = take_number(d, key, json, first, err);
	else if (!code)
		code = pn_json_skip(json, first, err);
	if (!strcmp(key, "error_occurred") || !strcmp(key, "skipped"))
		d->failed |= first == PN_JSON_TRUE;
	free(key);
	return code;
}

static int add_run(struct decoder *d, const char *name, struct pn_error *err)
{
	const char *unit = pn_profile_text(d->p, d->unit);
	struct pn_buf full = {0};
	size_t i;
	int code = 0;

	if (!*unit)
		unit = "ns";
	pn_buf_printf(&full, "%s real_time", name);
	if (!isnan(d->real_time))
		code = pn_bench_add(&d->bench, pn_buf_text(&full), unit,
				    PN_BETTER_LESS, d->real_time, err);
	pn_buf_clear(&full);
	pn_buf_printf(&full, "%s cpu_time", name);
	if (!code && !isnan(d->cpu_time))
		code = pn_bench_add(&d->bench, pn_buf_text(&full), unit,
				    PN_BETTER_LESS, d->cpu_time, err);
	for (i = 0; !code && i < d->counter_count; i++) {
		const char *key = pn_profile_text(d->p, d->counters[i].name);
		size_t len = strlen(key);
		bool rate = len > 11 && !strcmp(key + len - 11, "_per_second");

		pn_buf_clear(&full);
		pn_buf_printf(&full, "%s %s", name, key);
		code = pn_bench_add(&d->bench, pn_buf_text(&full),
				    !rate	  ? "count"
				    : *key == 'b' ? "bytes/s"
						  : "items/s",
				    rate ? PN_BETTER_MORE : PN_BETTER_UNKNOWN,
				    d->counters[i].value, err);
	}
	pn_buf_release(&full);
	return code;
}

/* What is known of a benchmark from its aggregates so far. */
static int close_aggregates(struct decoder *d, struct pn_error *err)
{
	static const char *const times[] = {"real_time", "cpu_time"};
	struct pn_buf full = {0};
	size_t i;
	int code = 0;

	for (i = 0; !code && d->open_name.len && i < 2; i++) {
		pn_buf_clear(&full);
		pn_buf_printf(&full, "%s %s", pn_buf_text(&d->open_name),
			      times[i]);
		if (!isnan(d->open[i].median) || !isnan(d->open[i].mean))
			code = pn_bench_add_summary(
				&d->bench, pn_buf_text(&full), d->open_unit,
				PN_BETTER_LESS, &d->open[i], err);
	}
	pn_buf_release(&full);
	pn_buf_clear(&d->open_name);
	return code;
}

static int add_aggregate(struct decoder *d, const char *name,
			 struct pn_error *err)
{
	const char *what = pn_profile_text(d->p, d->aggregate);
	const double values[2] = {d->real_time, d->cpu_time};
	size_t i;

	if (strcmp(pn_buf_text(&d->open_name), name) != 0) {
		if (close_aggregates(d, err))
			return err->code;
		pn_buf_add_text(&d->open_name, name);
		d->open_unit = pn_profile_text(d->p, d->unit);
		for (i = 0; i < 2; i++)
			d->open[i] = (struct pn_summary){
				(uint64_t)(d->repetitions > 0 ? d->repetitions
							      : 1),
				NAN,
				NAN,
				NAN,
				NAN,
				NAN,
				NAN,
				NAN};
	}
	for (i = 0; i < 2; i++) {
		if (!strcmp(what, "mean"))
			d->open[i].mean = values[i];
		else if (!strcmp(what, "median"))
			d->open[i].median = values[i];
		else if (!strcmp(what, "stddev"))
			d->open[i].sd = values[i];
	}
	return 0;
}

static int take_benchmark(void *to, struct pn_json *json,
			  enum pn_json_event first, struct pn_error *err)
{
	struct decoder *d = to;
	enum pn_json_event event;
	const char *name;
	bool aggregate;
	int code;

	if (first != PN_JSON_OBJECT)
		return pn_json_fail(json, err, "expected an object");
	d->name = d->run_name = d->run_type = d->aggregate = d->unit = 0;
	d->aggregate_unit = 0;
	d->real_time = d->cpu_time = NAN;
	d->failed = false;
	d->repetitions = 0;
	d->counter_count = 0;
	while (!(code = pn_json_next(&event, json, err)) &&
	       event == PN_JSON_KEY)
		if ((code = take_member(d, json, err)))
			return code;
	if (code || d->failed)
		return code;
	name = pn_profile_text(d->p, d->run_name ? d->run_name : d->name);
	if (!*name)
		return pn_json_fail(json, err, "expected a name");
	aggregate = !strcmp(pn_profile_text(d->p, d->run_type), "aggregate");
	if (aggregate != d->only_aggregates)
		return 0;
	return aggregate ? add_aggregate(d, name, err) : add_run(d, name, err);
}

static int take_benchmarks(void *to, struct pn_json *json,
			   enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_benchmark, err);
}

static int walk(struct decoder *d, const struct pn_buf *text,
		struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"benchmarks", take_benchmarks},
		{0},
	};
	struct pn_reader *in = NULL;
	int code = pn_reader_memory(&in, text->data, text->len, "", 0, err);

	if (!code)
		code = pn_json_walk_document(d, in, fields, err);
	if (!code)
		code = close_aggregates(d, err);
	pn_reader_free(in);
	return code;
}

#define FILE_MAX (UINT64_C(64) << 20)

/* Twice, when the first look finds no single runs. */
static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out};
	struct pn_buf text = {0};
	int code = pn_reader_rest(&text, in, FILE_MAX, err);

	if (!code)
		code = walk(&d, &text, err);
	if (!code && !d.bench.count) {
		d.only_aggregates = true;
		code = walk(&d, &text, err);
	}
	if (!code)
		code = pn_bench_finish(out, &d.bench, "a benchmark that ran",
				       err);
	out->complete = false; /* iterations, the machine */
	pn_bench_release(&d.bench);
	pn_buf_release(&d.open_name);
	pn_buf_release(&text);
	return code;
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
	.sniffed_by = "\"context\" and \"benchmarks\" with \"iterations\"",
	.suffix = ".json",
	.sniff = sniff,
	.read = read_profile,
};
