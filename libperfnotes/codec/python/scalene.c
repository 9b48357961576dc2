/*
 * scalene's JSON (--json): for each line of each file its part of the time, in
 * Python, native code and the system, and what it allocated. ScaleneJSON of
 * github.com/plasma-umass/scalene, 1.5. Parts are per cent of all samples: the
 * time of a line is that part of "elapsed_time_sec", as its report has it.
 *
 * Lines do not say their function. Functions say where they begin and what
 * their lines add up to, so the lines behind its beginning are a function's
 * until they are that much.
 */
#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/counters.h"
#include "codec/frames.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"

#include <math.h>
#include <stdlib.h>

#define MIB 1048576.0
#define NEAR 1e-6 /* sums of the same numbers in another order */

/* A line, or a function with the sums of its lines. */
struct line {
	uint32_t text;
	int64_t number;
	double python, native, system; /* per cent */
	double allocated_mb, peak_mb;
};

struct list {
	struct line *items;
	size_t count, cap;
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct list lines, functions; /* of one file */
	struct pn_counters course;    /* of memory */
	struct line *lines_of_all;
	uint32_t *files; /* by line of all */
	uint32_t *names;
	size_t count, cap, files_cap, names_cap;
	double elapsed_s, footprint_mb;
	uint32_t program;
	bool has_files;
};

static const struct pn_json_field line_fields[] = {
	PN_JSON_FIELD("line", line, text),
	PN_JSON_FIELD("lineno", line, number),
	PN_JSON_FIELD("n_cpu_percent_python", line, python),
	PN_JSON_FIELD("n_cpu_percent_c", line, native),
	PN_JSON_FIELD("n_sys_percent", line, system),
	PN_JSON_FIELD("n_malloc_mb", line, allocated_mb),
	PN_JSON_FIELD("n_peak_mb", line, peak_mb),
	{0},
};

/* What is not finite or below 0 is a mistake of rounding there. */
static double amount(double value)
{
	return value > 0 ? value : 0;
}

static int take(struct list *list, struct decoder *d, struct pn_json *json,
		enum pn_json_event first, struct pn_error *err)
{
	struct line l = {0};
	int code = pn_json_walk_object(&l, &d->p->strings, json, first,
				       line_fields, err);

	l.python = amount(l.python);
	l.native = amount(l.native);
	l.system = amount(l.system);
	l.allocated_mb = amount(l.allocated_mb);
	l.peak_mb = amount(l.peak_mb);
	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	list->items[list->count++] = l;
	return code;
}

static int take_line(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct decoder *d = to;

	return take(&d->lines, d, json, first, err);
}

static int take_function(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	struct decoder *d = to;

	return take(&d->functions, d, json, first, err);
}

static int by_number(const void *a, const void *b)
{
	const struct line *l = a, *r = b;

	return (l->number > r->number) - (l->number < r->number);
}

static double weight(const struct line *l)
{
	return l->python + l->native + l->system + l->allocated_mb;
}

static void add_line(struct decoder *d, const struct line *line, uint32_t file,
		     uint32_t name)
{
	d->lines_of_all = pn_grow(d->lines_of_all, &d->cap, d->count + 1,
				  sizeof(*d->lines_of_all));
	d->files = pn_grow(d->files, &d->files_cap, d->count + 1,
			   sizeof(*d->files));
	d->names = pn_grow(d->names, &d->names_cap, d->count + 1,
			   sizeof(*d->names));
	d->lines_of_all[d->count] = *line;
	d->files[d->count] = file;
	d->names[d->count++] = name;
}

/* The lines of a file, both lists in order of lines. */
static void take_file(struct decoder *d, uint32_t file)
{
	const struct line *f = d->functions.items;
	uint32_t module = pn_strtab_add_text(&d->p->strings, "<module>");
	size_t i, at = 0, n = d->functions.count;
	double left = 0;

	if (d->lines.count)
		qsort(d->lines.items, d->lines.count, sizeof(*f), by_number);
	if (n)
		qsort(d->functions.items, n, sizeof(*f), by_number);
	for (i = 0; i < d->lines.count; i++) {
		const struct line *l = &d->lines.items[i];

		while (at < n && f[at].number <= l->number)
			left = weight(&f[at++]);
		if (at && weight(l) <= left + NEAR && left > NEAR) {
			left -= weight(l);
			add_line(d, l, file, f[at - 1].text);
		} else {
			add_line(d, l, file, module);
		}
	}
	d->lines.count = d->functions.count = 0;
}

/* [<ns since the start>, <MB>]; what is anything else is left out. */
static int take_point(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	struct pn_counters *c = to;
	struct pn_strtab *strings = &c->p->strings;
	enum pn_json_event event;
	struct pn_counter of = {0};
	double pair[2] = {0}, value;
	size_t n = 0;
	int code = 0;

	if (first != PN_JSON_ARRAY)
		return pn_json_skip(json, first, err);
	while (!(code = pn_json_next(&event, json, err)) &&
	       event != PN_JSON_ARRAY_END) {
		code = pn_json_take_double_or_nan(&value, json, event, err);
		if (code)
			return code;
		if (n < 2)
			pair[n] = value;
		n++;
	}
	if (!code && n == 2) {
		of.name = pn_strtab_add_text(strings, "footprint");
		of.unit = pn_strtab_add_text(strings, "bytes");
		pn_counters_add(c, pn_counters_at(c, &of), pair[0] / 1e6,
				pair[1] * MIB);
	}
	return code;
}

