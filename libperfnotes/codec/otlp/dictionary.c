/*
 * OTLP: the dictionary. Its tables become those of the profile; what they name
 * by number is looked up when all of them are there (resolve.c).
 */
#include "codec/otlp/otlp.h"

#include "base/alloc.h"

#include <string.h>

static int take_mapping(struct pn_otlp *d, struct pn_wire wire,
			struct pn_error *err)
{
	struct pn_mapping m = {0};
	struct pn_profile *p = d->p;
	uint64_t v[PN_OTLP_MAPPING_FILE + 1] = {0};
	struct pn_wire_field f;
	size_t count = 0;
	int code = 0;

	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code)
			break;
		if (f.number == PN_OTLP_MAPPING_ATTRIBUTES)
			code = pn_otlp_indices(&d->list, &count, &d->list_cap,
					       &f, "mapping", err);
		else if (f.number > PN_OTLP_MAPPING_FILE)
			p->complete = false;
		else if (f.type == PN_WIRE_BYTES)
			code = pn_wire_mismatch(&f, "mapping", "number", "0",
						err);
		else
			v[f.number] = f.value;
	}
	if (!code)
		code = pn_otlp_index(&m.file, &f, v[PN_OTLP_MAPPING_FILE], err);
	if (code)
		return code;
	m.start = v[PN_OTLP_MAPPING_START];
	m.limit = v[PN_OTLP_MAPPING_LIMIT];
	m.offset = v[PN_OTLP_MAPPING_OFFSET];
	d->build_lists = pn_grow(d->build_lists, &d->build_cap,
				 p->mapping_count + 1, sizeof(uint32_t));
	d->build_lists[p->mapping_count] =
		pn_strtab_add(&d->lists, d->list, count * sizeof(*d->list));
	pn_profile_add_mapping(p, &m);
	return 0;
}

static int take_line(struct pn_otlp *d, const struct pn_wire_field *f,
		     struct pn_error *err)
{
	struct pn_profile *p = d->p;
	uint64_t v[PN_OTLP_COLUMN + 1];
	bool other = false;
	struct pn_line *line;
	uint32_t function;

	if (f->type != PN_WIRE_BYTES)
		return pn_wire_mismatch(f, "location", "lines", "2", err);
	if (pn_otlp_numbers(v, PN_OTLP_COLUMN, &other, f->bytes, "line", err) ||
	    pn_otlp_index(&function, f, v[PN_OTLP_LINE_FUNCTION], err))
		return PN_EINVAL;
	p->lines = pn_grow(p->lines, &p->line_cap, p->line_count + 1,
			   sizeof(*p->lines));
	line = &p->lines[p->line_count++];
	line->function = function;
	line->line = (int64_t)v[PN_OTLP_LINE];
	line->column = (int64_t)v[PN_OTLP_COLUMN];
	return 0;
}

static int take_location(struct pn_otlp *d, struct pn_wire wire,
			 struct pn_error *err)
{
	struct pn_profile *p = d->p;
	struct pn_location l = {.line_first = (uint32_t)p->line_count};
	struct pn_wire_field f;
	bool empty = wire.at == wire.end;
	int code = 0;

	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code)
			break;
		if (f.number == PN_OTLP_LOCATION_LINES)
			code = take_line(d, &f, err);
		else if (f.number > PN_OTLP_LOCATION_LINES)
			p->complete = false; /* attributes: kinds of frames */
		else if (f.type == PN_WIRE_BYTES)
			code = pn_wire_mismatch(&f, "location", "number", "0",
						err);
		else if (f.number == PN_OTLP_LOCATION_MAPPING)
			code = pn_otlp_index(&l.mapping, &f, f.value, err);
		else
			l.address = f.value;
	}
	if (code)
		return code;
	if (empty && !p->location_count && !d->no_location) {
		d->no_location = true;
		return 0;
	}
	l.line_count = (uint32_t)(p->line_count - l.line_first);
	pn_profile_add_location(p, &l, NULL, 0);
	p->locations[p->location_count - 1].line_first = l.line_first;
	p->locations[p->location_count - 1].line_count = l.line_count;
	return 0;
}

static int take_function(struct pn_otlp *d, const struct pn_wire_field *f,
			 struct pn_error *err)
{
	struct pn_profile *p = d->p;
	struct pn_function function = {0};
	uint64_t v[PN_OTLP_START_LINE + 1];
	bool other = false;

	if (f->bytes.at == f->bytes.end && !p->function_count &&
	    !d->no_function) {
		d->no_function = true;
		return 0;
	}
	if (pn_otlp_numbers(v, PN_OTLP_START_LINE, &other, f->bytes, "function",
			    err) ||
	    pn_otlp_index(&function.name, f, v[PN_OTLP_NAME], err) ||
	    pn_otlp_index(&function.system_name, f, v[PN_OTLP_SYSTEM_NAME],
			  err) ||
	    pn_otlp_index(&function.file, f, v[PN_OTLP_FILE], err))
		return PN_EINVAL;
	function.start_line = (int64_t)v[PN_OTLP_START_LINE];
	pn_profile_add_function(p, &function);
	return 0;
}

static int take_string(struct pn_otlp *d, const struct pn_wire_field *f)
{
	d->strings = pn_grow(d->strings, &d->string_cap, d->string_count + 1,
			     sizeof(*d->strings));
	d->strings[d->string_count++] =
		pn_strtab_add(&d->p->strings, f->bytes.at,
			      (size_t)(f->bytes.end - f->bytes.at));
	return 0;
}

static int take_stack(struct pn_otlp *d, struct pn_wire wire,
		      struct pn_error *err)
{
	struct pn_wire_field f;
	size_t count = 0;
	int code = 0;

	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (!code && f.number == 1)
			code = pn_otlp_indices(&d->list, &count, &d->list_cap,
					       &f, "stack", err);
	}
	if (!code && count > PN_MAX_STACK_DEPTH)
		code = pn_error_set(err, PN_ELIMIT,
				    "stack %zu has more than %u frames",
				    d->p->stack_count, PN_MAX_STACK_DEPTH);
	if (!code)
		pn_profile_add_stack(d->p, d->list, count);
	return code;
}

int pn_otlp_dictionary(struct pn_otlp *d, struct pn_wire wire,
		       struct pn_error *err)
{
	struct pn_wire_field f;
	int code = 0;

	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code)
			break;
		if (f.number > PN_OTLP_STACK_TABLE) {
			d->p->complete = false;
			continue;
		}
		if (f.type != PN_WIRE_BYTES)
			return pn_wire_mismatch(&f, "dictionary", "table", "2",
						err);
		if (f.number == PN_OTLP_MAPPING_TABLE)
			code = take_mapping(d, f.bytes, err);
		else if (f.number == PN_OTLP_LOCATION_TABLE)
			code = take_location(d, f.bytes, err);
		else if (f.number == PN_OTLP_FUNCTION_TABLE)
			code = take_function(d, &f, err);
		else if (f.number == PN_OTLP_STRING_TABLE)
			code = take_string(d, &f);
		else if (f.number == PN_OTLP_ATTRIBUTE_TABLE)
			code = pn_otlp_attribute(d, &f, err);
		else if (f.number == PN_OTLP_STACK_TABLE)
			code = take_stack(d, f.bytes, err);
	}
	return code;
}
