/*
 * hyperfine's JSON (--export-json): commands with the wall time of each run.
 * Names and units are those of our own collector "time", so that a history
 * may begin with hyperfine. github.com/sharkdp/hyperfine, src/export/json.rs.
 */
#include "base/alloc.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json_sniff.h"
#include "codec/json_walk.h"

#include <math.h>
#include <stdlib.h>

struct result {
	uint32_t command, parameters; /* strings; "a=1 b=2" */
	double *times, *bytes;
	size_t time_count, time_cap, byte_count, byte_cap;
	double user, system;
	struct pn_summary wall; /* seconds, when there are no times */
};

struct decoder {
	struct pn_profile *p;
	struct result *results;
	size_t count, cap;
	uint32_t *uses; /* by string: results that have it as command */
};

static struct result *last(void *to)
{
	struct decoder *d = to;

	return &d->results[d->count - 1];
}

static int take_command(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	return pn_json_take_string(&last(to)->command,
				   &((struct decoder *)to)->p->strings, json,
				   first, err);
}

static int take_time(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct result *r = last(to);

	r->times = pn_grow(r->times, &r->time_cap, r->time_count + 1,
			   sizeof(*r->times));
	return pn_json_take_double(&r->times[r->time_count++], json, first,
				   err);
}

static int take_times(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_time, err);
}

static int take_byte(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct result *r = last(to);

	r->bytes = pn_grow(r->bytes, &r->byte_cap, r->byte_count + 1,
			   sizeof(*r->bytes));
	return pn_json_take_double(&r->bytes[r->byte_count++], json, first,
				   err);
}

static int take_bytes(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_byte, err);
}

static int take_maybe(double *out, struct pn_json *json,
		      enum pn_json_event first, struct pn_error *err)
{
	return first == PN_JSON_NULL
		       ? 0
		       : pn_json_take_double(out, json, first, err);
}

#define FIGURE(name, member)                                                   \
	static int take_##name(void *to, struct pn_json *json,                 \
			       enum pn_json_event first, struct pn_error *err) \
	{                                                                      \
		return take_maybe(&last(to)->member, json, first, err);        \
	}
FIGURE(user, user)
FIGURE(system, system)
FIGURE(mean, wall.mean)
FIGURE(sd, wall.sd)
FIGURE(median, wall.median)
FIGURE(min, wall.min)
FIGURE(max, wall.max)

/* {"level": "9"}: strings, whatever they hold. */
static int take_parameters(void *to, struct pn_json *json,
			   enum pn_json_event first, struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_buf text = {0};
	enum pn_json_event event = first;
	int code = 0;

	if (first == PN_JSON_NULL)
		return 0;
	if (first != PN_JSON_OBJECT)
		return pn_json_fail(json, err, "expected an object");
	while (!(code = pn_json_next(&event, json, err)) &&
	       event == PN_JSON_KEY) {
		pn_buf_printf(&text, "%s%s=", text.len ? " " : "",
			      pn_json_text(json));
		code = pn_json_next(&event, json, err);
		if (!code && event == PN_JSON_STRING)
			pn_buf_add_text(&text, pn_json_text(json));
		else if (!code)
			code = pn_json_copy(&text, json, event, err);
		if (code)
			break;
	}
	if (!code)
		last(to)->parameters =
			pn_strtab_add_text(&d->p->strings, pn_buf_text(&text));
	pn_buf_release(&text);
	return code;
}

static int take_result(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"command", take_command},
		{"times", take_times},
		{"memory_usage_byte", take_bytes},
		{"user", take_user},
		{"system", take_system},
		{"mean", take_mean},
		{"stddev", take_sd},
		{"median", take_median},
		{"min", take_min},
		{"max", take_max},
		{"parameters", take_parameters},
		{0},
	};
	struct decoder *d = to;

	d->results =
		pn_grow(d->results, &d->cap, d->count + 1, sizeof(*d->results));
	d->results[d->count++] = (struct result){
		.user = NAN,
		.system = NAN,
		.wall = {1, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
	};
	return pn_json_walk_object(d, json, first, fields, err);
}

