/*
 * Views: whatever a profile holds, filters leave a valid one, text holds no
 * control character, and JSON is JSON. The first two bytes choose the options.
 */
#include "base/json/json.h"
#include "codec/codec.h"
#include "render/renderer.h"
#include "render/view_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_bytes(struct pn_profile *out, const void *data, size_t size)
{
	struct pn_reader *in = NULL;
	int code;

	pn_profile_init(out);
	code = pn_reader_memory(&in, data, size, "fuzz", LIMIT, NULL);
	if (!code)
		code = pn_codec_read(out, NULL, NULL, in, NULL);
	pn_reader_free(in);
	return code;
}

static void check_text(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 127)
			abort();
	}
}

static void check_json(const char *text, size_t len)
{
	enum pn_json_event event;
	struct pn_reader *in = NULL;
	struct pn_error err;
	struct pn_json *json;

	if (pn_reader_memory(&in, text, len, "view", (uint64_t)1 << 32, &err))
		abort();
	json = pn_json_new(in);
	do {
		if (pn_json_next(&event, json, &err)) {
			fprintf(stderr, "%s\n", err.message);
			abort();
		}
	} while (event != PN_JSON_END);
	pn_json_free(json);
	pn_reader_free(in);
}

static void print(const struct pn_view *view, const struct pn_view_input *in,
		  enum pn_view_form form)
{
	struct pn_error err;
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);
	int code;

	if (!to)
		abort();
	code = pn_view_print(to, view, in, "show", form, &err);
	fclose(to);
	if (code && len)
		abort();
	if (!code && form == PN_VIEW_JSON)
		check_json(text, len);
	else
		check_text(text, len);
	free(text);
}

/* Each bit, or the rest of a division, is one decision. */
static void choose(struct pn_report_options *out, unsigned int bits)
{
	static const char *const texts[] = {"main", "^.", "a|b", "1kb:2mb"};

	memset(out, 0, sizeof(*out));
	out->granularity = (enum pn_granularity)(bits % 5);
	bits /= 5;
	out->filter.text[bits % PN_FILTER_KINDS] = texts[bits / 8 % 4];
	bits /= 32;
	out->noinlines = bits & 1;
	out->mean = bits & 2;
	out->relative = bits & 4;
	out->cum_sort = bits & 8;
	out->divide_by = bits & 16 ? 3 : 1;
	out->node_count = bits & 32 ? 3 : -1;
	out->node_fraction = bits & 64 ? 0 : PN_REPORT_NODE_FRACTION;
	out->edge_fraction = bits & 64 ? 0 : PN_REPORT_EDGE_FRACTION;
}

static void show(struct pn_profile *profile, const struct pn_view *view,
		 const struct pn_report_options *wanted)
{
	struct pn_report_options options = *wanted;
	struct pn_view_input in = {profile, NULL, "a"};
	struct pn_view_request request;
	struct pn_report report = {0};
	struct pn_error err;

	pn_view_request_init(&request);
	if (pn_resources_request_check(&request.resources, &err))
		abort();
	in.stats = &request.stats;
	in.resources = &request.resources;
	in.timed = request.timed;
	in.most = options.node_count;
	view = pn_view_fitting(view, profile);
	pn_view_options(&options, view);
	if (view->needs != PN_VIEW_METRICS) {
		if (pn_report_init(&report, profile, &options, &err))
			return;
		in.report = &report;
		if (pn_profile_check(profile, &err))
			abort();
	}
	in.flame.icicle = options.cum_sort;
	in.flame.reversed = options.relative;
	in.flame.by_time = options.granularity == PN_BY_FILES;
	print(view, &in, PN_VIEW_TEXT);
	print(view, &in, PN_VIEW_JSON);
	if (view->svg)
		print(view, &in, PN_VIEW_SVG);
	if (view->html)
		print(view, &in, PN_VIEW_HTML);
	pn_report_release(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_report_options options;
	struct pn_profile profile;
	size_t i;

	if (size < 2)
		return 0;
	choose(&options, data[0] | (unsigned int)data[1] << 8);
	for (i = 0; pn_views[i]; i++) {
		if (!read_bytes(&profile, data + 2, size - 2)) {
			if (i % 2)
				pn_filter_drop_frames(&profile, NULL);
			show(&profile, pn_views[i], &options);
		}
		pn_profile_release(&profile);
	}
	return 0;
}
