/*
 * The view `raw`: everything a profile of samples holds, as pprof's -raw
 * prints it (profile.go, Profile.String). Ids are the places in the tables,
 * from 1, as in files that pprof wrote; the time is in UTC.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "render/header.h"
#include "render/renderer.h"
#include "render/sink.h"
#include "render/views/raw_json.h"

#include <stdlib.h>
#include <string.h>

static void add_string(struct pn_sink *out, const struct pn_profile *p,
		       uint32_t id)
{
	pn_sink_name(out, pn_profile_text(p, id),
		     pn_strtab_len(&p->strings, id));
}

static void add_trimmed(struct pn_buf *out, const char *digits, size_t len)
{
	while (len && digits[len - 1] == '0')
		len--;
	if (len) {
		pn_buf_add_byte(out, '.');
		pn_buf_add(out, digits, len);
	}
}

/* As Go prints a time: a fraction only as far as it has digits. */
static void time_line(struct pn_buf *out, int64_t time_ns)
{
	char time[PN_TIME_TEXT];

	pn_time_write(time, time_ns);
	pn_buf_printf(out, "Time: %.10s %.8s", time, time + 11);
	add_trimmed(out, time + 20, 9);
	pn_buf_add_text(out, " +0000 UTC\n");
}

static void add_decimal(struct pn_buf *out, uint64_t ns, uint64_t unit,
			const char *name)
{
	char digits[24];
	int len, places = 0;
	uint64_t power;

	for (power = 1; power < unit; power *= 10)
		places++;
	pn_buf_printf(out, "%llu", (unsigned long long)(ns / unit));
	len = snprintf(digits, sizeof(digits), "%0*llu", places,
		       (unsigned long long)(ns % unit));
	if (places)
		add_trimmed(out, digits, (size_t)len);
	pn_buf_add_text(out, name);
}

/* As Go's Duration is printed, "1h2m3.5s", and cut after four characters:
 * that is what its "%.4v" does. */
static void duration_line(struct pn_buf *out, int64_t duration_ns)
{
	uint64_t ns = duration_ns < 0 ? 0 - (uint64_t)duration_ns
				      : (uint64_t)duration_ns;
	const uint64_t second = 1000000000, minute = 60 * second;
	struct pn_buf text = {0};

	if (duration_ns < 0)
		pn_buf_add_byte(&text, '-');
	if (ns < 1000) {
		add_decimal(&text, ns, 1, "ns");
	} else if (ns < 1000000) {
		add_decimal(&text, ns, 1000, "\u00b5s");
	} else if (ns < second) {
		add_decimal(&text, ns, 1000000, "ms");
	} else {
		if (ns >= 60 * minute)
			pn_buf_printf(&text, "%lluh",
				      (unsigned long long)(ns / minute / 60));
		if (ns >= minute)
			pn_buf_printf(&text, "%llum",
				      (unsigned long long)(ns / minute % 60));
		add_decimal(&text, ns % minute, second, "s");
	}
	pn_buf_printf(out, "Duration: %.4s\n", pn_buf_text(&text));
	pn_buf_release(&text);
}

static void profile_lines(struct pn_sink *out, const struct pn_profile *p)
{
	size_t i;

	for (i = 0; i < p->comment_count; i++) {
		pn_buf_add_text(&out->text, "Comment: ");
		add_string(out, p, p->comments[i]);
		pn_buf_add_byte(&out->text, '\n');
	}
	if (p->doc_url) {
		pn_buf_add_text(&out->text, "Doc: ");
		add_string(out, p, p->doc_url);
		pn_buf_add_byte(&out->text, '\n');
	}
	if (p->period_type.type || p->period_type.unit) {
		pn_buf_add_text(&out->text, "PeriodType: ");
		add_string(out, p, p->period_type.type);
		pn_buf_add_byte(&out->text, ' ');
		add_string(out, p, p->period_type.unit);
		pn_buf_add_byte(&out->text, '\n');
	}
	pn_buf_printf(&out->text, "Period: %lld\n", (long long)p->period);
	if (p->time_ns)
		time_line(&out->text, p->time_ns);
	if (p->duration_ns)
		duration_line(&out->text, p->duration_ns);
	if (pn_profile_runs(p) > 1)
		pn_buf_printf(&out->text, "Runs: %u, values are sums\n",
			      pn_profile_runs(p));
	pn_buf_add_text(&out->text, "Samples:\n");
	for (i = 0; i < p->type_count; i++) {
		const struct pn_value_type *type = &p->types[i];

		if (i)
			pn_buf_add_byte(&out->text, ' ');
		add_string(out, p, type->type);
		pn_buf_add_byte(&out->text, '/');
		add_string(out, p, type->unit);
		if (p->default_type && type->type == p->default_type)
			pn_buf_add_text(&out->text, "[dflt]");
	}
	pn_buf_add_byte(&out->text, '\n');
}

