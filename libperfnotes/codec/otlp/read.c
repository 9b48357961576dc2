/* OTLP: reading the profiles; tables and samples as they come. */
#include "codec/otlp/otlp.h"

#include "base/alloc.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Values, packed or alone, and their sum. */
static int take_values(struct pn_otlp *d, int64_t *sum, size_t *count,
		       const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_wire wire = f->bytes;
	uint64_t value = f->value;

	if (f->type != PN_WIRE_BYTES && f->type != PN_WIRE_VARINT)
		return pn_wire_mismatch(f, "sample", "values", "0 or 2", err);
	do {
		if (f->type == PN_WIRE_BYTES) {
			if (wire.at == wire.end)
				break;
			if (pn_wire_varint(&value, &wire, err))
				return PN_EINVAL;
		}
		if (__builtin_add_overflow(*sum, (int64_t)value, sum))
			return pn_error_set(err, PN_ERANGE,
					    "byte %" PRIu64
					    ": values beyond 63 bits",
					    f->offset);
		d->parts = pn_grow(d->parts, &d->part_cap, *count + 1,
				   sizeof(*d->parts));
		d->parts[(*count)++] = (int64_t)value;
	} while (f->type == PN_WIRE_BYTES);
	return 0;
}

/* Events keep numbers of the file until the tables are known. */
static int take_times(struct pn_otlp *d, size_t *count,
		      const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_event e = {.type = (uint32_t)(d->profile_count - 1)};
	const unsigned char *at = f->bytes.at;
	size_t i, k;
	uint64_t ns = f->value;

	if (f->type != PN_WIRE_BYTES && f->type != PN_WIRE_FIXED64)
		return pn_wire_mismatch(f, "sample", "timestamps_unix_nano",
					"1 or 2", err);
	if (f->type == PN_WIRE_FIXED64) {
		e.time_ns = (int64_t)ns;
		pn_events_add(d->p, &e);
		++*count;
		return 0;
	}
	for (i = (size_t)(f->bytes.end - at) / 8; i--; at += 8) {
		for (ns = 0, k = 8; k--;)
			ns = ns << 8 | at[k];
		e.time_ns = (int64_t)ns;
		pn_events_add(d->p, &e);
		++*count;
	}
	return 0;
}

static int take_field(struct pn_otlp *d, struct pn_otlp_sample *s,
		      size_t counts[3], const struct pn_wire_field *f,
		      struct pn_error *err)
{
	switch (f->number) {
	case PN_OTLP_STACK:
		if (f->type != PN_WIRE_VARINT)
			return pn_wire_mismatch(f, "sample", "stack_index", "0",
						err);
		return pn_otlp_index(&s->stack, f, f->value, err);
	case PN_OTLP_ATTRIBUTES:
		return pn_otlp_indices(&d->list, &counts[0], &d->list_cap, f,
				       "sample", err);
	case PN_OTLP_VALUES:
		return take_values(d, &s->value, &counts[1], f, err);
	case PN_OTLP_TIMES:
		return take_times(d, &counts[2], f, err);
	case PN_OTLP_LINK:
		if (f->type != PN_WIRE_VARINT)
			return pn_wire_mismatch(f, "sample",
						"link_index (as of 1.9)", "0",
						err);
		/* fall through */
	default:
		d->p->complete = false;
		return 0;
	}
}

/* Without values each time is one, with as many values as times each has its
 * own: its duration, should the unit be one of time. */
static int take_sample(struct pn_otlp *d, const struct pn_wire_field *of,
		       struct pn_error *err)
{
	struct pn_wire wire = of->bytes;
	struct pn_otlp_sample s = {.profile = (uint32_t)(d->profile_count - 1)};
	size_t counts[3] = {0}, event = d->p->events.count, i;
	struct pn_wire_field f;
	int code = 0;

	if (of->type != PN_WIRE_BYTES)
		return pn_wire_mismatch(of, "profile", "samples", "2", err);
	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (!code)
			code = take_field(d, &s, counts, &f, err);
	}
	if (code)
		return code;
	if (!counts[1] && !counts[2])
		return pn_error_set(
			err, PN_EINVAL,
			"byte %" PRIu64 ": a sample has neither values nor "
			"times, as of opentelemetry-proto before 1.9",
			of->offset);
	if (!counts[1])
		s.value = (int64_t)counts[2];
	s.list =
		pn_strtab_add(&d->lists, d->list, counts[0] * sizeof(*d->list));
	for (i = event; i < d->p->events.count; i++) {
		struct pn_event *e = &d->p->events.items[i];

		e->stack = s.stack;
		e->thread = s.list;
		if (counts[1] == counts[2])
			e->duration_ns = d->parts[i - event];
	}
	d->samples = pn_grow(d->samples, &d->sample_cap, d->sample_count + 1,
			     sizeof(*d->samples));
	d->samples[d->sample_count++] = s;
	return 0;
}

