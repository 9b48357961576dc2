/*
 * iai-callgrind's summaries (--save-summary=json), and those of gungraun, as it
 * is called since: what valgrind's tools counted in one benchmark.
 * summary.v6.schema.json of github.com/iai-callgrind/iai-callgrind. Counts are
 * the total of all parts; those of the run before, beside them, are passed
 * over.
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <string.h>

static bool ends(const char *text, const char *with)
{
	size_t len = strlen(text), n = strlen(with);

	return len >= n && !strcmp(text + len - n, with);
}

/* Hits say nothing alone: fewer accesses have fewer of them. */
static enum pn_better better_of(const char *event)
{
	if (ends(event, "HitRate"))
		return PN_BETTER_MORE;
	if (ends(event, "hits") || ends(event, "Hits"))
		return PN_BETTER_UNKNOWN;
	return PN_BETTER_LESS;
}

static const char *unit_of(const char *event)
{
	return ends(event, "Rate")    ? "%"
	       : ends(event, "Bytes") ? "bytes"
				      : "count";
}

/* {"Int": 12} or {"Float": 1.5}; before version 6 the number itself. */
static int take_number(double *out, const struct pn_document *value,
		       struct pn_error *err)
{
	struct pn_document member = {0};
	int code;

	if (pn_document_is_number(out, value))
		return pn_document_value(out, value, err);
	code = pn_document_member(&member, value, "Int", err);
	if (!code && !member.json)
		code = pn_document_member(&member, value, "Float", err);
	if (!code && !member.json)
		code = pn_document_fail(value, err, "expected Int or Float");
	return code ? code : pn_document_value(out, &member, err);
}

/* Of {"Both": [new, old]}, {"Left": new} or {"Right": old} the new one. */
static int take_new(double *out, bool *found, const struct pn_document *metrics,
		    struct pn_error *err)
{
	struct pn_document both = {0}, value = {0};
	int code = pn_document_array(&both, metrics, "Both", err);

	*found = false;
	if (!code && both.json && pn_document_next(&value, &both)) {
		*found = true;
		return take_number(out, &value, err);
	}
	if (!code)
		code = pn_document_member(&value, metrics, "Left", err);
	if (code || !value.json)
		return code;
	*found = true;
	return take_number(out, &value, err);
}

static int take_event(struct pn_bench *bench, const char *name,
		      const struct pn_document *event, struct pn_error *err)
{
	const char *what = pn_document_name(event);
	struct pn_document metrics = {0};
	struct pn_buf full = {0};
	double value = 0;
	bool found = false;
	int code = what ? pn_document_object(&metrics, event, "metrics", err)
			: pn_document_fail(event, err,
					   "expected an event by its name");

	if (!code && metrics.json)
		code = take_new(&value, &found, &metrics, err);
	if (code || !found)
		return code;
	pn_buf_printf(&full, "%s %s", name, what);
	code = pn_bench_add(bench, pn_buf_text(&full), unit_of(what),
			    better_of(what), value, err);
	pn_buf_release(&full);
	return code;
}

/* "total": {"summary": {"Callgrind": {"Ir": ...}}}; "None" of some tools. */
static int take_profile(struct pn_bench *bench, const char *name,
			const struct pn_document *profile, struct pn_error *err)
{
	struct pn_document data = {0}, total = {0}, summary = {0};
	struct pn_document tool = {0}, event = {0};
	int code = pn_document_object(&data, profile, "summaries", err);

	if (!code && data.json)
		code = pn_document_object(&total, &data, "total", err);
	if (!code && total.json)
		code = pn_document_member(&summary, &total, "summary", err);
	if (code || !summary.json || pn_document_string(&summary))
		return code;
	while (!code && pn_document_next(&tool, &summary)) {
		event = (struct pn_document){0};
		while (!code && pn_document_next(&event, &tool))
			code = take_event(bench, name, &event, err);
	}
	return code;
}

static int take_summary(struct pn_bench *bench, const struct pn_document *root,
			struct pn_error *err)
{
	struct pn_document profiles = {0}, item = {0};
	const char *module = "", *id = "";
	struct pn_buf name = {0};
	int code = pn_document_text(&module, root, "module_path", err);

	if (!code)
		code = pn_document_text(&id, root, "id", err);
	if (!code)
		code = pn_document_array(&profiles, root, "profiles", err);
	if (!code && !*module)
		code = pn_document_fail(root, err, "expected a module_path");
	if (code)
		return code;
	pn_buf_printf(&name, *id ? "%s %s" : "%s", module, id);
	while (!code && pn_document_next(&item, &profiles))
		code = take_profile(bench, pn_buf_text(&name), &item, err);
	pn_buf_release(&name);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, take_summary,
				    "profiles of a tool that counts (version "
				    "4 or later)",
				    err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "benchmark_exe") &&
			       pn_json_sniff_key(bytes, len, "module_path")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_iai = {
	.name = "iai-callgrind",
	.summary = "iai-callgrind's or gungraun's summary JSON",
	.languages = "rust",
	.made_by = "cargo bench -- --save-summary=json (iai-callgrind, "
		   "gungraun)",
	.sniffed_by = "\"benchmark_exe\" and \"module_path\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
