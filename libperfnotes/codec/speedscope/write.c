/*
 * Writing speedscope's format: one sampled profile a value type, or one a
 * thread and value type where the times of samples are known, so that one
 * export gives everyone a viewer. Inlined functions are frames of their own.
 */
#include "base/alloc.h"
#include "base/json/json.h"
#include "base/strtab.h"
#include "codec/speedscope/ordered.h"
#include "codec/speedscope/speedscope.h"
#include "model/unnamed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct encoder {
	const struct pn_profile *p;
	struct pn_json_writer *w;
	struct pn_strtab frames; /* name, file, line, column: their order */
	uint32_t *first;	 /* by location: in `indices`, count + 1 */
	uint32_t *indices;	 /* frames of a location, innermost first */
};

/* The units of the schema by what the model calls them. */
static const char *unit_called(const char *unit)
{
	static const char *const names[][2] = {
		{"ns", "nanoseconds"},	{"nanoseconds", "nanoseconds"},
		{"us", "microseconds"}, {"microseconds", "microseconds"},
		{"ms", "milliseconds"}, {"milliseconds", "milliseconds"},
		{"s", "seconds"},	{"seconds", "seconds"},
		{"B", "bytes"},		{"bytes", "bytes"},
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(unit, names[i][0]))
			return names[i][1];
	return NULL;
}

bool pn_speedscope_has_unit(const char *unit)
{
	return unit_called(unit) != NULL;
}

static const char *unit_of(const struct pn_profile *p, size_t type)
{
	const char *unit = unit_called(pn_profile_text(p, p->types[type].unit));

	return unit ? unit : "none";
}

/* A frame that nobody named is its address. */
static uint32_t name_address(struct encoder *e, const struct pn_location *l)
{
	char name[32];
	int len = snprintf(name, sizeof(name), "0x%" PRIx64, l->address);
	/* such keys have another length than those of functions */
	size_t had = e->frames.count;
	uint32_t id = pn_strtab_add(&e->frames, name, (size_t)len);

	if (e->frames.count != had) {
		pn_json_open(e->w, '{');
		pn_json_member(e->w, "name", name);
		if (l->mapping != PN_NONE)
			pn_json_member(
				e->w, "file",
				pn_profile_text(
					e->p, e->p->mappings[l->mapping].file));
		pn_json_close(e->w, '}');
	}
	return id - 1;
}

static uint32_t name_line(struct encoder *e, const struct pn_line *line)
{
	const struct pn_function *f = &e->p->functions[line->function];
	uint64_t key[4] = {f->name, f->file, (uint64_t)line->line,
			   (uint64_t)line->column};
	size_t had = e->frames.count;
	uint32_t id = pn_strtab_add(&e->frames, key, sizeof(key));

	if (e->frames.count == had)
		return id - 1;
	pn_json_open(e->w, '{');
	pn_json_key(e->w, "name");
	pn_json_string_n(e->w, pn_profile_text(e->p, f->name),
			 pn_strtab_len(&e->p->strings, f->name));
	pn_json_member(e->w, "file", pn_profile_text(e->p, f->file));
	if (line->line > 0)
		pn_json_member_int(e->w, "line", line->line);
	if (line->column > 0)
		pn_json_member_int(e->w, "col", line->column);
	pn_json_close(e->w, '}');
	return id - 1;
}

static void write_frames(struct encoder *e)
{
	const struct pn_profile *p = e->p;
	uint32_t i, n, at = 0;

	e->first = pn_calloc(p->location_count + 1, sizeof(*e->first));
	e->indices = pn_calloc(p->line_count + p->location_count + 1,
			       sizeof(*e->indices));
	pn_json_key(e->w, "shared");
	pn_json_open(e->w, '{');
	pn_json_key(e->w, "frames");
	pn_json_open(e->w, '[');
	for (i = 0; i < p->location_count; i++) {
		const struct pn_location *l = &p->locations[i];

		if (!l->line_count)
			e->indices[at++] = name_address(e, l);
		for (n = 0; n < l->line_count; n++)
			e->indices[at++] =
				name_line(e, &p->lines[l->line_first + n]);
		e->first[i + 1] = at;
	}
	pn_json_close(e->w, ']');
	pn_json_close(e->w, '}');
}

static bool has_weight(const struct pn_profile *p, size_t sample, size_t type)
{
	union pn_value v = p->values[sample * p->type_count + type];

	return p->types[type].number == PN_NUMBER_INT ? v.i != 0 : v.d != 0;
}

/* Root first. */
static void write_stack(struct encoder *e, uint32_t stack)
{
	const struct pn_profile *p = e->p;
	uint32_t i, n;

	pn_json_open(e->w, '[');
	for (i = p->stack_start[stack + 1]; i > p->stack_start[stack]; i--) {
		uint32_t l = p->frames[i - 1];

		for (n = e->first[l + 1]; n > e->first[l]; n--)
			pn_json_uint(e->w, e->indices[n - 1]);
	}
	pn_json_close(e->w, ']');
}

static struct pn_ordered_sample sample_of(const struct pn_profile *p,
					  size_t sample, size_t type)
{
	return (struct pn_ordered_sample){
		.stack = p->samples[sample].stack,
		.thread = PN_NONE,
		.time_ns = INT64_MAX,
		.value = p->values[sample * p->type_count + type],
	};
}

