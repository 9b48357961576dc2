/*
 * JMH's JSON (-rf json): each benchmark with its parameters in one mode, and
 * the score of each iteration of each fork; what profilers add (-prof gc)
 * besides. A mode that samples has a histogram instead: its figures are kept.
 * github.com/openjdk/jmh, org/openjdk/jmh/results/format/JSONResultFormat.java.
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <string.h>

static int add_parameters(struct pn_buf *out, const struct pn_document *result,
			  struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	int code = pn_document_object(&list, result, "params", err);
	size_t begin = out->len;

	while (!code && pn_document_next(&item, &list)) {
		const char *text = pn_document_string(&item);

		if (!text)
			return pn_document_fail(&item, err,
						"expected a string");
		pn_buf_printf(out, "%s%s=%s", out->len > begin ? " " : " (",
			      pn_document_name(&item), text);
	}
	if (!code && out->len > begin)
		pn_buf_add_text(out, ")");
	return code;
}

/* "ops/us" is better when more, "us/op" and "B/op" when less. */
static enum pn_better better_of(const char *unit)
{
	size_t len = strlen(unit);

	if (!strncmp(unit, "ops/", 4))
		return PN_BETTER_MORE;
	if (len > 3 && !strcmp(unit + len - 3, "/op"))
		return PN_BETTER_LESS;
	return PN_BETTER_UNKNOWN;
}

/* A number; NaN where it is none, which is a string then: "NaN", "+INF". */
static int take_number(double *out, const struct pn_document *item,
		       struct pn_error *err)
{
	const char *text = pn_document_string(item);

	*out = NAN;
	if (text && (!strcmp(text, "NaN") || !strcmp(text, "+INF") ||
		     !strcmp(text, "-INF")))
		return 0;
	return pn_document_value(out, item, err);
}

static int take_member(double *out, const struct pn_document *object,
		       const char *name, struct pn_error *err)
{
	struct pn_document item = {0};
	int code = pn_document_member(&item, object, name, err);

	*out = NAN;
	return code || !item.json ? code : take_number(out, &item, err);
}

/* What a file without single values says: the percentiles and the score. */
static int add_percentiles(struct pn_bench *bench, const char *name,
			   const char *unit, const struct pn_document *metric,
			   struct pn_error *err)
{
	struct pn_summary figures = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	struct pn_document list = {0};
	int code = pn_document_object(&list, metric, "scorePercentiles", err);

	if (!code)
		code = take_member(&figures.mean, metric, "score", err);
	if (!code && list.json)
		code = take_member(&figures.min, &list, "0.0", err);
	if (!code && list.json)
		code = take_member(&figures.median, &list, "50.0", err);
	if (!code && list.json)
		code = take_member(&figures.max, &list, "100.0", err);
	if (code)
		return code;
	if (isnan(figures.mean) && isnan(figures.median))
		return 0; /* a profiler that saw nothing */
	return pn_bench_add_figures(bench, name, unit, better_of(unit), figures,
				    err);
}

/* The values of each iteration of each fork. */
static int add_values(size_t *count, struct pn_bench *bench, const char *name,
		      const char *unit, const struct pn_document *forks,
		      struct pn_error *err)
{
	struct pn_document fork = {0};
	double value;
	int code = 0;

	while (!code && pn_document_next(&fork, forks)) {
		struct pn_document item = {0};

		if (!pn_document_is_array(&fork))
			return pn_document_fail(&fork, err,
						"expected an array");
		while (!code && pn_document_next(&item, &fork)) {
			code = take_number(&value, &item, err);
			if (code || isnan(value))
				continue;
			code = pn_bench_add(bench, name, unit, better_of(unit),
					    value, err);
			++*count;
		}
	}
	return code;
}

static int add_metric(struct pn_bench *bench, const char *name,
		      const struct pn_document *metric, struct pn_error *err)
{
	struct pn_document raw = {0};
	const char *unit = "";
	size_t count = 0;
	int code = pn_document_text(&unit, metric, "scoreUnit", err);

	if (!code)
		code = pn_document_array(&raw, metric, "rawData", err);
	if (!code && raw.json)
		code = add_values(&count, bench, name, unit, &raw, err);
	if (code || count)
		return code;
	return add_percentiles(bench, name, unit, metric, err);
}

static int add_secondary(struct pn_bench *bench, struct pn_buf *name,
			 const struct pn_document *result, struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	size_t begin = name->len;
	int code = pn_document_object(&list, result, "secondaryMetrics", err);

	while (!code && pn_document_next(&item, &list)) {
		const char *own = pn_document_name(&item);

		/* older versions put a middle dot in front */
		if (!strncmp(own, "\302\267", 2))
			own += 2;
		pn_buf_printf(name, " %s", own);
		code = add_metric(bench, pn_buf_text(name), &item, err);
		pn_buf_cut(name, begin);
	}
	return code;
}

static int read_result(struct pn_bench *bench, struct pn_buf *name,
		       const struct pn_document *result, struct pn_error *err)
{
	struct pn_document primary = {0};
	const char *benchmark = "", *mode = "";
	int code = pn_document_text(&benchmark, result, "benchmark", err);

	if (!code)
		code = pn_document_text(&mode, result, "mode", err);
	if (!code)
		code = pn_document_object(&primary, result, "primaryMetric",
					  err);
	if (code)
		return code;
	if (!*benchmark || !primary.json)
		return pn_document_fail(result, err,
					"expected benchmark and primaryMetric");
	pn_buf_clear(name);
	pn_buf_add_text(name, benchmark);
	code = add_parameters(name, result, err);
	if (*mode)
		pn_buf_printf(name, " %s", mode);
	if (!code)
		code = add_metric(bench, pn_buf_text(name), &primary, err);
	return code ? code : add_secondary(bench, name, result, err);
}

static int read_results(struct pn_bench *bench, const struct pn_document *root,
			struct pn_error *err)
{
	struct pn_document item = {0};
	struct pn_buf name = {0};
	int code = 0;

	while (!code && pn_document_next(&item, root))
		code = read_result(bench, &name, &item, err);
	pn_buf_release(&name);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_list(out, in, read_results,
				  "a benchmark with a score", err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_array(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "benchmark") &&
			       (pn_json_sniff_key(bytes, len, "jmhVersion") ||
				pn_json_sniff_key(bytes, len, "primaryMetric"))
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_jmh = {
	.name = "jmh",
	.summary = "results of JMH, JSON",
	.languages = "java kotlin scala groovy",
	.made_by = "java -jar benchmarks.jar -rf json -rff <file>",
	.sniffed_by = "a list with \"benchmark\" and \"primaryMetric\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_ARRAY,
	.read = read_profile,
};
