/*
 * What github-action-benchmark takes of any tool: a list of
 * {"name", "unit", "value"}. Its two kinds differ in what is better and in
 * nothing else, so that a file is recognised where its first unit says it.
 * github.com/benchmark-action/github-action-benchmark, "customBiggerIsBetter".
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <string.h>

static int read_values(struct pn_bench *bench, const struct pn_document *root,
		       enum pn_better better, struct pn_error *err)
{
	struct pn_document item = {0};
	int code = 0;

	while (!code && pn_document_next(&item, root)) {
		const char *name = "", *unit = "";
		double value = NAN;

		code = pn_document_text(&name, &item, "name", err);
		if (!code)
			code = pn_document_text(&unit, &item, "unit", err);
		if (!code)
			code = pn_document_number(&value, &item, "value", err);
		if (!code && (!*name || isnan(value)))
			code = pn_document_fail(&item, err,
						"expected a name and a value");
		if (!code)
			code = pn_bench_add(bench, name, unit, better, value,
					    err);
	}
	return code;
}

static int read_smaller(struct pn_bench *bench, const struct pn_document *root,
			struct pn_error *err)
{
	return read_values(bench, root, PN_BETTER_LESS, err);
}

static int read_bigger(struct pn_bench *bench, const struct pn_document *root,
		       struct pn_error *err)
{
	return read_values(bench, root, PN_BETTER_MORE, err);
}

static int read_smaller_profile(struct pn_profile *out, struct pn_reader *in,
				struct pn_error *err)
{
	return pn_bench_read_list(out, in, read_smaller,
				  "objects with name, unit and value", err);
}

static int read_bigger_profile(struct pn_profile *out, struct pn_reader *in,
			       struct pn_error *err)
{
	return pn_bench_read_list(out, in, read_bigger,
				  "objects with name, unit and value", err);
}

/* What the first "unit" says. */
static enum pn_better sniff_better(const unsigned char *bytes, size_t len)
{
	struct pn_scan s = pn_scan_of((const char *)bytes, len), unit;
	enum pn_better better = PN_BETTER_UNKNOWN;
	struct pn_buf text = {0};

	if (!pn_json_sniff_array(bytes, len) ||
	    !pn_json_sniff_key(bytes, len, "name") ||
	    !pn_json_sniff_key(bytes, len, "value") ||
	    !pn_scan_until(&unit, &s, "\"unit\"") ||
	    !pn_scan_until(&unit, &s, "\"") || !pn_scan_until(&unit, &s, "\""))
		return PN_BETTER_UNKNOWN;
	better = pn_bench_better(pn_scan_copy(&text, &unit));
	pn_buf_release(&text);
	return better;
}

static enum pn_sniff sniff_smaller(const unsigned char *bytes, size_t len)
{
	return sniff_better(bytes, len) == PN_BETTER_LESS ? PN_SNIFF_LIKELY
							  : PN_SNIFF_NO;
}

static enum pn_sniff sniff_bigger(const unsigned char *bytes, size_t len)
{
	return sniff_better(bytes, len) == PN_BETTER_MORE ? PN_SNIFF_LIKELY
							  : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_custom_smaller = {
	.name = "customSmallerIsBetter",
	.summary = "a list of names, units and values, JSON: less is better",
	.languages = "any",
	.made_by = "tools for github-action-benchmark",
	.sniffed_by = "a list with \"name\", \"value\" and a \"unit\" of time "
		      "or bytes",
	.suffix = ".json",
	.sniff = sniff_smaller,
	.first = PN_FIRST_ARRAY,
	.read = read_smaller_profile,
};

const struct pn_codec pn_codec_custom_bigger = {
	.name = "customBiggerIsBetter",
	.summary = "a list of names, units and values, JSON: more is better",
	.languages = "any",
	.made_by = "tools for github-action-benchmark",
	.sniffed_by =
		"a list with \"name\", \"value\" and a \"unit\" of a rate",
	.suffix = ".json",
	.sniff = sniff_bigger,
	.first = PN_FIRST_ARRAY,
	.read = read_bigger_profile,
};