static int take_results(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_result, err);
}

/* Seconds have nine decimals at most: whole nanoseconds. */
static double to_ns(double seconds)
{
	return nearbyint(seconds * 1e9);
}

/* Parameters that the command does not show (they are in its name or in what
 * prepares it) tell results of one command apart. */
static void name_measure(struct pn_buf *out, const struct decoder *d,
			 const struct result *r, const char *measure)
{
	pn_buf_clear(out);
	if (d->count > 1)
		pn_buf_printf(out, "%s ", pn_profile_text(d->p, r->command));
	if (d->uses[r->command] > 1 && r->parameters)
		pn_buf_printf(out, "(%s) ",
			      pn_profile_text(d->p, r->parameters));
	pn_buf_add_text(out, measure);
}

static int add_wall(struct pn_bench *bench, const char *name,
		    const struct result *r, struct pn_error *err)
{
	const double *from[] = {&r->wall.min, &r->wall.median, &r->wall.max,
				&r->wall.mean, &r->wall.sd};
	struct pn_summary wall = r->wall;
	double *figures[] = {&wall.min, &wall.median, &wall.max, &wall.mean,
			     &wall.sd};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < r->time_count; i++)
		code = pn_bench_add(bench, name, "ns", PN_BETTER_LESS,
				    to_ns(r->times[i]), err);
	if (code || r->time_count)
		return code;
	for (i = 0; i < sizeof(from) / sizeof(*from); i++)
		*figures[i] = to_ns(*from[i]);
	return pn_bench_add_summary(bench, name, "ns", PN_BETTER_LESS, &wall,
				    err);
}

static int add_result(struct pn_bench *bench, const struct decoder *d,
		      const struct result *r, struct pn_error *err)
{
	struct pn_buf name = {0};
	size_t i;
	int code;

	name_measure(&name, d, r, "wall");
	code = add_wall(bench, pn_buf_text(&name), r, err);
	name_measure(&name, d, r, "user");
	if (!code && !isnan(r->user))
		code = pn_bench_add(bench, pn_buf_text(&name), "ns",
				    PN_BETTER_LESS, to_ns(r->user), err);
	name_measure(&name, d, r, "sys");
	if (!code && !isnan(r->system))
		code = pn_bench_add(bench, pn_buf_text(&name), "ns",
				    PN_BETTER_LESS, to_ns(r->system), err);
	name_measure(&name, d, r, "max-rss");
	for (i = 0; !code && i < r->byte_count; i++)
		code = pn_bench_add(bench, pn_buf_text(&name), "bytes",
				    PN_BETTER_LESS, r->bytes[i], err);
	pn_buf_release(&name);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"results", take_results},
		{0},
	};
	struct decoder d = {.p = out};
	struct pn_bench bench = {0};
	size_t i;
	int code = pn_json_walk_document(&d, in, fields, err);

	d.uses = pn_calloc((size_t)out->strings.count + 1, sizeof(*d.uses));
	for (i = 0; !code && i < d.count; i++)
		d.uses[d.results[i].command]++;
	for (i = 0; !code && i < d.count; i++)
		code = add_result(&bench, &d, &d.results[i], err);
	if (!code && d.count == 1)
		out->header.cmd = d.results[0].command;
	if (!code)
		code = pn_bench_finish(out, &bench, "results", err);
	out->complete = false; /* exit codes */
	for (i = 0; i < d.count; i++) {
		free(d.results[i].times);
		free(d.results[i].bytes);
	}
	free(d.results);
	free(d.uses);
	pn_bench_release(&bench);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "results") &&
			       pn_json_sniff_key(bytes, len, "command") &&
			       pn_json_sniff_key(bytes, len, "mean")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_hyperfine = {
	.name = "hyperfine",
	.summary = "results of hyperfine --export-json",
	.sniffed_by = "\"results\" with \"command\" and \"mean\"",
	.suffix = ".json",
	.sniff = sniff,
	.read = read_profile,
};