static int take_course(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	if (first != PN_JSON_ARRAY)
		return pn_json_skip(json, first, err);
	return pn_json_walk_array(to, json, first, take_point, err);
}

static int take_files(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"lines", .each = take_line},
		{"functions", .each = take_function},
		{0},
	};
	struct decoder *d = to;
	enum pn_json_event event;
	uint32_t file;
	int code = 0;

	if (first != PN_JSON_OBJECT)
		return pn_json_fail(json, err, "expected an object");
	d->has_files = true;
	while (!code) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_OBJECT_END)
			break;
		file = pn_strtab_add(&d->p->strings, pn_json_text(json),
				     pn_json_len(json));
		code = pn_json_next(&event, json, err);
		if (!code)
			code = pn_json_walk_object(d, &d->p->strings, json,
						   event, fields, err);
		if (!code)
			take_file(d, file);
	}
	return code;
}

static const struct {
	const char *name, *unit;
	enum pn_role role;
} types[] = {{"peak", "bytes", PN_ROLE_PEAK},
	     {"allocated", "bytes", PN_ROLE_SUM},
	     {"system", "nanoseconds", PN_ROLE_SUM},
	     {"native", "nanoseconds", PN_ROLE_SUM},
	     {"python", "nanoseconds", PN_ROLE_SUM},
	     {"time", "nanoseconds", PN_ROLE_SUM}};
#define TYPES (sizeof(types) / sizeof(*types))

static int add_sample(struct decoder *d, size_t at, struct pn_error *err)
{
	const struct line *l = &d->lines_of_all[at];
	double ns = d->elapsed_s * 1e7; /* of one per cent */
	double v[TYPES] = {
		l->peak_mb * MIB, l->allocated_mb * MIB,
		l->system * ns,	  l->native * ns,
		l->python * ns,	  (l->system + l->native + l->python) * ns};
	struct pn_frame f = {.name = d->names[at],
			     .file = d->files[at],
			     .mapping = PN_NONE,
			     .line = l->number};
	union pn_value row[TYPES];
	uint32_t location;
	bool any = false;
	size_t i;

	for (i = 0; i < TYPES; i++) {
		if (!(v[i] < 9e18))
			return pn_error_set(err, PN_ERANGE,
					    "line %zu of all: %s beyond 63 "
					    "bits",
					    at, types[i].name);
		row[i].i = (int64_t)round(v[i]);
		any |= row[i].i > 0;
	}
	if (!any)
		return 0;
	location = pn_frames_location(&d->frames, d->p, &f);
	return pn_frames_add_sample(
		d->p, pn_frames_stack(&d->frames, d->p, &location, 1), row,
		err);
}

static int build(struct decoder *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	double bytes = d->footprint_mb * MIB;
	size_t i;
	int code = 0;

	for (i = 0; i < TYPES; i++) {
		pn_profile_add_type(p, types[i].name, types[i].unit);
		p->types[i].better = PN_BETTER_LESS;
		p->types[i].role = (uint8_t)types[i].role;
	}
	for (i = 0; !code && i < d->count; i++)
		code = add_sample(d, i, err);
	if (d->elapsed_s < 9e9)
		p->duration_ns = (int64_t)(d->elapsed_s * 1e9);
	if (bytes > 0)
		pn_profile_add_metric(p, "peak footprint", "bytes",
				      PN_BETTER_LESS, &bytes, 1);
	p->header.cmd = d->program;
	pn_counters_finish(&d->course);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"files", take_files},
		{"samples", take_course,
		 .offset = offsetof(struct decoder, course)},
		PN_JSON_FIELD("elapsed_time_sec", decoder, elapsed_s),
		PN_JSON_FIELD_OR_NULL("max_footprint_mb", decoder,
				      footprint_mb),
		PN_JSON_FIELD("program", decoder, program),
		{0},
	};
	struct decoder d = {.p = out, .course = {.p = out}};
	int code = pn_json_walk_document(&d, &out->strings, in, fields, err);

	d.elapsed_s = amount(d.elapsed_s);
	if (!code && !d.has_files)
		code = pn_error_set(err, PN_EINVAL, "expected files");
	if (!code)
		code = build(&d, err);
	out->complete = false; /* GPU, copies, courses of lines */
	pn_frames_release(&d.frames);
	pn_counters_release(&d.course);
	free(d.lines.items);
	free(d.functions.items);
	free(d.lines_of_all);
	free(d.files);
	free(d.names);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len,
						 "elapsed_time_sec") &&
			       pn_json_sniff_key(bytes, len, "files")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_scalene = {
	.name = "scalene",
	.summary = "scalene's JSON: time and memory by line",
	.languages = "python",
	.made_by = "scalene --cli --json --outfile <file> <script>",
	.sniffed_by = "\"elapsed_time_sec\" and \"files\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
