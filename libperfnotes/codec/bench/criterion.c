/*
 * criterion.rs below target/criterion/<benchmark>/new: sample.json has the
 * iterations and nanoseconds of each sample, estimates.json what they come
 * down to. Neither says the benchmark's name.
 * bheisler.github.io/criterion.rs, github.com/bheisler/criterion.rs.
 */
#include "codec/bench/bench.h"
#include "codec/bench/document.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <stdlib.h>

static int add_samples(struct pn_bench *bench, const double *iterations,
		       size_t iteration_count, const double *times,
		       size_t count, struct pn_error *err)
{
	size_t i;
	int code = 0;

	if (count != iteration_count)
		return pn_error_set(err, PN_EINVAL, "%zu times and %zu iters",
				    count, iteration_count);
	for (i = 0; !code && i < count; i++) {
		if (!(iterations[i] > 0))
			return pn_error_set(err, PN_EINVAL,
					    "iters[%zu]: expected more than 0",
					    i);
		code = pn_bench_add(bench, "time", "ns", PN_BETTER_LESS,
				    times[i] / iterations[i], err);
	}
	return code;
}

static int read_samples(struct pn_bench *bench, const struct pn_document *root,
			struct pn_error *err)
{
	double *iterations = NULL, *times = NULL;
	size_t iteration_count = 0, count = 0;
	int code = pn_document_numbers(&iterations, &iteration_count, root,
				       "iters", err);

	if (!code)
		code = pn_document_numbers(&times, &count, root, "times", err);
	if (!code)
		code = add_samples(bench, iterations, iteration_count, times,
				   count, err);
	free(iterations);
	free(times);
	return code;
}

static int read_estimate(double *out, const struct pn_document *root,
			 const char *name, struct pn_error *err)
{
	struct pn_document estimate = {0};
	int code = pn_document_object(&estimate, root, name, err);

	if (code || !estimate.json)
		return code;
	return pn_document_number(out, &estimate, "point_estimate", err);
}

static int read_estimates(struct pn_bench *bench,
			  const struct pn_document *root, struct pn_error *err)
{
	struct pn_summary figures = {1, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	int code = read_estimate(&figures.mean, root, "mean", err);

	if (!code)
		code = read_estimate(&figures.median, root, "median", err);
	if (!code)
		code = read_estimate(&figures.sd, root, "std_dev", err);
	if (!code && !bench->count && !isnan(figures.mean))
		code = pn_bench_add_summary(bench, "time", "ns", PN_BETTER_LESS,
					    &figures, err);
	return code;
}

static int read_both(struct pn_bench *bench, const struct pn_document *root,
		     struct pn_error *err)
{
	int code = read_samples(bench, root, err);

	return code ? code : read_estimates(bench, root, err);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_both,
				    "iters and times (sample.json), or "
				    "estimates (estimates.json)",
				    err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	if (!pn_json_sniff_object(bytes, len))
		return PN_SNIFF_NO;
	/* benchmark.json beside them is told so */
	if (pn_json_sniff_key(bytes, len, "sampling_mode") ||
	    (pn_json_sniff_key(bytes, len, "full_id") &&
	     pn_json_sniff_key(bytes, len, "directory_name")) ||
	    (pn_json_sniff_key(bytes, len, "confidence_interval") &&
	     pn_json_sniff_key(bytes, len, "point_estimate")))
		return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_criterion = {
	.name = "criterion",
	.summary = "criterion.rs: sample.json or estimates.json",
	.languages = "rust",
	.made_by = "cargo bench; target/criterion/<name>/new/sample.json",
	.sniffed_by = "\"sampling_mode\", or \"point_estimate\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
