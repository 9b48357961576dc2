/*
 * hyperfine's JSON (--export-json): commands with the wall time of each run.
 * Names and units are those of our own collector "time", so that a history
 * may begin with hyperfine. github.com/sharkdp/hyperfine, src/export/json.rs.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/bench/document.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <stdlib.h>

/* Seconds have nine decimals at most: whole nanoseconds. */
static double to_ns(double seconds)
{
	return nearbyint(seconds * 1e9);
}

/* {"level": "9"} as "level=9"; hyperfine writes strings, whatever they hold. */
static int add_parameters(struct pn_buf *out, const struct pn_document *result,
			  struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	char number[PN_NUMBER_TEXT];
	double value;
	int code = pn_document_object(&list, result, "parameters", err);

	while (!code && pn_document_next(&item, &list)) {
		const char *text = pn_document_string(&item);

		if (!text && pn_document_is_number(&value, &item)) {
			pn_number_write(number, value, false);
			text = number;
		}
		if (!text)
			return pn_document_fail(&item, err,
						"expected a string");
		pn_buf_printf(out, "%s%s=%s", out->len ? " " : "",
			      pn_document_name(&item), text);
	}
	return code;
}

/* Figures in nanoseconds, where the times of the runs are not there. */
static int add_figures(struct pn_bench *bench, const char *name,
		       const struct pn_document *result, struct pn_error *err)
{
	struct pn_summary wall;
	int code = pn_bench_read_figures(&wall, result, &pn_bench_usual, err);

	if (code)
		return code;
	wall.n = 1;
	wall.min = to_ns(wall.min);
	wall.q1 = to_ns(wall.q1);
	wall.median = to_ns(wall.median);
	wall.q3 = to_ns(wall.q3);
	wall.max = to_ns(wall.max);
	wall.mean = to_ns(wall.mean);
	wall.sd = to_ns(wall.sd);
	return pn_bench_add_summary(bench, name, "ns", PN_BETTER_LESS, &wall,
				    err);
}

static int add_wall(struct pn_bench *bench, const char *name,
		    const struct pn_document *result, struct pn_error *err)
{
	double *times = NULL;
	size_t count = 0, i;
	int code = pn_document_numbers(&times, &count, result, "times", err);

	for (i = 0; !code && i < count; i++)
		code = pn_bench_add(bench, name, "ns", PN_BETTER_LESS,
				    to_ns(times[i]), err);
	free(times);
	return code || count ? code : add_figures(bench, name, result, err);
}

static int add_bytes(struct pn_bench *bench, const char *name,
		     const struct pn_document *result, struct pn_error *err)
{
	double *bytes = NULL;
	size_t count = 0, i;
	int code = pn_document_numbers(&bytes, &count, result,
				       "memory_usage_byte", err);

	for (i = 0; !code && i < count; i++)
		code = pn_bench_add(bench, name, "bytes", PN_BETTER_LESS,
				    bytes[i], err);
	free(bytes);
	return code;
}

/* The mean of the runs; hyperfine has no more of it. */
static int add_mean(struct pn_bench *bench, const char *name,
		    const struct pn_document *result, const char *member,
		    struct pn_error *err)
{
	double seconds = NAN;
	int code = pn_document_number(&seconds, result, member, err);

	if (code || isnan(seconds))
		return code;
	return pn_bench_add(bench, name, "ns", PN_BETTER_LESS, to_ns(seconds),
			    err);
}

static int add_result(struct pn_bench *bench, const char *prefix,
		      const struct pn_document *result, struct pn_error *err)
{
	struct pn_buf names[4] = {{0}};
	static const char *const measures[] = {"wall", "user", "sys",
					       "max-rss"};
	size_t i;
	int code;

	for (i = 0; i < 4; i++)
		pn_buf_printf(&names[i], "%s%s", prefix, measures[i]);
	code = add_wall(bench, pn_buf_text(&names[0]), result, err);
	if (!code)
		code = add_mean(bench, pn_buf_text(&names[1]), result, "user",
				err);
	if (!code)
		code = add_mean(bench, pn_buf_text(&names[2]), result, "system",
				err);
	if (!code)
		code = add_bytes(bench, pn_buf_text(&names[3]), result, err);
	for (i = 0; i < 4; i++)
		pn_buf_release(&names[i]);
	return code;
}

/* The command of each result, and how many results have it. */
struct commands {
	struct pn_strtab texts;
	uint32_t *ids, *uses; /* by result; by id */
	size_t count, cap;    /* of the results */
};

static int read_commands(struct commands *c, const struct pn_document *results,
			 struct pn_error *err)
{
	struct pn_document item = {0};
	size_t i;
	int code = 0;

	while (!code && pn_document_next(&item, results)) {
		const char *text = "";

		code = pn_document_text(&text, &item, "command", err);
		c->ids =
			pn_grow(c->ids, &c->cap, c->count + 1, sizeof(*c->ids));
		c->ids[c->count++] = pn_strtab_add_text(&c->texts, text);
	}
	c->uses = pn_calloc(c->texts.count + 1, sizeof(*c->uses));
	for (i = 0; i < c->count; i++)
		c->uses[c->ids[i]]++;
	return code;
}

/* What tells a result from the others: its command, and where others have that
 * too its parameters, which the command need not show (they are in its name,
 * or in what prepares it). */
static int name_result(struct pn_buf *out, const struct commands *c,
		       const struct pn_document *result, struct pn_error *err)
{
	struct pn_buf parameters = {0};
	int code = add_parameters(&parameters, result, err);
	uint32_t id;

	pn_buf_clear(out);
	if (c->count > 1) {
		id = c->ids[result->at];
		pn_buf_printf(out, "%s ", pn_strtab_text(&c->texts, id));
		if (c->uses[id] > 1 && parameters.len)
			pn_buf_printf(out, "(%s) ", pn_buf_text(&parameters));
	}
	pn_buf_release(&parameters);
	return code;
}

static int read_results(struct pn_bench *bench, struct commands *c,
			const struct pn_document *root, struct pn_error *err)
{
	struct pn_document results = {0}, item = {0};
	struct pn_buf prefix = {0};
	int code = pn_document_array(&results, root, "results", err);

	if (!code)
		code = read_commands(c, &results, err);
	while (!code && pn_document_next(&item, &results)) {
		code = name_result(&prefix, c, &item, err);
		if (!code)
			code = add_result(bench, pn_buf_text(&prefix), &item,
					  err);
	}
	pn_buf_release(&prefix);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct pn_document root = {0};
	struct commands c = {0};
	struct pn_bench bench = {0};
	int code = pn_document_read(&root, in, err);

	if (!code)
		code = read_results(&bench, &c, &root, err);
	if (!code && c.count == 1)
		out->header.cmd = pn_strtab_add_text(
			&out->strings, pn_strtab_text(&c.texts, c.ids[0]));
	if (!code)
		code = pn_bench_finish(out, &bench, "results", err);
	out->complete = false; /* exit codes */
	pn_bench_release(&bench);
	pn_strtab_release(&c.texts);
	free(c.ids);
	free(c.uses);
	pn_document_release(&root);
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
	.languages = "any",
	.made_by = "hyperfine --export-json <file>",
	.sniffed_by = "\"results\" with \"command\" and \"mean\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
