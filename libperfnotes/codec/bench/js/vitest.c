/*
 * vitest bench --outputJson: files with groups of benchmarks, in milliseconds.
 * vitest.dev, "bench.outputJson".
 */
#include "codec/bench/bench.h"
#include "codec/bench/js/js.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

static int read_benchmark(struct pn_bench *bench, const char *group,
			  const struct pn_document *benchmark,
			  struct pn_error *err)
{
	struct pn_buf full = {0};
	const char *name = "";
	int code = pn_document_text(&name, benchmark, "name", err);

	if (code)
		return code;
	pn_buf_printf(&full, "%s%s%s", group, *group ? " > " : "", name);
	code = *name ? pn_js_add_latency(bench, pn_buf_text(&full), benchmark,
					 err)
		     : pn_document_fail(benchmark, err, "expected a name");
	pn_buf_release(&full);
	return code;
}

static int read_group(struct pn_bench *bench, const struct pn_document *group,
		      struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	const char *name = "";
	int code = pn_document_text(&name, group, "fullName", err);

	if (!code)
		code = pn_document_array(&list, group, "benchmarks", err);
	while (!code && pn_document_next(&item, &list))
		code = read_benchmark(bench, name, &item, err);
	return code;
}

static int read_files(struct pn_bench *bench, const struct pn_document *root,
		      struct pn_error *err)
{
	struct pn_document files = {0}, file = {0};
	int code = pn_document_array(&files, root, "files", err);

	while (!code && pn_document_next(&file, &files)) {
		struct pn_document groups = {0}, group = {0};

		code = pn_document_array(&groups, &file, "groups", err);
		while (!code && pn_document_next(&group, &groups))
			code = read_group(bench, &group, err);
	}
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_files,
				    "files with groups of benchmarks", err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "files") &&
			       pn_json_sniff_key(bytes, len, "groups") &&
			       pn_json_sniff_key(bytes, len, "filepath")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_vitest = {
	.name = "vitest",
	.summary = "benchmarks of vitest, JSON",
	.languages = "javascript typescript node",
	.made_by = "vitest bench --run --outputJson <file>",
	.sniffed_by = "\"files\" with \"filepath\" and \"groups\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
