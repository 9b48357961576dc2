/* The view `tags`: what each label weighs. The layout is pprof's (report.go,
 * printTags): cells flush right in columns that a blank line ends. */
#include "analysis/tags.h"
#include "base/escape.h"
#include "model/unit.h"
#include "render/header.h"
#include "render/renderer.h"
#include "render/sink.h"

#include <string.h>

static void describe(struct pn_buf *out, const struct pn_report *report,
		     int64_t weight)
{
	pn_buf_clear(out);
	pn_report_value(out, report, weight);
	if (report->total > 0) {
		pn_buf_add_text(out, " (");
		pn_report_share(out, report, weight);
		pn_buf_add_byte(out, ')');
	}
	pn_buf_add_byte(out, ':');
}

/* Returns the width of the first column: the key's, its colon, a blank. */
static size_t total_line(struct pn_sink *out, const struct pn_report *report,
			 const struct pn_tag_key *key)
{
	struct pn_buf name = {0}, line = {0};
	size_t width;

	pn_escape_terminal(&name, key->name, strlen(key->name));
	width = pn_sink_width(pn_buf_text(&name), name.len);
	pn_buf_add_text(&line, ": Total ");
	pn_report_value(&line, report, key->total);
	pn_buf_add_text(&line, " of ");
	pn_report_value(&line, report, report->total);
	if (report->total > 0) {
		pn_buf_add_text(&line, " (");
		pn_report_share(&line, report, key->total);
		pn_buf_add_byte(&line, ')');
	}
	pn_buf_printf(&out->text, " %s", pn_buf_text(&name));
	pn_sink_name(out, pn_buf_text(&line), line.len);
	pn_buf_add_byte(&out->text, '\n');
	pn_buf_release(&name);
	pn_buf_release(&line);
	return width + 2;
}

/* The first column holds the key, the second the weights. */
static void print_key(struct pn_sink *out, const struct pn_report *report,
		      const struct pn_tags *tags, const struct pn_tag_key *key)
{
	const struct pn_tag *tag = tags->tags + key->first;
	const struct pn_tag *end = tag + key->count;
	size_t indent = total_line(out, report, key), width = 0;
	struct pn_buf value = {0};

	for (; tag < end; tag++) {
		size_t have;

		describe(&value, report, tag->weight);
		have = pn_sink_width(pn_buf_text(&value), value.len) + 1;
		if (have > width)
			width = have;
	}
	for (tag = tags->tags + key->first; tag < end; tag++) {
		describe(&value, report, tag->weight);
		pn_sink_right(out, "", indent);
		pn_sink_right(out, pn_buf_text(&value), width);
		pn_buf_add_byte(&out->text, ' ');
		pn_sink_name(out, tag->text, strlen(tag->text));
		pn_buf_add_byte(&out->text, '\n');
		pn_sink_drain(out);
	}
	pn_buf_add_byte(&out->text, '\n');
	pn_buf_release(&value);
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_tags tags;
	size_t i;

	(void)err;
	pn_tags_init(&tags, in->report);
	for (i = 0; i < tags.key_count; i++)
		print_key(out, in->report, &tags, &tags.keys[i]);
	pn_tags_release(&tags);
	return 0;
}

static void json_key(struct pn_sink *out, const struct pn_report *report,
		     const struct pn_tags *tags, const struct pn_tag_key *key)
{
	size_t i;

	pn_json_open(&out->json, '{');
	pn_json_member(&out->json, "key", key->name);
	pn_print_weight_json(out, "weight", report, key->total);
	pn_json_key(&out->json, "values");
	pn_json_open(&out->json, '[');
	for (i = key->first; i < key->first + key->count; i++) {
		pn_json_open(&out->json, '{');
		pn_json_key(&out->json, "value");
		pn_json_string(&out->json, tags->tags[i].text);
		pn_print_weight_json(out, "weight", report,
				     tags->tags[i].weight);
		pn_json_close(&out->json, '}');
		pn_sink_drain(out);
	}
	pn_json_close(&out->json, ']');
	pn_json_close(&out->json, '}');
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_tags tags;
	size_t i;

	(void)err;
	pn_tags_init(&tags, in->report);
	pn_print_header_json(out, in->report);
	pn_json_key(&out->json, "rows");
	pn_json_open(&out->json, '[');
	for (i = 0; i < tags.key_count; i++)
		json_key(out, in->report, &tags, &tags.keys[i]);
	pn_json_close(&out->json, ']');
	pn_tags_release(&tags);
	return 0;
}

const struct pn_view pn_view_tags = {
	.name = "tags",
	.summary = "what each label of the samples weighs",
	.needs = PN_VIEW_STACKS,
	.by_sample = true,
	.unit = PN_UNIT_AUTO,
	.text = text,
	.json = json,
};
