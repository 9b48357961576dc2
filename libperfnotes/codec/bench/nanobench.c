/*
 * nanobench's JSON (ankerl::nanobench::templates::json): the seconds of one
 * operation in each epoch, and its instructions where they could be counted.
 * nanobench.ankerl.com/reference.html, "JSON".
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <string.h>

/* Of an iteration, which has `batch` operations. */
static int add_measurement(struct pn_bench *bench, const char *name,
			   const char *count_name, double batch,
			   const struct pn_document *measurement,
			   struct pn_error *err)
{
	double elapsed = NAN, instructions = NAN;
	int code = pn_document_number(&elapsed, measurement, "elapsed", err);

	if (!code)
		code = pn_document_number(&instructions, measurement,
					  "instructions", err);
	if (!code && !isnan(elapsed))
		code = pn_bench_add(bench, name, "seconds", PN_BETTER_LESS,
				    elapsed / batch, err);
	if (code || !(instructions > 0))
		return code;
	return pn_bench_add(bench, count_name, "count", PN_BETTER_LESS,
			    instructions / batch, err);
}

static int read_measurements(struct pn_bench *bench, const char *name,
			     double batch, const struct pn_document *result,
			     struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	struct pn_buf count_name = {0};
	double median = NAN;
	int code = pn_document_array(&list, result, "measurements", err);

	pn_buf_printf(&count_name, "%s instructions", name);
	while (!code && pn_document_next(&item, &list))
		code = add_measurement(bench, name, pn_buf_text(&count_name),
				       batch, &item, err);
	pn_buf_release(&count_name);
	if (code || list.json)
		return code;
	/* a template of one's own */
	code = pn_document_number(&median, result, "median(elapsed)", err);
	if (code || isnan(median))
		return code;
	return pn_bench_add(bench, name, "seconds", PN_BETTER_LESS,
			    median / batch, err);
}

static int read_result(struct pn_bench *bench, const struct pn_document *result,
		       struct pn_error *err)
{
	const char *title = "", *own = "";
	struct pn_buf name = {0};
	double batch = 1;
	int code = pn_document_text(&title, result, "title", err);

	if (!code)
		code = pn_document_text(&own, result, "name", err);
	if (!code)
		code = pn_document_number(&batch, result, "batch", err);
	if (!code && !(batch > 0))
		code = pn_document_fail(result, err,
					"expected a batch of more than 0");
	if (!code && !*own)
		code = pn_document_fail(result, err, "expected a name");
	/* "benchmark" is the title of who gives none */
	if (*title && strcmp(title, "benchmark") != 0)
		pn_buf_printf(&name, "%s ", title);
	pn_buf_add_text(&name, own);
	if (!code)
		code = read_measurements(bench, pn_buf_text(&name), batch,
					 result, err);
	pn_buf_release(&name);
	return code;
}

static int read_results(struct pn_bench *bench, const struct pn_document *root,
			struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	int code = pn_document_array(&list, root, "results", err);

	while (!code && pn_document_next(&item, &list))
		code = read_result(bench, &item, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_results,
				    "results with measurements", err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "results") &&
			       pn_json_sniff_key(bytes, len, "median(elapsed)")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_nanobench = {
	.name = "nanobench",
	.summary = "results of nanobench, JSON",
	.languages = "c++",
	.made_by = "ankerl::nanobench::render(templates::json(), bench, file)",
	.sniffed_by = "\"results\" with \"median(elapsed)\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
