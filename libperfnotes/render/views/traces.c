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
	/* The last weight as text: most samples weigh the same. */
	int64_t weight;
	struct pn_buf value;
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

static inline const struct shown *line_of(const struct names *names,
					  uint32_t node, bool inlined)
{
	struct shown *shown = &names->shown[2 * (size_t)node + inlined];

	if (!shown->text)
		make_line(shown, names, node, inlined);
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
	*names = (struct names){.report = report, .columns = columns};
	names->shown =
		pn_calloc(2 * report->nodes.count + 1, sizeof(*names->shown));
}

static void names_release(struct names *names)
{
	size_t i;

	for (i = 0; i < 2 * names->report->nodes.count; i++)
		free(names->shown[i].text);
	free(names->shown);
	pn_buf_release(&names->value);
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

/* Lines of frames on their way to the sink. Room is made for many at once:
 * there may be millions. */
struct lines {
	struct pn_sink *out;
	struct names *names;
	unsigned char *to, *end; /* room in the sink's text */
};

static void make_room(struct lines *lines, size_t len)
{
	struct pn_buf *text = &lines->out->text;

	text->len = (size_t)(lines->to - text->data);
	pn_sink_drain(lines->out);
	lines->to = pn_buf_reserve(text, len + FRAMES_ROOM);
	lines->end = lines->to + len + FRAMES_ROOM;
}

/* Without its first `skip` blanks. */
static inline void print_line(struct lines *lines, uint32_t node, bool inlined,
			      size_t skip)
{
	const struct shown *line = line_of(lines->names, node, inlined);
	size_t len = line->len - skip;

	if (len > (size_t)(lines->end - lines->to))
		make_room(lines, len);
	memcpy(lines->to, line->text + skip, len);
	lines->to += len;
}

static void print_frames(struct pn_sink *out, struct names *names,
			 const struct pn_trace *trace)
{
	const struct pn_nodes *nodes = &names->report->nodes;
	const uint32_t *at = trace->locations,
		       *end = at + trace->location_count;
	struct pn_buf *text = &out->text;
	struct lines lines = {out, names, text->data + text->len,
			      text->data + text->len};
	size_t skip = MARGIN - 3; /* there is the value */
	uint32_t i;

	for (; at < end; at++) {
		if (nodes->single[*at] != PN_NODES_SEVERAL) {
			print_line(&lines, nodes->single[*at], false, skip);
			skip = 0;
			continue;
		}
		for (i = nodes->first[*at]; i < nodes->first[*at + 1]; i++) {
			print_line(&lines, nodes->of[i],
				   i + 1 < nodes->first[*at + 1], skip);
			skip = 0;
		}
	}
	text->len = (size_t)(lines.to - text->data);
	*lines.to = '\0';
}

static void print_trace(struct pn_sink *out, struct names *names,
			const struct pn_trace *trace)
{
	pn_buf_add_text(&out->text, separator);
	if (trace->label_count) {
		print_labels(out, names->report, trace, false);
		print_labels(out, names->report, trace, true);
	}
	if (!names->value.len || trace->weight != names->weight) {
		pn_buf_clear(&names->value);
		pn_report_value(&names->value, names->report, trace->weight);
		names->weight = trace->weight;
	}
	pn_sink_right(out, pn_buf_text(&names->value), MARGIN - 3);
	print_frames(out, names, trace);
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

static bool has_frames(const struct names *names, const struct pn_trace *trace)
{
	const uint32_t *first = names->report->nodes.first;
	size_t i;

	for (i = 0; i < trace->location_count; i++)
		if (first[trace->locations[i]] < first[trace->locations[i] + 1])
			return true;
	return false;
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct names names;
	struct pn_trace trace;
	size_t i;

	(void)err;
	names_init(&names, in->report, in->columns);
	pn_print_header(out, in->report, false);
	for (i = 0; i < in->profile->sample_count; i++) {
		if (!has_value(in->report->profile, i))
			continue;
		pn_trace_fill(&trace, in->report, i);
		if (has_frames(&names, &trace))
			print_trace(out, &names, &trace);
	}
	pn_buf_add_text(&out->text, separator);
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

static void json_frame(struct pn_sink *out, struct names *names, uint32_t node,
		       bool inlined)
{
	pn_json_open(&out->json, '{');
	pn_json_member(&out->json, "name", name_of(names, node));
	if (inlined) {
		pn_json_key(&out->json, "inlined");
		pn_json_bool(&out->json, true);
	}
	pn_json_close(&out->json, '}');
	pn_sink_drain(out);
}

static void json_trace(struct pn_sink *out, struct names *names,
		       const struct pn_trace *trace)
{
	const struct pn_nodes *nodes = &names->report->nodes;
	uint32_t at, end;
	size_t i;

	pn_json_open(&out->json, '{');
	pn_print_weight_json(out, "value", names->report, trace->weight);
	if (trace->label_count)
		json_labels(out, names->report, trace);
	pn_json_key(&out->json, "frames");
	pn_json_open(&out->json, '[');
	for (i = 0; i < trace->location_count; i++) {
		at = nodes->first[trace->locations[i]];
		end = nodes->first[trace->locations[i] + 1];
		for (; at < end; at++)
			json_frame(out, names, nodes->of[at], at + 1 < end);
	}
	pn_json_close(&out->json, ']');
	pn_json_close(&out->json, '}');
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct names names;
	struct pn_trace trace;
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
	names_release(&names);
	return 0;
}

const struct pn_view pn_view_traces = {
	.name = "traces",
	.summary = "the samples one by one, with labels and frames",
	.needs = PN_VIEW_STACKS,
	.by_sample = true,
	.nodes_only = PN_VIEW_FORMS_ALL,
	.unit = PN_UNIT_AUTO,
	.text = text,
	.json = json,
};
