/*
 * Results of tinybench as JSON, the name and result of each task: a list of
 * {name, result}, or of results with the name in them. Its versions 3 and later
 * have "latency", those before have the same figures in the result itself, all
 * in milliseconds; samples where they were kept.
 * github.com/tinylibs/tinybench, src/types.ts.
 */
#include "codec/bench/bench.h"
#include "codec/bench/js/js.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

static int read_task(struct pn_bench *bench, const struct pn_document *task,
		     struct pn_error *err)
{
	struct pn_document result = {0}, latency = {0}, *at;
	const char *name = "";
	int code = pn_document_text(&name, task, "name", err);

	if (!code)
		code = pn_document_object(&result, task, "result", err);
	if (!code)
		code = pn_document_object(
			&latency, result.json ? &result : task, "latency", err);
	if (code)
		return code;
	if (!*name)
		return pn_document_fail(task, err, "expected a name");
	at = latency.json ? &latency : result.json ? &result : NULL;
	return pn_js_add_latency(bench, name, at ? at : task, err);
}

static int read_tasks(struct pn_bench *bench, const struct pn_document *root,
		      struct pn_error *err)
{
	struct pn_document item = {0};
	int code = 0;

	while (!code && pn_document_next(&item, root))
		code = read_task(bench, &item, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_list(out, in, read_tasks,
				  "tasks with a result that has a mean", err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_array(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "name") &&
			       pn_json_sniff_key(bytes, len, "rme") &&
			       pn_json_sniff_key(bytes, len, "moe")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_tinybench = {
	.name = "tinybench",
	.summary = "tasks of tinybench, JSON",
	.languages = "javascript typescript node bun deno",
	.made_by = "JSON.stringify(bench.tasks.map(({name, result}) => ({name, "
		   "result})))",
	.sniffed_by = "a list with \"name\", \"rme\" and \"moe\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_ARRAY,
	.read = read_profile,
};
