/*
 * pytest-benchmark's JSON (--benchmark-json): each benchmark with the seconds
 * of every round, or with their figures alone where the rounds were left out.
 * pytest-benchmark.readthedocs.io.
 */
#include "base/alloc.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json_sniff.h"
#include "codec/json_walk.h"

#include <math.h>
#include <stdlib.h>

struct decoder {
	struct pn_profile *p;
	struct pn_bench bench;
	uint32_t name, fullname;
	double *rounds;
	size_t round_count, round_cap;
	int64_t n;
	struct pn_summary figures;
};

#define FIGURE(name, member)                                                   \
	static int take_##name(void *to, struct pn_json *json,                 \
			       enum pn_json_event first, struct pn_error *err) \
	{                                                                      \
		return pn_json_take_double(&((struct decoder *)to)->member,    \
					   json, first, err);                  \
	}
FIGURE(min, figures.min)
FIGURE(q1, figures.q1)
FIGURE(median, figures.median)
FIGURE(q3, figures.q3)
FIGURE(max, figures.max)
FIGURE(mean, figures.mean)
FIGURE(sd, figures.sd)

static int take_n(void *to, struct pn_json *json, enum pn_json_event first,
		  struct pn_error *err)
{
	return pn_json_take_int(&((struct decoder *)to)->n, json, first, err);
}

static int take_round(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	struct decoder *d = to;

	d->rounds = pn_grow(d->rounds, &d->round_cap, d->round_count + 1,
			    sizeof(*d->rounds));
	return pn_json_take_double(&d->rounds[d->round_count++], json, first,
				   err);
}

static int take_rounds(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	if (first == PN_JSON_NULL)
		return 0;
	return pn_json_walk_array(to, json, first, take_round, err);
}

static int take_stats(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"min", take_min},	 {"q1", take_q1},
		{"median", take_median}, {"q3", take_q3},
		{"max", take_max},	 {"mean", take_mean},
		{"stddev", take_sd},	 {"rounds", take_n},
		{"data", take_rounds},	 {0},
	};

	return pn_json_walk_object(to, json, first, fields, err);
}

static int take_name(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct decoder *d = to;

	return pn_json_take_string(&d->name, &d->p->strings, json, first, err);
}

static int take_fullname(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	struct decoder *d = to;

	return pn_json_take_string(&d->fullname, &d->p->strings, json, first,
				   err);
}

static int add_rounds(struct decoder *d, const char *name, struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < d->round_count; i++)
		code = pn_bench_add(&d->bench, name, "seconds", PN_BETTER_LESS,
				    d->rounds[i], err);
	if (code || d->round_count)
		return code;
	d->figures.n = d->n > 0 ? (uint64_t)d->n : 1;
	return pn_bench_add_summary(&d->bench, name, "seconds", PN_BETTER_LESS,
				    &d->figures, err);
}

static int take_benchmark(void *to, struct pn_json *json,
			  enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"name", take_name},
		{"fullname", take_fullname},
		{"stats", take_stats},
		{0},
	};
	struct decoder *d = to;
	const char *name;
	int code;

	d->name = d->fullname = 0;
	d->round_count = 0;
	d->n = 0;
	d->figures = (struct pn_summary){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	code = pn_json_walk_object(d, json, first, fields, err);
	if (code)
		return code;
	name = pn_profile_text(d->p, d->fullname ? d->fullname : d->name);
	if (!*name)
		return pn_json_fail(json, err, "expected a name");
	if (!d->round_count && isnan(d->figures.mean))
		return pn_json_fail(json, err, "expected stats");
	return add_rounds(d, name, err);
}

static int take_benchmarks(void *to, struct pn_json *json,
			   enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_benchmark, err);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"benchmarks", take_benchmarks},
		{0},
	};
	struct decoder d = {.p = out};
	int code = pn_json_walk_document(&d, in, fields, err);

	if (!code)
		code = pn_bench_finish(out, &d.bench, "benchmarks", err);
	out->complete = false; /* machine, options */
	pn_bench_release(&d.bench);
	free(d.rounds);
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
