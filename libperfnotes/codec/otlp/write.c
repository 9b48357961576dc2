/*
 * OTLP: writing. A profile for each value type, the default one first, which
 * is what is shown of several; all share one dictionary, where the first of
 * each table stands for none.
 */
#include "codec/otlp/otlp.h"

#include "base/alloc.h"
#include "base/deflate.h"
#include "base/number.h"
#include "model/timeline/shares.h"
#include "model/whole.h"

#include <stdlib.h>
#include <string.h>

#define LEVEL 4 /* as pprof's */

struct encoder {
	const struct pn_profile *p;
	uint32_t *numbers;     /* by string of the profile, + 1 */
	struct pn_buf strings; /* their table */
	uint32_t string_count;
	struct pn_buf attributes; /* theirs */
	struct pn_strtab keys;	  /* what each is, as bytes */
	struct pn_buf message, inner, value;
	struct pn_otlp_times times;
	size_t time; /* the next of them */
};

/* Keys that are no strings of the profile: their numbers in the table. */
enum { BUILD_ID_KEY = 1, THREAD_ID_KEY, THREAD_NAME_KEY, PROCESS_KEY };

/* Of one label, or of a build id. */
struct attribute {
	uint64_t key, unit, kind, value;
};

static uint32_t number(struct encoder *e, uint32_t id)
{
	if (!e->numbers[id]) {
		e->numbers[id] = ++e->string_count;
		pn_wire_add_bytes(&e->strings, PN_OTLP_STRING_TABLE,
				  pn_profile_text(e->p, id),
				  pn_strtab_len(&e->p->strings, id));
	}
	return e->numbers[id] - 1;
}

static void put_string(struct encoder *e, struct pn_buf *to, unsigned int field,
		       uint32_t id)
{
	pn_wire_add_nonzero(to, field, number(e, id));
}

static void put_fixed(struct pn_buf *to, uint64_t bits)
{
	unsigned char bytes[8];
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(bits >> i * 8);
	pn_buf_add(to, bytes, sizeof(bytes));
}

static void put_double(struct pn_buf *to, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	pn_buf_add_varint(to, PN_OTLP_DOUBLE << 3 | PN_WIRE_FIXED64);
	put_fixed(to, bits);
}

static void put_value(struct encoder *e, const struct pn_label *label)
{
	const struct pn_profile *p = e->p;

	if (label->kind == PN_LABEL_INT)
		pn_wire_add(&e->value, PN_OTLP_INT, (uint64_t)label->value.i);
	else if (label->kind == PN_LABEL_DOUBLE)
		put_double(&e->value, label->value.d);
	else
		pn_wire_add_bytes(&e->value, PN_OTLP_TEXT,
				  pn_profile_text(p, label->value.s),
				  pn_strtab_len(&p->strings, label->value.s));
}

/* The number of a label, whose key is a string of its own where it has none
 * of the profile. */
static uint32_t attribute(struct encoder *e, const struct pn_label *label,
			  uint32_t key)
{
	struct attribute a = {.key = key, .kind = label->kind};
	size_t had = e->keys.count;
	uint32_t at;

	if (label->kind != PN_LABEL_STRING && label->kind != PN_LABEL_JSON)
		a.unit = label->unit;
	memcpy(&a.value, &label->value, sizeof(label->value));
	if (label->kind == PN_LABEL_STRING || label->kind == PN_LABEL_JSON)
		a.value = label->value.s;
	at = pn_strtab_add(&e->keys, &a, sizeof(a));
	if (e->keys.count == had)
		return at;
	pn_wire_add(&e->inner, PN_OTLP_KEY, key);
	put_value(e, label);
	pn_wire_add_message(&e->inner, PN_OTLP_VALUE, &e->value);
	put_string(e, &e->inner, PN_OTLP_VALUE_UNIT, (uint32_t)a.unit);
	pn_wire_add_message(&e->attributes, PN_OTLP_ATTRIBUTE_TABLE, &e->inner);
	return at;
}

static bool has_key(const struct pn_profile *p, uint32_t set, const char *key)
{
	uint32_t at;

	for (at = p->label_set_start[set]; at < p->label_set_start[set + 1];
	     at++)
		if (!strcmp(pn_profile_text(p, p->labels[at].key), key))
			return true;
	return false;
}

/* An id as the number that it is, where it is one. */
static void put_id(struct encoder *e, struct pn_buf *list, uint32_t key,
		   uint32_t id)
{
	const char *text = pn_profile_text(e->p, id);
	struct pn_label label = {.kind = PN_LABEL_STRING, .value.s = id};
	int64_t n;

	if (!id)
		return;
	if (key != THREAD_NAME_KEY && *text >= '1' && *text <= '9' &&
	    pn_number_int(&n, text, pn_strtab_len(&e->p->strings, id))) {
		label.kind = PN_LABEL_INT;
		label.value.i = n;
	}
	pn_buf_add_varint(list, attribute(e, &label, key));
}

