/*
 * Bencher Metric Format: {"benchmark": {"measure": {"value": 1}}}. Units and
 * what is better are those of Bencher's own measures; of others it is known
 * to Bencher's server only. bencher.dev/docs/reference/bencher-metric-format.
 */
#include "base/json/json.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <string.h>

static const struct measure {
	const char *name, *unit;
	enum pn_better better;
} measures[] = {
	{"latency", "ns", PN_BETTER_LESS},
	{"throughput", "ops/s", PN_BETTER_MORE},
	{"build-time", "seconds", PN_BETTER_LESS},
	{"file-size", "bytes", PN_BETTER_LESS},
	{"instructions", "count", PN_BETTER_LESS},
	{"estimated-cycles", "count", PN_BETTER_LESS},
};

static struct measure find_measure(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(measures) / sizeof(*measures); i++)
		if (!strcmp(measures[i].name, name))
			return measures[i];
	return (struct measure){name, "", PN_BETTER_UNKNOWN};
}

static int read_measures(struct pn_bench *bench,
			 const struct pn_document *benchmark,
			 struct pn_error *err)
{
	struct pn_document item = {0};
	int code = 0;

	while (!code && pn_document_next(&item, benchmark)) {
		const char *name = pn_document_name(&item);
		struct measure m;
		struct pn_buf full = {0};
		double value = NAN;

		if (!name)
			return pn_document_fail(benchmark, err,
						"expected an object of "
						"measures");
		m = find_measure(name);
		code = pn_document_number(&value, &item, "value", err);
		if (!code && isnan(value))
			code = pn_document_fail(&item, err, "expected a value");
		pn_buf_printf(&full, "%s %s", pn_document_name(benchmark),
			      name);
		if (!code)
			code = pn_bench_add(bench, pn_buf_text(&full), m.unit,
					    m.better, value, err);
		pn_buf_release(&full);
	}
	return code;
}

static int read_benchmarks(struct pn_bench *bench,
			   const struct pn_document *root, struct pn_error *err)
{
	struct pn_document item = {0};
	int code = 0;

	while (!code && pn_document_next(&item, root))
		code = read_measures(bench, &item, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_benchmarks,
				    "benchmarks with measures that have a "
				    "value",
				    err);
}

/* {"": {"": {"value": 1 */
static bool has_shape(struct pn_json *json)
{
	static const enum pn_json_event shape[] = {
		PN_JSON_OBJECT, PN_JSON_KEY,	PN_JSON_OBJECT,
		PN_JSON_KEY,	PN_JSON_OBJECT, PN_JSON_KEY,
	};
	enum pn_json_event event = PN_JSON_END;
	size_t i;

	for (i = 0; i < sizeof(shape) / sizeof(*shape); i++)
		if (pn_json_next(&event, json, NULL) || event != shape[i])
			return false;
	if (strcmp(pn_json_text(json), "value") &&
	    strcmp(pn_json_text(json), "lower_value") &&
	    strcmp(pn_json_text(json), "upper_value"))
		return false;
	return !pn_json_next(&event, json, NULL) && event == PN_JSON_NUMBER;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_reader *in = NULL;
	struct pn_json *json;
	bool fits;

	if (!pn_json_sniff_object(bytes, len) ||
	    !pn_json_sniff_key(bytes, len, "value") ||
	    pn_reader_memory(&in, bytes, len, "", len, NULL))
		return PN_SNIFF_NO;
	json = pn_json_new(in);
	fits = has_shape(json);
	pn_json_free(json);
	pn_reader_free(in);
	return fits ? PN_SNIFF_LIKELY : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_bmf = {
	.name = "bmf",
	.summary = "Bencher Metric Format, JSON",
	.languages = "any",
	.made_by = "bencher's adapters; bencher mock",
	.sniffed_by = "{\"...\": {\"...\": {\"value\": <number>",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