struct keyed {
	const char *key;
	const struct pn_label *label;
};

static int by_key(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = strcmp(a->key, b->key);

	return order ? order : (a->label > b->label) - (a->label < b->label);
}

static bool is_number(const struct pn_label *label)
{
	return label->kind == PN_LABEL_INT || label->kind == PN_LABEL_DOUBLE;
}

/* "key:[value value]"; units only when one of the key's labels has one. */
static void label_group(struct pn_sink *out, const struct pn_profile *p,
			const struct keyed *labels, size_t count)
{
	char number[PN_NUMBER_TEXT];
	bool units = false;
	size_t i;

	for (i = 0; i < count; i++)
		units = units || labels[i].label->unit;
	pn_sink_name(out, labels->key, strlen(labels->key));
	pn_buf_add_text(&out->text, ":[");
	for (i = 0; i < count; i++) {
		const struct pn_label *label = labels[i].label;

		if (i)
			pn_buf_add_byte(&out->text, ' ');
		if (!is_number(label)) {
			add_string(out, p, label->value.s);
			continue;
		}
		if (label->kind == PN_LABEL_INT) {
			pn_buf_add_int(&out->text, label->value.i);
		} else {
			pn_number_write(number, label->value.d, false);
			pn_buf_add_text(&out->text, number);
		}
		if (units) {
			pn_buf_add_byte(&out->text, ' ');
			add_string(out, p, label->unit);
		}
	}
	pn_buf_add_byte(&out->text, ']');
}

static void label_lines(struct pn_sink *out, const struct pn_profile *p,
			uint32_t set, bool numbers)
{
	uint32_t at, end = p->label_set_start[set + 1];
	size_t n = 0, first, last;
	struct keyed *labels;

	at = p->label_set_start[set];
	labels = pn_realloc_array(NULL, end - at + 1, sizeof(*labels));
	for (; at < end; at++)
		if (is_number(&p->labels[at]) == numbers)
			labels[n++] = (struct keyed){
				pn_profile_text(p, p->labels[at].key),
				&p->labels[at]};
	qsort(labels, n, sizeof(*labels), by_key);
	for (first = 0; first < n; first = last) {
		for (last = first;
		     last < n && !strcmp(labels[last].key, labels[first].key);
		     last++)
			;
		pn_buf_add_text(&out->text, first ? " " : "                ");
		label_group(out, p, labels + first, last - first);
	}
	if (n)
		pn_buf_add_byte(&out->text, '\n');
	free(labels);
}

/* Without printf, in room for all of them: there are a million frames. */
static void add_ids(struct pn_buf *out, const uint32_t *frames, size_t count)
{
	char *start = (char *)pn_buf_reserve(out, count * PN_NUMBER_UINT_TEXT);
	char *to = start;
	size_t i;

	for (i = 0; i < count; i++) {
		to += pn_number_write_uint(to, (uint64_t)frames[i] + 1);
		*to++ = ' ';
	}
	*to = '\0';
	out->len += (size_t)(to - start);
}

/* As printf's "%*lld". */
static void add_right(struct pn_buf *out, int64_t value, size_t width)
{
	char text[PN_NUMBER_INT_TEXT];
	size_t len = pn_number_write_int(text, value);

	pn_buf_add_fill(out, ' ', width > len ? width - len : 0);
	pn_buf_add(out, text, len);
}

/* As printf's "0x%llx". */
static void add_hex(struct pn_buf *out, uint64_t value)
{
	char text[16];
	size_t at = sizeof(text);

	do
		text[--at] = "0123456789abcdef"[value & 15];
	while (value >>= 4);
	pn_buf_add_text(out, "0x");
	pn_buf_add(out, text + at, sizeof(text) - at);
}