static void put_thread(struct encoder *e, struct pn_buf *list, uint32_t set,
		       uint32_t thread)
{
	const struct pn_events *events = &e->p->events;
	const struct pn_thread *t = &events->threads[thread];

	if (!has_key(e->p, set, PN_OTLP_THREAD_ID))
		put_id(e, list, THREAD_ID_KEY, t->id);
	if (!has_key(e->p, set, PN_OTLP_THREAD_NAME))
		put_id(e, list, THREAD_NAME_KEY, t->name);
	if (t->process != PN_NONE && !has_key(e->p, set, PN_OTLP_PROCESS))
		put_id(e, list, PROCESS_KEY, events->processes[t->process].id);
}

/* The labels of a set, and the thread, where it is one. */
static void put_labels(struct encoder *e, uint32_t set, uint32_t thread)
{
	const struct pn_profile *p = e->p;
	struct pn_buf list = {0};
	uint32_t at;

	for (at = p->label_set_start[set]; at < p->label_set_start[set + 1];
	     at++)
		pn_buf_add_varint(&list,
				  attribute(e, &p->labels[at],
					    number(e, p->labels[at].key)));
	if (thread != PN_NONE)
		put_thread(e, &list, set, thread);
	if (list.len)
		pn_wire_add_message(&e->message, PN_OTLP_ATTRIBUTES, &list);
	pn_buf_release(&list);
}

/* Whether the sample stands in the profile of this type: with a value, or in
 * the first one written when it has none at all. */
static bool stands(int64_t *value, const struct pn_profile *p, size_t sample,
		   size_t type, bool first)
{
	const union pn_value *v = p->values + sample * p->type_count;
	size_t i;

	*value = v[type].i;
	if (p->types[type].number == PN_NUMBER_DOUBLE)
		pn_whole_number(value, v[type].d);
	if (*value)
		return true;
	for (i = 0; first && i < p->type_count; i++)
		if (v[i].i)
			return false;
	return first;
}

/* The next of the times, when it is one of a sample in a type. */
static const struct pn_event *next_time(uint32_t *thread,
					const struct encoder *e, size_t at,
					size_t sample, size_t type)
{
	const struct pn_otlp_time *t;

	if (at >= e->times.count)
		return NULL;
	t = &e->times.items[at];
	if (t->type != type || t->row != sample)
		return NULL;
	*thread = t->thread;
	return &e->p->events.items[t->event];
}

/* A sample that has times is one for each thread, with as many values as times;
 * all values make the one that the sample has here. */
static void put_timed(struct encoder *e, struct pn_buf *to, size_t sample,
		      size_t type, int64_t value)
{
	const struct pn_profile *p = e->p;
	struct pn_share share = {.value.i = value,
				 .unit_ns = pn_share_unit_ns(p, type)};
	const struct pn_event *event;
	struct pn_buf times = {0};
	uint32_t thread, same;
	size_t at = e->time;

	for (; (event = next_time(&thread, e, at, sample, type)); at++) {
		share.events++;
		share.duration_ns += (double)event->duration_ns;
	}
	while ((event = next_time(&thread, e, e->time, sample, type))) {
		pn_wire_add(&e->message, PN_OTLP_STACK,
			    (uint64_t)p->samples[sample].stack + 1);
		put_labels(e, p->samples[sample].labels, thread);
		for (same = thread; event && same == thread;
		     event = next_time(&same, e, ++e->time, sample, type)) {
			pn_buf_add_varint(&e->inner,
					  (uint64_t)pn_share_next(
						  &share, event->duration_ns)
						  .i);
			put_fixed(&times, (uint64_t)event->time_ns +
						  (uint64_t)e->times.shift_ns);
		}
		pn_wire_add_message(&e->message, PN_OTLP_VALUES, &e->inner);
		pn_wire_add_message(&e->message, PN_OTLP_TIMES, &times);
		pn_wire_add_message(to, PN_OTLP_SAMPLES, &e->message);
	}
	pn_buf_release(&times);
}

static void put_samples(struct encoder *e, struct pn_buf *to, size_t type,
			bool first)
{
	const struct pn_profile *p = e->p;
	uint32_t thread;
	int64_t value;
	bool is_there;
	size_t i;

	for (e->time = 0;
	     e->time < e->times.count && e->times.items[e->time].type < type;)
		e->time++;
	for (i = 0; i < p->sample_count; i++) {
		is_there = stands(&value, p, i, type, first);
		if (next_time(&thread, e, e->time, i, type)) {
			put_timed(e, to, i, type, value);
			continue;
		}
		if (!is_there)
			continue;
		pn_wire_add(&e->message, PN_OTLP_STACK,
			    (uint64_t)p->samples[i].stack + 1);
		put_labels(e, p->samples[i].labels, PN_NONE);
		pn_buf_add_varint(&e->inner, (uint64_t)value);
		pn_wire_add_message(&e->message, PN_OTLP_VALUES, &e->inner);
		pn_wire_add_message(to, PN_OTLP_SAMPLES, &e->message);
	}
}

