/*
 * A result file of airspeed velocity (results/<machine>/<commit>-<env>.json,
 * version 2): for each benchmark a row whose columns the file names, with a
 * value, or a list of samples, for each combination of parameters. The unit is
 * in another file; it follows from the first letters of the benchmark's name.
 * asv.readthedocs.io/en/stable/dev.html, "Result files".
 */
#include "codec/bench/asv.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <string.h>

#define PARAMETERS_MAX 16 /* of one benchmark */

struct columns {
	size_t result, params, samples; /* or SIZE_MAX */
};

struct row {
	struct pn_document result, params, samples; /* or absent */
};

static int read_columns(struct columns *out, const struct pn_document *root,
			struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	int code = pn_document_array(&list, root, "result_columns", err);

	*out = (struct columns){SIZE_MAX, SIZE_MAX, SIZE_MAX};
	while (!code && pn_document_next(&item, &list)) {
		const char *name = pn_document_string(&item);

		if (!name)
			return pn_document_fail(&item, err,
						"expected a string");
		if (!strcmp(name, "result"))
			out->result = item.at;
		else if (!strcmp(name, "params"))
			out->params = item.at;
		else if (!strcmp(name, "samples"))
			out->samples = item.at;
	}
	if (!code && out->result == SIZE_MAX)
		code = pn_document_fail(root, err,
					"expected \"result\" in "
					"result_columns");
	return code;
}

/* Columns at the end may be missing, and anything may be null. */
static void read_row(struct row *out, const struct columns *columns,
		     const struct pn_document *list)
{
	struct pn_document item = {0};

	*out = (struct row){{0}, {0}, {0}};
	while (pn_document_next(&item, list)) {
		if (!pn_document_is_array(&item))
			continue;
		if (item.at == columns->result)
			out->result = item;
		else if (item.at == columns->params)
			out->params = item;
		else if (item.at == columns->samples)
			out->samples = item;
	}
}

/* What is measured stands before the first underscore of the function's name:
 * "suite.Class.time_sort". */
static const char *unit_of(const char *name, enum pn_better *better)
{
	const char *own = strrchr(name, '.');

	own = own ? own + 1 : name;
	*better = PN_BETTER_LESS;
	if (!strncmp(own, "time_", 5) || !strncmp(own, "timeraw_", 8))
		return "seconds";
	if (!strncmp(own, "mem_", 4) || !strncmp(own, "peakmem_", 8))
		return "bytes";
	*better = PN_BETTER_UNKNOWN;
	return "";
}

/* A combination of parameters: a value of each list. */
struct combination {
	struct pn_document lists[PARAMETERS_MAX], values[PARAMETERS_MAX];
	size_t count;
	bool over; /* there were no more */
};

static int begin(struct combination *c, const struct pn_document *params,
		 struct pn_error *err)
{
	struct pn_document list = {0};

	c->count = 0;
	c->over = false;
	while (pn_document_next(&list, params)) {
		if (c->count == PARAMETERS_MAX)
			return pn_document_fail(params, err,
						"more than 16 parameters");
		c->lists[c->count] = list;
		c->values[c->count] = (struct pn_document){0};
		if (!pn_document_is_array(&list) ||
		    !pn_document_next(&c->values[c->count],
				      &c->lists[c->count]))
			return pn_document_fail(&list, err,
						"expected an array of values");
		c->count++;
	}
	return 0;
}

/* The last parameter runs fastest. */
static void advance(struct combination *c)
{
	size_t i;

	for (i = c->count; i-- > 0;) {
		if (pn_document_next(&c->values[i], &c->lists[i]))
			return;
		c->values[i] = (struct pn_document){0};
		pn_document_next(&c->values[i], &c->lists[i]);
	}
	c->over = true;
}

/* "name(a, b)". */
static int name_of(struct pn_buf *out, const char *name,
		   const struct pn_document *benchmark,
		   const struct combination *c, struct pn_error *err)
{
	size_t i;

	if (c->over)
		return pn_document_fail(benchmark, err,
					"more results than combinations of "
					"parameters");
	pn_buf_clear(out);
	pn_buf_add_text(out, name);
	for (i = 0; i < c->count; i++) {
		const char *text = pn_document_string(&c->values[i]);

		if (!text)
			return pn_document_fail(&c->values[i], err,
						"expected a string");
		pn_buf_printf(out, "%s%s", i ? ", " : "(", text);
	}
	if (c->count)
		pn_buf_add_text(out, ")");
	return 0;
}

/* Those that are finite: a function that is measured may give anything. */
static int add_samples(size_t *count, struct pn_bench *bench, const char *name,
		       const char *unit, enum pn_better better,
		       const struct pn_document *list, struct pn_error *err)
{
	struct pn_document item = {0};
	size_t odd = 0;
	double value;
	int code = 0;

	*count = 0;
	while (!code && pn_document_next(&item, list)) {
		if (pn_document_is_number(&value, &item) && !isfinite(value)) {
			odd++;
			continue;
		}
		code = pn_document_value(&value, &item, err);
		if (!code)
			code = pn_bench_add(bench, name, unit, better, value,
					    err);
		++*count;
	}
	bench->odd += odd;
	return code;
}

/* The samples of a combination, or its one result; null: it failed. */
static int add_combination(struct pn_bench *bench, const char *own,
			   const char *name, const struct pn_document *result,
			   const struct pn_document *samples,
			   struct pn_error *err)
{
	enum pn_better better;
	const char *unit = unit_of(own, &better);
	size_t count = 0;
	double value;
	int code = 0;

	if (samples && pn_document_is_array(samples))
		code = add_samples(&count, bench, name, unit, better, samples,
				   err);
	if (code || count || !pn_document_is_number(&value, result))
		return code;
	/* NaN: skipped */
	return isfinite(value)
		       ? pn_bench_add(bench, name, unit, better, value, err)
		       : 0;
}

static int read_benchmark(struct pn_bench *bench, const struct columns *columns,
			  const struct pn_document *benchmark,
			  struct pn_error *err)
{
	struct pn_document result = {0}, samples = {0};
	struct combination combination;
	struct pn_buf name = {0};
	struct row row;
	int code;

	read_row(&row, columns, benchmark);
	code = begin(&combination, &row.params, err);
	while (!code && pn_document_next(&result, &row.result)) {
		bool sampled = row.samples.json &&
			       pn_document_next(&samples, &row.samples);

		if (!sampled)
			row.samples.json = NULL;
		code = name_of(&name, pn_document_name(benchmark), benchmark,
			       &combination, err);
		if (!code)
			code = add_combination(bench,
					       pn_document_name(benchmark),
					       pn_buf_text(&name), &result,
					       sampled ? &samples : NULL, err);
		advance(&combination);
	}
	pn_buf_release(&name);
	return code;
}

int pn_asv_results(struct pn_bench *bench, const struct pn_document *root,
		   struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	struct columns columns;
	int code = read_columns(&columns, root, err);

	if (!code)
		code = pn_document_object(&list, root, "results", err);
	while (!code && pn_document_next(&item, &list))
		code = read_benchmark(bench, &columns, &item, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, pn_asv_results,
				    "benchmarks with a result", err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       (pn_json_sniff_key(bytes, len,
						  "result_columns") ||
				(pn_json_sniff_key(bytes, len, "commit_hash") &&
				 pn_json_sniff_key(bytes, len, "env_name")))
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_asv = {
	.name = "asv",
	.summary = "a result file of airspeed velocity, JSON",
	.languages = "python",
	.made_by = "asv run; results/<machine>/<commit>-<env>.json",
	.sniffed_by = "\"result_columns\", or \"commit_hash\" and \"env_name\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