static void take_time(struct pn_otlp *d, const struct pn_wire_field *f)
{
	struct pn_profile *p = d->p;
	int64_t value = (int64_t)f->value;

	if (f->number == PN_OTLP_TIME && value > 0 &&
	    (!p->time_ns || value < p->time_ns))
		p->time_ns = value;
	if (f->number == PN_OTLP_DURATION && value > p->duration_ns)
		p->duration_ns = value;
	if (f->number == PN_OTLP_PERIOD && value > p->period)
		p->period = value;
}

static int take_profile(struct pn_otlp *d, struct pn_wire wire,
			struct pn_error *err)
{
	struct pn_wire_field f;
	int code = 0;

	if (d->profile_count == PN_OTLP_PROFILES_MAX)
		return pn_error_set(err, PN_ELIMIT, "more than %u profiles",
				    PN_OTLP_PROFILES_MAX);
	d->profiles = pn_grow(d->profiles, &d->profile_cap,
			      d->profile_count + 1, sizeof(*d->profiles));
	memset(&d->profiles[d->profile_count++], 0, sizeof(*d->profiles));
	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code)
			break;
		if (f.number == PN_OTLP_SAMPLE_TYPE)
			code = pn_otlp_type(
				&d->profiles[d->profile_count - 1].type, &f,
				err);
		else if (f.number == PN_OTLP_SAMPLES)
			code = take_sample(d, &f, err);
		else if (f.number == PN_OTLP_PERIOD_TYPE)
			code = pn_otlp_type(&d->p->period_type, &f, err);
		else if (f.number <= PN_OTLP_PERIOD && f.type != PN_WIRE_BYTES)
			take_time(d, &f);
		else
			d->p->complete = false;
	}
	return code;
}

/* Resources and scopes hold profiles `depth` levels below; what else they say
 * of themselves is passed over. */
static int take_holder(struct pn_otlp *d, struct pn_wire wire,
		       unsigned int depth, struct pn_error *err)
{
	struct pn_wire_field f;
	int code = 0;

	if (!depth)
		return take_profile(d, wire, err);
	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (!code && f.number == PN_OTLP_SCOPE_PROFILES &&
		    f.type == PN_WIRE_BYTES)
			code = take_holder(d, f.bytes, depth - 1, err);
		else
			d->p->complete = false;
	}
	return code;
}

static int take_whole(struct pn_otlp *d, const struct pn_wire_field *f,
		      struct pn_error *err)
{
	uint64_t left = pn_reader_left(d->in);
	struct pn_wire wire = {0};
	size_t have = 0;
	int code = 0;

	if (f->value > PN_OTLP_MESSAGE_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "byte %" PRIu64 ": a field of %" PRIu64
				    " bytes, at most %u are allowed",
				    f->offset, f->value, PN_OTLP_MESSAGE_MAX);
	if (f->value <= left)
		code = pn_reader_peek(&wire.at, &have, d->in, (size_t)f->value,
				      err);
	if (!code && have < f->value)
		code = pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": field %u needs %" PRIu64
				    " bytes, the input has less",
				    f->offset, f->number, f->value);
	if (code)
		return code;
	wire.end = wire.at + f->value;
	wire.end_offset = pn_reader_offset(d->in) + f->value;
	if (f->number == PN_OTLP_RESOURCE_PROFILES)
		code = take_holder(d, wire, 2, err);
	else if (f->number == PN_OTLP_DICTIONARY)
		code = pn_otlp_dictionary(d, wire, err);
	else
		d->p->complete = false;
	pn_reader_consume(d->in, (size_t)f->value);
	return code;
}

static int read_all(struct pn_otlp *d, struct pn_error *err)
{
	struct pn_wire_field f;
	int more = pn_wire_from(&f, d->in, err);

	while (more > 0) {
		int code = f.type == PN_WIRE_BYTES
				   ? take_whole(d, &f, err)
				   : pn_wire_mismatch(&f, "profiles data",
						      "field", "2", err);

		if (code)
			return code;
		more = pn_wire_from(&f, d->in, err);
	}
	return more;
}

int pn_otlp_read(struct pn_profile *out, struct pn_reader *in,
		 struct pn_error *err)
{
	struct pn_otlp d = {.p = out, .in = in};
	int code = read_all(&d, err);

	if (!code)
		code = pn_otlp_resolve(&d, err);
	free(d.strings);
	free(d.attributes);
	free(d.build_lists);
	pn_strtab_release(&d.lists);
	free(d.sets);
	free(d.threads);
	free(d.profiles);
	free(d.samples);
	pn_slots_release(&d.rows);
	free(d.list);
	free(d.parts);
	return code;
}