static void sample_lines(struct pn_sink *out, const struct pn_profile *p,
			 size_t at)
{
	const struct pn_sample *sample = &p->samples[at];
	const union pn_value *row = p->values + at * p->type_count;
	char number[PN_NUMBER_TEXT];
	uint32_t first = p->stack_start[sample->stack];
	size_t i;

	for (i = 0; i < p->type_count; i++) {
		if (p->types[i].number == PN_NUMBER_INT) {
			pn_buf_add_byte(&out->text, ' ');
			add_right(&out->text, row[i].i, 10);
			continue;
		}
		pn_number_write(number, row[i].d, false);
		pn_buf_printf(&out->text, " %10s", number);
	}
	pn_buf_add_text(&out->text, ": ");
	add_ids(&out->text, p->frames + first,
		p->stack_start[sample->stack + 1] - first);
	pn_buf_add_byte(&out->text, '\n');
	if (sample->labels < p->label_set_count) {
		label_lines(out, p, sample->labels, false);
		label_lines(out, p, sample->labels, true);
	}
	pn_sink_drain(out);
}

static void location_line(struct pn_sink *out, const struct pn_profile *p,
			  const struct pn_line *line)
{
	const struct pn_function *f;

	if (line->function >= p->function_count) {
		pn_buf_add_text(&out->text, "??");
		return;
	}
	f = &p->functions[line->function];
	add_string(out, p, f->name);
	pn_buf_add_byte(&out->text, ' ');
	add_string(out, p, f->file);
	pn_buf_add_byte(&out->text, ':');
	pn_buf_add_int(&out->text, line->line);
	pn_buf_add_byte(&out->text, ':');
	pn_buf_add_int(&out->text, line->column);
	pn_buf_add_text(&out->text, " s=");
	pn_buf_add_int(&out->text, f->start_line);
	if (f->name != f->system_name) {
		pn_buf_add_byte(&out->text, '(');
		add_string(out, p, f->system_name);
		pn_buf_add_byte(&out->text, ')');
	}
}

static void location_lines(struct pn_sink *out, const struct pn_profile *p,
			   size_t at)
{
	const struct pn_location *location = &p->locations[at];
	uint32_t i;

	add_right(&out->text, (int64_t)at + 1, 6);
	pn_buf_add_text(&out->text, ": ");
	add_hex(&out->text, location->address);
	pn_buf_add_byte(&out->text, ' ');
	if (location->mapping < p->mapping_count) {
		pn_buf_add_text(&out->text, "M=");
		pn_buf_add_uint(&out->text, (uint64_t)location->mapping + 1);
		pn_buf_add_byte(&out->text, ' ');
	}
	if (location->folded)
		pn_buf_add_text(&out->text, "[F] ");
	for (i = 0; i < location->line_count; i++) {
		if (i)
			pn_buf_add_text(&out->text, "\n             ");
		location_line(out, p, &p->lines[location->line_first + i]);
	}
	pn_buf_add_byte(&out->text, '\n');
	pn_sink_drain(out);
}

static void mapping_line(struct pn_sink *out, const struct pn_profile *p,
			 size_t at)
{
	static const struct {
		unsigned int bit;
		const char *text;
	} flags[] = {{PN_MAPPING_FUNCTIONS, "[FN]"},
		     {PN_MAPPING_FILENAMES, "[FL]"},
		     {PN_MAPPING_LINES, "[LN]"},
		     {PN_MAPPING_INLINES, "[IN]"}};
	const struct pn_mapping *m = &p->mappings[at];
	size_t i;

	pn_buf_printf(&out->text, "%zu: 0x%llx/0x%llx/0x%llx ", at + 1,
		      (unsigned long long)m->start,
		      (unsigned long long)m->limit,
		      (unsigned long long)m->offset);
	add_string(out, p, m->file);
	pn_buf_add_byte(&out->text, ' ');
	add_string(out, p, m->build_id);
	pn_buf_add_byte(&out->text, ' ');
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (m->has & flags[i].bit)
			pn_buf_add_text(&out->text, flags[i].text);
	pn_buf_add_byte(&out->text, '\n');
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	const struct pn_profile *p = in->profile;
	size_t i;

	(void)err;
	profile_lines(out, p);
	for (i = 0; i < p->sample_count; i++)
		sample_lines(out, p, i);
	pn_buf_add_text(&out->text, "Locations\n");
	for (i = 0; i < p->location_count; i++)
		location_lines(out, p, i);
	pn_buf_add_text(&out->text, "Mappings\n");
	for (i = 0; i < p->mapping_count; i++)
		mapping_line(out, p, i);
	return 0;
}

const struct pn_view pn_view_raw = {
	.name = "raw",
	.summary = "samples, locations and mappings as they are",
	.needs = PN_VIEW_STACKS,
	.by_address = true,
	.own_rows = true,
	.text = text,
	.json = pn_raw_json,
};