static void list_samples(struct pn_ordered *out, const struct pn_profile *p,
			 size_t type)
{
	size_t i;

	if (pn_ordered_of(out, p, type))
		return;
	out->items = pn_calloc(p->sample_count + 1, sizeof(*out->items));
	for (i = 0; i < p->sample_count; i++)
		if (has_weight(p, i, type))
			out->items[out->count++] = sample_of(p, i, type);
}

/* The weights; their sum is the profile's end. */
static void write_weights(struct encoder *e, size_t type,
			  const struct pn_ordered_sample *samples, size_t count)
{
	const struct pn_profile *p = e->p;
	uint64_t whole = 0;
	double sum = 0;
	size_t i;

	pn_json_key(e->w, "weights");
	pn_json_open(e->w, '[');
	for (i = 0; i < count; i++) {
		union pn_value v = samples[i].value;

		if (p->types[type].number == PN_NUMBER_INT) {
			whole += (uint64_t)v.i;
			pn_json_int(e->w, v.i);
		} else {
			sum += v.d;
			pn_json_double(e->w, v.d);
		}
	}
	pn_json_close(e->w, ']');
	pn_json_key(e->w, "endValue");
	if (p->types[type].number == PN_NUMBER_INT)
		pn_json_int(e->w, (int64_t)whole);
	else
		pn_json_double(e->w, sum);
}

/* Whether a thread was read from a file that is written below. */
static bool is_named(const char *thread, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(thread, name, len) &&
	       (!thread[len] || !strncmp(thread + len, ": ", 2));
}

/* "cpu", or "cpu: worker 4711" where samples are told by thread. */
static void write_name(struct encoder *e, size_t type, uint32_t thread)
{
	const struct pn_profile *p = e->p;
	const char *name = pn_profile_text(p, p->types[type].type);
	const struct pn_thread *t;
	struct pn_buf text = {0};

	if (thread != PN_NONE && p->events.thread_count > 1) {
		t = &p->events.threads[thread];
		if (!is_named(pn_profile_text(p, t->name), name))
			pn_buf_printf(&text, "%s: ", name);
		pn_buf_printf(&text, "%s%s%s", pn_profile_text(p, t->name),
			      t->name && t->id ? " " : "",
			      pn_profile_text(p, t->id));
	} else {
		pn_buf_add_text(&text, name);
	}
	pn_json_member(e->w, "name", pn_buf_text(&text));
	pn_buf_release(&text);
	/* ours: which profiles are of one value type, and in order */
	if (p->events.count)
		pn_json_member(e->w, PN_SPEEDSCOPE_TYPE, name);
}

static void write_part(struct encoder *e, size_t type,
		       const struct pn_ordered_sample *samples, size_t count)
{
	size_t i;

	pn_json_open(e->w, '{');
	pn_json_member(e->w, "type", "sampled");
	write_name(e, type, count ? samples->thread : PN_NONE);
	pn_json_member(e->w, "unit", unit_of(e->p, type));
	pn_json_member_int(e->w, "startValue", 0);
	pn_json_key(e->w, "samples");
	pn_json_open(e->w, '[');
	for (i = 0; i < count; i++)
		write_stack(e, samples[i].stack);
	pn_json_close(e->w, ']');
	write_weights(e, type, samples, count);
	pn_json_close(e->w, '}');
}

/* Returns how many profiles it is: one, or one a thread. */
static size_t write_type(struct encoder *e, size_t type)
{
	struct pn_ordered list;
	size_t i, first = 0, parts = 0;

	list_samples(&list, e->p, type);
	for (i = 1; i <= list.count; i++) {
		if (i < list.count &&
		    list.items[i].thread == list.items[first].thread)
			continue;
		write_part(e, type, list.items + first, i - first);
		first = i;
		parts++;
	}
	if (!list.count)
		write_part(e, type, NULL, 0);
	pn_ordered_release(&list);
	return parts ? parts : 1;
}

static size_t default_type(const struct pn_profile *p)
{
	size_t i;

	for (i = 0; p->default_type && i < p->type_count; i++)
		if (p->types[i].type == p->default_type)
			return i;
	return p->type_count - 1;
}

static int write_named(struct pn_buf *out, const struct pn_profile *p,
		       struct pn_error *err)
{
	struct pn_json_writer writer;
	struct encoder e = {.p = p, .w = &writer};
	const char *name = pn_profile_text(p, p->header.name);
	size_t i, parts = 0, active = 0;

	if (!p->sample_count)
		return pn_error_set(err, PN_EINVAL,
				    "format speedscope needs stacks, the "
				    "profile has none");
	pn_json_writer_init(&writer, out, 0);
	pn_json_open(&writer, '{');
	pn_json_member(&writer, "$schema", PN_SPEEDSCOPE_SCHEMA);
	pn_json_member(&writer, "exporter", PN_SPEEDSCOPE_EXPORTER);
	if (!*name)
		name = pn_profile_text(p, p->header.cmd);
	pn_json_member(&writer, "name", name);
	write_frames(&e);
	pn_json_key(&writer, "profiles");
	pn_json_open(&writer, '[');
	for (i = 0; i < p->type_count; i++) {
		if (i == default_type(p))
			active = parts;
		parts += write_type(&e, i);
	}
	pn_json_close(&writer, ']');
	pn_json_member_int(&writer, "activeProfileIndex", (int64_t)active);
	pn_json_close(&writer, '}');
	pn_buf_add_byte(out, '\n');
	pn_strtab_release(&e.frames);
	free(e.first);
	free(e.indices);
	return 0;
}

int pn_speedscope_write(struct pn_buf *out, const struct pn_profile *p,
			struct pn_error *err)
{
	return pn_unnamed_write(out, p, write_named, err);
}