static void put_type(struct encoder *e, struct pn_buf *to, unsigned int field,
		     const struct pn_value_type *type)
{
	put_string(e, &e->message, PN_OTLP_TYPE, type->type);
	put_string(e, &e->message, PN_OTLP_UNIT, type->unit);
	pn_wire_add_message(to, field, &e->message);
}

static void put_profile(struct encoder *e, struct pn_buf *to, size_t type,
			bool first)
{
	const struct pn_profile *p = e->p;
	struct pn_buf profile = {0};

	put_type(e, &profile, PN_OTLP_SAMPLE_TYPE, &p->types[type]);
	put_samples(e, &profile, type, first);
	if (p->time_ns) {
		pn_buf_add_varint(&profile,
				  PN_OTLP_TIME << 3 | PN_WIRE_FIXED64);
		put_fixed(&profile, (uint64_t)p->time_ns);
	}
	pn_wire_add_nonzero(&profile, PN_OTLP_DURATION,
			    (uint64_t)p->duration_ns);
	if (p->period_type.type || p->period_type.unit)
		put_type(e, &profile, PN_OTLP_PERIOD_TYPE, &p->period_type);
	pn_wire_add_nonzero(&profile, PN_OTLP_PERIOD, (uint64_t)p->period);
	pn_wire_add_message(to, PN_OTLP_PROFILES, &profile);
	pn_buf_release(&profile);
}

static void put_mappings(struct encoder *e, struct pn_buf *to)
{
	struct pn_label id = {.kind = PN_LABEL_STRING};
	struct pn_buf *m = &e->message, list = {0};
	uint32_t key;
	size_t i;

	pn_wire_add_message(to, PN_OTLP_MAPPING_TABLE, m);
	for (i = 0; i < e->p->mapping_count; i++) {
		const struct pn_mapping *mapping = &e->p->mappings[i];

		pn_wire_add_nonzero(m, PN_OTLP_MAPPING_START, mapping->start);
		pn_wire_add_nonzero(m, PN_OTLP_MAPPING_LIMIT, mapping->limit);
		pn_wire_add_nonzero(m, PN_OTLP_MAPPING_OFFSET, mapping->offset);
		put_string(e, m, PN_OTLP_MAPPING_FILE, mapping->file);
		id.value.s = mapping->build_id;
		/* the key is the second string, see put_dictionary */
		key = BUILD_ID_KEY;
		if (id.value.s) {
			pn_buf_add_varint(&list, attribute(e, &id, key));
			pn_wire_add_message(m, PN_OTLP_MAPPING_ATTRIBUTES,
					    &list);
		}
		pn_wire_add_message(to, PN_OTLP_MAPPING_TABLE, m);
	}
	pn_buf_release(&list);
}

static void put_locations(struct encoder *e, struct pn_buf *to)
{
	const struct pn_profile *p = e->p;
	struct pn_buf *m = &e->message;
	uint32_t n;
	size_t i;

	pn_wire_add_message(to, PN_OTLP_LOCATION_TABLE, m);
	for (i = 0; i < p->location_count; i++) {
		const struct pn_location *l = &p->locations[i];

		if (l->mapping != PN_NONE)
			pn_wire_add(m, PN_OTLP_LOCATION_MAPPING,
				    (uint64_t)l->mapping + 1);
		pn_wire_add_nonzero(m, PN_OTLP_LOCATION_ADDRESS, l->address);
		for (n = 0; n < l->line_count; n++) {
			const struct pn_line *line =
				&p->lines[l->line_first + n];

			pn_wire_add(&e->inner, PN_OTLP_LINE_FUNCTION,
				    (uint64_t)line->function + 1);
			pn_wire_add_nonzero(&e->inner, PN_OTLP_LINE,
					    (uint64_t)line->line);
			pn_wire_add_nonzero(&e->inner, PN_OTLP_COLUMN,
					    (uint64_t)line->column);
			pn_wire_add_message(m, PN_OTLP_LOCATION_LINES,
					    &e->inner);
		}
		pn_wire_add_message(to, PN_OTLP_LOCATION_TABLE, m);
	}
}

