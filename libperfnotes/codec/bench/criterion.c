/*
 * criterion.rs below target/criterion/<benchmark>/new: sample.json has the
 * iterations and nanoseconds of each sample, estimates.json what they come
 * down to. Neither says the benchmark's name.
 * bheisler.github.io/criterion.rs, github.com/bheisler/criterion.rs.
 */
#include "base/alloc.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json_sniff.h"
#include "codec/json_walk.h"

#include <math.h>
#include <stdlib.h>

struct list {
	double *values;
	size_t count, cap;
};

struct decoder {
	struct list iterations, times;
	struct pn_summary figures;
	double *point; /* the estimate that is read goes there */
};

static int append(struct list *list, struct pn_json *json,
		  enum pn_json_event first, struct pn_error *err)
{
	list->values = pn_grow(list->values, &list->cap, list->count + 1,
			       sizeof(*list->values));
	return pn_json_take_double(&list->values[list->count++], json, first,
				   err);
}

static int take_iteration(void *to, struct pn_json *json,
			  enum pn_json_event first, struct pn_error *err)
{
	return append(&((struct decoder *)to)->iterations, json, first, err);
}

static int take_iterations(void *to, struct pn_json *json,
			   enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_iteration, err);
}

static int take_time(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	return append(&((struct decoder *)to)->times, json, first, err);
}

static int take_times(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_time, err);
}

static int take_point(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	return pn_json_take_double(((struct decoder *)to)->point, json, first,
				   err);
}

#define ESTIMATE(name, member)                                                 \
	static int take_##name(void *to, struct pn_json *json,                 \
			       enum pn_json_event first, struct pn_error *err) \
	{                                                                      \
		static const struct pn_json_field fields[] = {                 \
			{"point_estimate", take_point},                        \
			{0},                                                   \
		};                                                             \
		struct decoder *d = to;                                        \
                                                                               \
		d->point = &d->figures.member;                                 \
		return pn_json_walk_object(d, json, first, fields, err);       \
	}
ESTIMATE(mean, mean)
ESTIMATE(median, median)
ESTIMATE(sd, sd)

static int add_samples(struct pn_bench *bench, const struct decoder *d,
		       struct pn_error *err)
{
	size_t i;
	int code = 0;

	if (d->times.count != d->iterations.count)
		return pn_error_set(err, PN_EINVAL, "%zu times and %zu iters",
				    d->times.count, d->iterations.count);
	for (i = 0; !code && i < d->times.count; i++) {
		if (!(d->iterations.values[i] > 0))
			return pn_error_set(err, PN_EINVAL,
					    "iters[%zu]: expected more than 0",
					    i);
		code = pn_bench_add(
			bench, "time", "ns", PN_BETTER_LESS,
			d->times.values[i] / d->iterations.values[i], err);
	}
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"iters", take_iterations}, {"times", take_times},
		{"mean", take_mean},	    {"median", take_median},
		{"std_dev", take_sd},	    {0},
	};
	struct decoder d = {.figures = {1, NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
	struct pn_bench bench = {0};
	int code = pn_json_walk_document(&d, in, fields, err);

	if (!code)
		code = add_samples(&bench, &d, err);
	if (!code && !d.times.count && !isnan(d.figures.mean))
		code = pn_bench_add_summary(&bench, "time", "ns",
					    PN_BETTER_LESS, &d.figures, err);
	if (!code)
		code = pn_bench_finish(out, &bench,
				       "iters and times (sample.json), or "
				       "estimates (estimates.json)",
				       err);
	out->complete = false; /* intervals of the estimates */
	pn_bench_release(&bench);
	free(d.iterations.values);
	free(d.times.values);
	return code;
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
	.sniffed_by = "\"sampling_mode\", or \"point_estimate\"",
	.suffix = ".json",
	.sniff = sniff,
	.read = read_profile,
};
