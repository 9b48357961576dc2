/* The view `traces`: the samples one by one, with labels, value and frames
 * (pprof's layout: report.go, printTraces). */
#include "analysis/traces.h"
#include "analysis/tags.h"
#include "base/alloc.h"
#include "base/escape.h"
#include "base/text/width.h"
#include "model/unit.h"
#include "render/header.h"
#include "render/renderer.h"
#include "render/sink.h"

#include <stdlib.h>
#include <string.h>

static const char separator[] =
	"-----------+-------------------------------------------------------\n";

#define NAME_MIN 8 /* columns that a name keeps */
#define MARGIN 13  /* before a name: the value and what parts them */
#define FRAMES_ROOM 4096

/* Of a node what is printed for each frame, made when it is first needed: for
 * people a line with its margin, for JSON the name. */
struct shown {
	char *text;
	size_t len;
};

struct names {
	const struct pn_report *report;
	size_t columns;	     /* of a line; 0: any number */
	struct shown *shown; /* two a node: as it is, and inlined */
};

static void make_line(struct shown *shown, const struct names *names,
		      uint32_t node, bool inlined)
{
	struct pn_buf name = {0}, safe = {0}, line = {0};
	const char *behind = inlined ? " (inline)" : "";
	size_t taken = MARGIN + strlen(behind);

	pn_nodes_name(&name, &names->report->nodes, node);
	pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
	pn_buf_printf(&line, "%*s", MARGIN, "");
	if (names->columns > taken + NAME_MIN)
		pn_text_fit_name(&line, pn_buf_text(&safe), safe.len,
				 names->columns - taken);
	else
		pn_buf_add(&line, pn_buf_text(&safe), safe.len);
	pn_buf_printf(&line, "%s\n", behind);
	pn_buf_release(&safe);
	shown->len = line.len;
	shown->text = pn_buf_detach(&line);
	pn_buf_release(&name);
}

static const struct shown *line_of(const struct names *names,
				   const struct pn_trace_frame *frame)
{
	struct shown *shown =
		&names->shown[2 * (size_t)frame->node + frame->inlined];

	if (!shown->text)
		make_line(shown, names, frame->node, frame->inlined);
	return shown;
}

static const char *name_of(struct names *names, uint32_t node)
{
	struct shown *shown = &names->shown[2 * (size_t)node];
	struct pn_buf name = {0};

	if (shown->text)
		return shown->text;
	pn_nodes_name(&name, &names->report->nodes, node);
	shown->text = pn_buf_detach(&name);
	return shown->text;
}

static void names_init(struct names *names, const struct pn_report *report,
		       size_t columns)
{
	names->report = report;
	names->columns = columns;
	names->shown =
		pn_calloc(2 * report->nodes.count + 1, sizeof(*names->shown));
}

static void names_release(struct names *names)
{
	size_t i;

	for (i = 0; i < 2 * names->report->nodes.count; i++)
		free(names->shown[i].text);
	free(names->shown);
}

static bool is_number(const struct pn_label *label)
{
	return label->kind == PN_LABEL_INT || label->kind == PN_LABEL_DOUBLE;
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

struct keyed {
	uint32_t key;
	const struct pn_label *label;
};

static int by_key(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->label > b->label) - (a->label < b->label);
}

/* "key:  value value" for labels of one key. */
static char *label_line(const struct pn_report *report,
			const struct keyed *labels, size_t count)
{
	struct pn_buf raw = {0}, line = {0};
	size_t i;

	pn_buf_printf(&raw,
		      "%10s: ", pn_profile_text(report->profile, labels->key));
	for (i = 0; i < count; i++) {
		pn_buf_add_byte(&raw, ' ');
		pn_tag_text(&raw, report, labels[i].label, PN_UNIT_AUTO);
	}
	pn_escape_terminal(&line, pn_buf_text(&raw), raw.len);
	pn_buf_release(&raw);
	return pn_buf_detach(&line);
}

/* The labels that are numbers, or the others: a line a key, in order. */
static void print_labels(struct pn_sink *out, const struct pn_report *report,
			 const struct pn_trace *trace, bool numbers)
{
	size_t i, first, count = 0, n = 0;
	struct keyed *labels =
		pn_realloc_array(NULL, trace->label_count + 1, sizeof(*labels));
	char **lines =
		pn_realloc_array(NULL, trace->label_count + 1, sizeof(*lines));

	for (i = 0; i < trace->label_count; i++)
		if (is_number(&trace->labels[i]) == numbers)
			labels[count++] = (struct keyed){trace->labels[i].key,
							 &trace->labels[i]};
	qsort(labels, count, sizeof(*labels), by_key);
	for (first = 0; first < count; first = i) {
		for (i = first; i < count && labels[i].key == labels[first].key;
		     i++)
			;
		lines[n++] = label_line(report, labels + first, i - first);
	}
	qsort(lines, n, sizeof(*lines), by_text);
	for (i = 0; i < n; i++) {
		pn_buf_add_text(&out->text, lines[i]);
		pn_buf_add_byte(&out->text, '\n');
		free(lines[i]);
	}
	free(lines);
	free(labels);
}