static void put_functions(struct encoder *e, struct pn_buf *to)
{
	struct pn_buf *m = &e->message;
	size_t i;

	pn_wire_add_message(to, PN_OTLP_FUNCTION_TABLE, m);
	for (i = 0; i < e->p->function_count; i++) {
		const struct pn_function *f = &e->p->functions[i];

		put_string(e, m, PN_OTLP_NAME, f->name);
		put_string(e, m, PN_OTLP_SYSTEM_NAME, f->system_name);
		put_string(e, m, PN_OTLP_FILE, f->file);
		pn_wire_add_nonzero(m, PN_OTLP_START_LINE,
				    (uint64_t)f->start_line);
		pn_wire_add_message(to, PN_OTLP_FUNCTION_TABLE, m);
	}
}

static void put_stacks(struct encoder *e, struct pn_buf *to)
{
	const struct pn_profile *p = e->p;
	uint32_t at;
	size_t i;

	pn_wire_add_message(to, PN_OTLP_STACK_TABLE, &e->message);
	for (i = 0; i < p->stack_count; i++) {
		for (at = p->stack_start[i]; at < p->stack_start[i + 1]; at++)
			pn_buf_add_varint(&e->inner,
					  (uint64_t)p->frames[at] + 1);
		if (e->inner.len)
			pn_wire_add_message(&e->message, 1, &e->inner);
		pn_wire_add_message(to, PN_OTLP_STACK_TABLE, &e->message);
	}
}

/* What samples name is known by now; strings and attributes that tables name
 * come to theirs, which stand last. */
static void put_dictionary(struct encoder *e, struct pn_buf *to)
{
	struct pn_buf all = {0};

	put_mappings(e, &all);
	put_locations(e, &all);
	put_functions(e, &all);
	put_stacks(e, &all);
	pn_buf_add(&all, e->strings.data, e->strings.len);
	pn_buf_add(&all, e->attributes.data, e->attributes.len);
	pn_wire_add_message(to, PN_OTLP_DICTIONARY, &all);
	pn_buf_release(&all);
}

/* String 0 and attribute 0 stand for none. */
static void begin(struct encoder *e)
{
	static const char *const keys[] = {PN_OTLP_BUILD_ID, PN_OTLP_THREAD_ID,
					   PN_OTLP_THREAD_NAME,
					   PN_OTLP_PROCESS};
	int i;

	number(e, 0);
	for (i = 0; i < (e->times.count ? PROCESS_KEY : BUILD_ID_KEY); i++) {
		pn_wire_add_bytes(&e->strings, PN_OTLP_STRING_TABLE, keys[i],
				  strlen(keys[i]));
		e->string_count++;
	}
	pn_strtab_add(&e->keys, "", 0);
	pn_wire_add_message(&e->attributes, PN_OTLP_ATTRIBUTE_TABLE, &e->inner);
}

static void encode(struct pn_buf *out, const struct pn_profile *p)
{
	struct encoder e = {.p = p};
	struct pn_buf scope = {0}, resource = {0};
	size_t i, first = pn_profile_default_type(p);

	e.numbers = pn_calloc(p->strings.count + 1, sizeof(*e.numbers));
	pn_otlp_times_make(&e.times, p);
	begin(&e);
	if (first < p->type_count)
		put_profile(&e, &scope, first, true);
	for (i = 0; i < p->type_count; i++)
		if (i != first)
			put_profile(&e, &scope, i, false);
	pn_wire_add_message(&resource, PN_OTLP_SCOPE_PROFILES, &scope);
	pn_wire_add_message(out, PN_OTLP_RESOURCE_PROFILES, &resource);
	put_dictionary(&e, out);
	free(e.numbers);
	free(e.times.items);
	pn_strtab_release(&e.keys);
	pn_buf_release(&e.strings);
	pn_buf_release(&e.attributes);
	pn_buf_release(&e.message);
	pn_buf_release(&e.inner);
	pn_buf_release(&e.value);
	pn_buf_release(&scope);
	pn_buf_release(&resource);
}

static int check(const struct pn_profile *p, struct pn_error *err)
{
	if (!p->sample_count)
		return pn_error_set(
			err, PN_EINVAL, "otlp needs stacks, the profile is %s",
			p->graph.node_count ? "a call graph without them"
			: p->metric_count   ? "of figures only"
					    : "empty");
	return pn_whole_check(p, "otlp", err);
}

int pn_otlp_write(struct pn_buf *out, const struct pn_profile *profile,
		  struct pn_error *err)
{
	struct pn_buf raw = {0};
	struct pn_whole whole;
	const struct pn_profile *p = pn_whole_make(&whole, profile);
	int code = check(p, err);

	if (!code) {
		encode(&raw, p);
		code = pn_deflate_gzip(out, raw.data, raw.len, LEVEL);
	}
	pn_whole_release(&whole);
	pn_buf_release(&raw);
	return code;
}
