/*
 * pyperf's JSON (-o): the values of each run of each benchmark; runs that only
 * calibrate have none. What all benchmarks share stands at the top.
 * pyperf.readthedocs.io, "pyperf JSON file format".
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <string.h>

struct facts {
	const char *name, *unit;
};

static int read_facts(struct facts *to, const struct pn_document *object,
		      struct pn_error *err)
{
	struct pn_document metadata = {0};
	int code = pn_document_object(&metadata, object, "metadata", err);

	if (code || !metadata.json)
		return code;
	code = pn_document_text(&to->name, &metadata, "name", err);
	return code ? code
		    : pn_document_text(&to->unit, &metadata, "unit", err);
}

static const char *unit_of(const char *unit)
{
	if (!strcmp(unit, "second"))
		return "seconds";
	return !strcmp(unit, "byte")	  ? "bytes"
	       : !strcmp(unit, "integer") ? "count"
					  : unit;
}

static int read_benchmark(struct pn_bench *bench,
			  const struct pn_document *benchmark,
			  struct facts facts, struct pn_error *err)
{
	struct pn_document runs = {0}, run = {0};
	const char *unit;
	size_t count = 0;
	int code = read_facts(&facts, benchmark, err);

	if (!code)
		code = pn_document_array(&runs, benchmark, "runs", err);
	if (!code && !*facts.name)
		code = pn_document_fail(benchmark, err,
					"expected a name in its metadata");
	unit = unit_of(facts.unit);
	while (!code && pn_document_next(&run, &runs)) {
		struct pn_document values = {0};

		code = pn_document_array(&values, &run, "values", err);
		if (!code)
			code = pn_bench_add_numbers(&count, bench, facts.name,
						    unit, PN_BETTER_LESS,
						    &values, err);
	}
	return code;
}

static int read_all(struct pn_bench *bench, const struct pn_document *root,
		    struct pn_error *err)
{
	struct facts facts = {"", "second"};
	struct pn_document list = {0}, item = {0};
	int code = read_facts(&facts, root, err);

	if (!code)
		code = pn_document_array(&list, root, "benchmarks", err);
	while (!code && pn_document_next(&item, &list))
		code = read_benchmark(bench, &item, facts, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_all,
				    "benchmarks with runs that have values",
				    err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       (pn_json_sniff_key(bytes, len, "perf_version") ||
				(pn_json_sniff_key(bytes, len, "benchmarks") &&
				 pn_json_sniff_key(bytes, len, "runs") &&
				 (pn_json_sniff_key(bytes, len, "warmups") ||
				  pn_json_sniff_key(bytes, len, "values"))))
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_pyperf = {
	.name = "pyperf",
	.summary = "results of pyperf, JSON",
	.languages = "python",
	.made_by = "python3 -m pyperf timeit -o <file>, pyperformance run -o "
		   "<file>",
	.sniffed_by =
		"\"benchmarks\", \"runs\", \"values\", or \"perf_version\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