/* Room is made for many at once: there may be millions. */
static void print_frames(struct pn_sink *out, struct names *names,
			 const struct pn_trace *trace)
{
	struct pn_buf *text = &out->text;
	size_t i, len, room = 0, skip = MARGIN - 3; /* there is the value */

	for (i = 0; i < trace->frame_count; i++, skip = 0) {
		const struct shown *line = line_of(names, &trace->frames[i]);

		len = line->len - skip;
		if (len > room) {
			pn_sink_drain(out);
			room = len + FRAMES_ROOM;
			pn_buf_reserve(text, room);
		}
		memcpy(text->data + text->len, line->text + skip, len);
		text->len += len;
		room -= len;
	}
	text->data[text->len] = '\0';
}

static void print_trace(struct pn_sink *out, struct names *names,
			const struct pn_trace *trace)
{
	struct pn_buf value = {0};

	pn_buf_add_text(&out->text, separator);
	if (trace->label_count) {
		print_labels(out, names->report, trace, false);
		print_labels(out, names->report, trace, true);
	}
	pn_report_value(&value, names->report, trace->weight);
	pn_sink_right(out, pn_buf_text(&value), MARGIN - 3);
	print_frames(out, names, trace);
	pn_buf_release(&value);
}

/* pprof leaves samples out whose values are all 0 (profile.Merge). */
static bool has_value(const struct pn_profile *p, size_t sample)
{
	const union pn_value *row = p->values + sample * p->type_count;
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (p->types[i].number == PN_NUMBER_DOUBLE ? row[i].d != 0
							   : row[i].i != 0)
			return true;
	return false;
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct names names;
	struct pn_trace trace = {0};
	size_t i;

	(void)err;
	names_init(&names, in->report, in->columns);
	pn_print_header(out, in->report, false);
	for (i = 0; i < in->profile->sample_count; i++) {
		if (!has_value(in->report->profile, i))
			continue;
		pn_trace_fill(&trace, in->report, i);
		if (trace.frame_count)
			print_trace(out, &names, &trace);
	}
	pn_buf_add_text(&out->text, separator);
	pn_trace_release(&trace);
	names_release(&names);
	return 0;
}

static void json_labels(struct pn_sink *out, const struct pn_report *report,
			const struct pn_trace *trace)
{
	const struct pn_profile *p = report->profile;
	size_t i;

	pn_json_key(&out->json, "labels");
	pn_json_open(&out->json, '[');
	for (i = 0; i < trace->label_count; i++) {
		const struct pn_label *label = &trace->labels[i];

		pn_json_open(&out->json, '{');
		pn_json_member(&out->json, "key",
			       pn_profile_text(p, label->key));
		if (label->kind == PN_LABEL_INT)
			pn_json_member_int(&out->json, "value", label->value.i);
		else if (label->kind == PN_LABEL_DOUBLE)
			pn_json_member_double(&out->json, "value",
					      label->value.d);
		else
			pn_json_member(&out->json, "value",
				       pn_profile_text(p, label->value.s));
		if (label->unit)
			pn_json_member(&out->json, "unit",
				       pn_profile_text(p, label->unit));
		pn_json_close(&out->json, '}');
	}
	pn_json_close(&out->json, ']');
}

static void json_trace(struct pn_sink *out, struct names *names,
		       const struct pn_trace *trace)
{
	size_t i;

	pn_json_open(&out->json, '{');
	pn_print_weight_json(out, "value", names->report, trace->weight);
	if (trace->label_count)
		json_labels(out, names->report, trace);
	pn_json_key(&out->json, "frames");
	pn_json_open(&out->json, '[');
	for (i = 0; i < trace->frame_count; i++) {
		const struct pn_trace_frame *frame = &trace->frames[i];

		pn_json_open(&out->json, '{');
		pn_json_member(&out->json, "name", name_of(names, frame->node));
		if (frame->inlined) {
			pn_json_key(&out->json, "inlined");
			pn_json_bool(&out->json, true);
		}
		pn_json_close(&out->json, '}');
		pn_sink_drain(out);
	}
	pn_json_close(&out->json, ']');
	pn_json_close(&out->json, '}');
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct names names;
	struct pn_trace trace = {0};
	size_t i;

	(void)err;
	names_init(&names, in->report, 0);
	pn_print_header_json(out, in->report);
	pn_json_key(&out->json, "rows");
	pn_json_open(&out->json, '[');
	for (i = 0; i < in->profile->sample_count; i++) {
		pn_trace_fill(&trace, in->report, i);
		json_trace(out, &names, &trace);
	}
	pn_json_close(&out->json, ']');
	pn_trace_release(&trace);
	names_release(&names);
	return 0;
}

const struct pn_view pn_view_traces = {
	.name = "traces",
	.summary = "the samples one by one, with labels and frames",
	.needs = PN_VIEW_STACKS,
	.by_sample = true,
	.unit = PN_UNIT_AUTO,
	.text = text,
	.json = json,
};
