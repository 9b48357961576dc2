/*
 * OTLP: attributes. Those of samples become labels, and say which thread they
 * are of; texts and numbers are kept, lists are not.
 */
#include "codec/otlp/otlp.h"

#include "base/alloc.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX 1024 /* threads, processes that are looked at */

/* common.v1.AnyValue. A text is a string of the profile already. */
static int take_value(struct pn_label *out, struct pn_otlp *d,
		      struct pn_wire wire, struct pn_error *err)
{
	struct pn_wire_field f;

	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.number == PN_OTLP_TEXT && f.type == PN_WIRE_BYTES) {
			out->kind = PN_LABEL_STRING;
			out->value.s = pn_strtab_add(
				&d->p->strings, f.bytes.at,
				(size_t)(f.bytes.end - f.bytes.at));
		} else if ((f.number == PN_OTLP_INT ||
			    f.number == PN_OTLP_BOOL) &&
			   f.type == PN_WIRE_VARINT) {
			out->kind = PN_LABEL_INT;
			out->value.i = (int64_t)f.value;
		} else if (f.number == PN_OTLP_DOUBLE &&
			   f.type == PN_WIRE_FIXED64) {
			out->kind = PN_LABEL_DOUBLE;
			memcpy(&out->value.d, &f.value, sizeof(f.value));
		} else {
			d->p->complete = false;
		}
	}
	return 0;
}

int pn_otlp_attribute(struct pn_otlp *d, const struct pn_wire_field *of,
		      struct pn_error *err)
{
	struct pn_wire wire = of->bytes;
	struct pn_label label;
	struct pn_wire_field f;
	int code = 0;

	memset(&label, 0, sizeof(label));
	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code)
			break;
		if (f.number == PN_OTLP_KEY && f.type == PN_WIRE_VARINT)
			code = pn_otlp_index(&label.key, &f, f.value, err);
		else if (f.number == PN_OTLP_VALUE && f.type == PN_WIRE_BYTES)
			code = take_value(&label, d, f.bytes, err);
		else if (f.number == PN_OTLP_VALUE_UNIT &&
			 f.type == PN_WIRE_VARINT)
			code = pn_otlp_index(&label.unit, &f, f.value, err);
		else
			code = pn_error_set(err, PN_EINVAL,
					    "byte %" PRIu64
					    ": an attribute is not as of "
					    "opentelemetry-proto 1.9",
					    f.offset);
	}
	if (code)
		return code;
	d->attributes = pn_grow(d->attributes, &d->attribute_cap,
				d->attribute_count + 1, sizeof(*d->attributes));
	d->attributes[d->attribute_count++] = label;
	return 0;
}

int pn_otlp_resolve_attributes(struct pn_otlp *d, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < d->attribute_count; i++) {
		struct pn_label *l = &d->attributes[i];

		if (l->key >= d->string_count || l->unit >= d->string_count)
			return pn_error_set(
				err, PN_EINVAL,
				"attribute %zu has string %" PRIu32
				", the string table has %zu",
				i, l->key < d->string_count ? l->unit : l->key,
				d->string_count);
		l->key = d->strings[l->key];
		l->unit = d->strings[l->unit];
	}
	return 0;
}

/* The numbers of a list. */
static const uint32_t *numbers_of(size_t *count, const struct pn_otlp *d,
				  uint32_t list)
{
	*count = pn_strtab_len(&d->lists, list) / sizeof(uint32_t);
	return (const void *)pn_strtab_text(&d->lists, list);
}

static uint32_t number_at(const uint32_t *numbers, size_t i)
{
	uint32_t n;

	memcpy(&n, (const char *)numbers + i * sizeof(n), sizeof(n));
	return n;
}

uint32_t pn_otlp_text_of(const struct pn_otlp *d, uint32_t list,
			 const char *key)
{
	size_t count, i;
	const uint32_t *numbers = numbers_of(&count, d, list);

	for (i = 0; i < count; i++) {
		uint32_t n = number_at(numbers, i);

		if (n < d->attribute_count &&
		    d->attributes[n].kind == PN_LABEL_STRING &&
		    !strcmp(pn_profile_text(d->p, d->attributes[n].key), key))
			return d->attributes[n].value.s;
	}
	return 0;
}

/* The same where it may be a number. */
static uint32_t id_of(struct pn_otlp *d, uint32_t list, const char *key)
{
	uint32_t id = pn_otlp_text_of(d, list, key);
	size_t count, i;
	const uint32_t *numbers = numbers_of(&count, d, list);
	char text[24];

	for (i = 0; !id && i < count; i++) {
		const struct pn_label *l =
			&d->attributes[number_at(numbers, i)];

		if (l->kind != PN_LABEL_INT ||
		    strcmp(pn_profile_text(d->p, l->key), key) != 0)
			continue;
		snprintf(text, sizeof(text), "%" PRId64, l->value.i);
		id = pn_strtab_add_text(&d->p->strings, text);
	}
	return id;
}

static uint32_t process_of(struct pn_otlp *d, uint32_t list)
{
	uint32_t id = id_of(d, list, PN_OTLP_PROCESS);
	const struct pn_events *e = &d->p->events;
	size_t i;

	if (!id)
		return PN_NONE;
	for (i = 0; i < e->process_count && i < GROUPS_MAX; i++)
		if (e->processes[i].id == id)
			return (uint32_t)i;
	return pn_events_add_process(d->p, id, 0);
}

/* Of a list that names one: by "thread.id", "thread.name" or its process. */
static uint32_t thread_of(struct pn_otlp *d, uint32_t list)
{
	uint32_t id = id_of(d, list, PN_OTLP_THREAD_ID);
	uint32_t name = pn_otlp_text_of(d, list, PN_OTLP_THREAD_NAME);
	uint32_t process = process_of(d, list);
	const struct pn_events *e = &d->p->events;
	size_t i;

	if (!id && !name && process == PN_NONE)
		return PN_NONE;
	for (i = 0; i < e->thread_count && i < GROUPS_MAX; i++)
		if (e->threads[i].id == id && e->threads[i].name == name &&
		    e->threads[i].process == process)
			return (uint32_t)i;
	return pn_events_add_thread(d->p, process, id, name);
}

static int make_labels(struct pn_otlp *d, uint32_t list, struct pn_error *err)
{
	size_t count, i, n = 0;
	const uint32_t *numbers = numbers_of(&count, d, list);
	struct pn_label *labels;

	if (count > PN_MAX_LABELS)
		return pn_error_set(err, PN_ELIMIT,
				    "a sample has more than %u attributes",
				    PN_MAX_LABELS);
	for (i = 0; i < count; i++)
		if (number_at(numbers, i) >= d->attribute_count)
			return pn_error_set(err, PN_EINVAL,
					    "a sample has attribute %" PRIu32
					    ", the attribute table has %zu",
					    number_at(numbers, i),
					    d->attribute_count);
	labels = pn_calloc(count + 1, sizeof(*labels));
	for (i = 0; i < count; i++) {
		labels[n] = d->attributes[number_at(numbers, i)];
		n += labels[n].key != 0;
	}
	d->sets[list] = n ? pn_profile_add_label_set(d->p, labels, n) : 0;
	free(labels);
	d->threads[list] = thread_of(d, list);
	return 0;
}

int pn_otlp_labels(uint32_t *set, uint32_t *thread, struct pn_otlp *d,
		   uint32_t list, struct pn_error *err)
{
	int code = 0;

	if (d->sets[list] == PN_NONE)
		code = make_labels(d, list, err);
	if (code)
		return code;
	*set = d->sets[list];
	*thread = d->threads[list];
	return 0;
}
