/*
 * pprof: reading the fields of a profile, one at a time; its columns grow
 * directly from them.
 * profile/proto.go and profile/encode.go of github.com/google/pprof say what
 * is accepted.
 */
#include "codec/pprof/read.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SCALARS_MAX 16

/* A message of numbers: the names of its fields from 1 on. */
struct shape {
	const char *name;
	uint32_t count;
	const char *const fields[SCALARS_MAX];
};

static const struct shape value_type_shape = {
	"value_type", 2, {NULL, "type", "unit"}};
static const struct shape mapping_shape = {
	"mapping",
	10,
	{NULL, "id", "memory_start", "memory_limit", "file_offset", "filename",
	 "build_id", "has_functions", "has_filenames", "has_line_numbers",
	 "has_inline_frames"}};
static const struct shape location_shape = {
	"location",
	5,
	{NULL, "id", "mapping_id", "address", "line", "is_folded"}};
static const struct shape line_shape = {
	"line", 3, {NULL, "function_id", "line", "column"}};
static const struct shape function_shape = {
	"function",
	5,
	{NULL, "id", "name", "system_name", "filename", "start_line"}};
static const struct shape profile_shape = {
	"profile",
	15,
	{NULL, "sample_type", "sample", "mapping", "location", "function",
	 "string_table", "drop_frames", "keep_frames", "time_nanos",
	 "duration_nanos", "period_type", "period", "comment",
	 "default_sample_type", "doc_url"}};

enum profile_field {
	SAMPLE_TYPE = 1,
	SAMPLE = PN_PPROF_SAMPLE,
	MAPPING,
	LOCATION,
	FUNCTION,
	STRING_TABLE,
	DROP_FRAMES,
	KEEP_FRAMES,
	TIME_NANOS,
	DURATION_NANOS,
	PERIOD_TYPE,
	PERIOD,
	COMMENT,
	DEFAULT_SAMPLE_TYPE,
	DOC_URL
};

/* One number of a message into values[its field]. What is unknown, or said a
 * second time, is lost: pprof, too, takes the last one. */
static int take_scalar(struct pn_pprof_decoder *d, const struct shape *shape,
		       const struct pn_wire_field *f,
		       uint64_t values[SCALARS_MAX], uint32_t *seen,
		       struct pn_error *err)
{
	if (f->number > shape->count) {
		d->p->complete = false;
		return 0;
	}
	if (f->type != PN_WIRE_VARINT)
		return pn_wire_mismatch(f, shape->name,
					shape->fields[f->number], "0", err);
	if (*seen & 1u << f->number)
		d->p->complete = false;
	*seen |= 1u << f->number;
	values[f->number] = f->value;
	return 0;
}

static int take_scalars(struct pn_pprof_decoder *d, const struct shape *shape,
			struct pn_wire wire, uint64_t values[SCALARS_MAX],
			struct pn_error *err)
{
	struct pn_wire_field f;
	uint32_t seen = 0;

	memset(values, 0, SCALARS_MAX * sizeof(*values));
	while (wire.at < wire.end)
		if (pn_wire_next(&f, &wire, err) ||
		    take_scalar(d, shape, &f, values, &seen, err))
			return PN_EINVAL;
	return 0;
}

/* A string by its number in the file; whether it exists is known later. */
static int string_number(uint32_t *out, uint64_t value, const char *what,
			 const struct pn_wire_field *f, struct pn_error *err)
{
	if (value >= PN_NONE)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": a %s has string %" PRId64
				    ", expected an index into the string table",
				    f->offset, what, (int64_t)value);
	*out = (uint32_t)value;
	return 0;
}

static int missing_id(const struct pn_wire_field *f, const char *what,
		      struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL,
			    "byte %" PRIu64
			    ": a %s without id, expected one from 1 on",
			    f->offset, what);
}

static int full(const struct pn_wire_field *f, const char *what, uint64_t limit,
		struct pn_error *err)
{
	return pn_error_set(err, PN_ELIMIT,
			    "byte %" PRIu64 ": more than %" PRIu64 " %s",
			    f->offset, limit, what);
}

static int read_type(struct pn_pprof_decoder *d, struct pn_value_type *out,
		     const struct pn_wire_field *f, struct pn_error *err)
{
	uint64_t v[SCALARS_MAX];
	struct pn_value_type type = {0};

	if (take_scalars(d, &value_type_shape, f->bytes, v, err) ||
	    string_number(&type.type, v[1], "value type", f, err) ||
	    string_number(&type.unit, v[2], "value type", f, err))
		return PN_EINVAL;
	*out = type;
	return 0;
}

static int read_sample_type(struct pn_pprof_decoder *d,
			    const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_profile *p = d->p;

	if (p->type_count == PN_MAX_VALUE_TYPES)
		return full(f, "value types", PN_MAX_VALUE_TYPES, err);
	p->types = pn_grow(p->types, &d->type_cap, p->type_count + 1,
			   sizeof(*p->types));
	return read_type(d, &p->types[p->type_count++], f, err);
}

static int read_mapping(struct pn_pprof_decoder *d,
			const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_mapping mapping = {0};
	uint64_t v[SCALARS_MAX];
	unsigned int i;

	if (take_scalars(d, &mapping_shape, f->bytes, v, err) ||
	    string_number(&mapping.file, v[5], "mapping", f, err) ||
	    string_number(&mapping.build_id, v[6], "mapping", f, err))
		return PN_EINVAL;
	if (!v[1])
		return missing_id(f, "mapping", err);
	mapping.start = v[2];
	mapping.limit = v[3];
	mapping.offset = v[4];
	for (i = 0; i < 4; i++)
		mapping.has |= (uint32_t) !!v[7 + i] << i;
	pn_profile_add_mapping(d->p, &mapping);
	pn_ids_define(&d->mappings, v[1]);
	return 0;
}

static int read_line(struct pn_pprof_decoder *d, const struct pn_wire_field *f,
		     struct pn_error *err)
{
	struct pn_profile *p = d->p;
	uint64_t v[SCALARS_MAX];
	struct pn_line *line;

	if (f->type != PN_WIRE_BYTES)
		return pn_wire_mismatch(f, "location", "line", "2", err);
	if (take_scalars(d, &line_shape, f->bytes, v, err))
		return PN_EINVAL;
	p->lines = pn_grow(p->lines, &p->line_cap, p->line_count + 1,
			   sizeof(*p->lines));
	line = &p->lines[p->line_count++];
	line->function = pn_ids_name(&d->functions, v[1]);
	line->line = (int64_t)v[2];
	line->column = (int64_t)v[3];
	return 0;
}

static int read_location(struct pn_pprof_decoder *d,
			 const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_location location = {0};
	struct pn_profile *p = d->p;
	struct pn_wire wire = f->bytes;
	struct pn_wire_field g;
	uint64_t v[SCALARS_MAX] = {0};
	uint32_t seen = 0;
	size_t first = p->line_count;

	while (wire.at < wire.end) {
		if (pn_wire_next(&g, &wire, err))
			return PN_EINVAL;
		if (g.number == 4 ? read_line(d, &g, err)
				  : take_scalar(d, &location_shape, &g, v,
						&seen, err))
			return PN_EINVAL;
	}
	if (!v[1])
		return missing_id(f, "location", err);
	location.mapping = pn_ids_name(&d->mappings, v[2]);
	location.address = v[3];
	location.folded = v[5];
	pn_profile_add_location(p, &location, NULL, 0);
	p->locations[p->location_count - 1].line_first = (uint32_t)first;
	p->locations[p->location_count - 1].line_count =
		(uint32_t)(p->line_count - first);
	pn_ids_define(&d->locations, v[1]);
	return 0;
}

static int read_function(struct pn_pprof_decoder *d,
			 const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_function function = {0};
	uint64_t v[SCALARS_MAX];

	if (take_scalars(d, &function_shape, f->bytes, v, err) ||
	    string_number(&function.name, v[2], "function", f, err) ||
	    string_number(&function.system_name, v[3], "function", f, err) ||
	    string_number(&function.file, v[4], "function", f, err))
		return PN_EINVAL;
	if (!v[1])
		return missing_id(f, "function", err);
	function.start_line = (int64_t)v[5];
	pn_profile_add_function(d->p, &function);
	pn_ids_define(&d->functions, v[1]);
	return 0;
}

static int read_string(struct pn_pprof_decoder *d,
		       const struct pn_wire_field *f, struct pn_error *err)
{
	size_t len = (size_t)(f->bytes.end - f->bytes.at);

	if (!d->string_count && len)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64
				    ": the string table begins with a string "
				    "of %zu bytes, expected an empty one",
				    f->offset, len);
	if (d->string_count >= PN_NONE - 1)
		return full(f, "strings", PN_NONE - 1, err);
	d->strings = pn_grow(d->strings, &d->string_cap, d->string_count + 1,
			     sizeof(*d->strings));
	d->strings[d->string_count++] =
		pn_strtab_add(&d->p->strings, f->bytes.at, len);
	return 0;
}

static int add_comment(struct pn_pprof_decoder *d, uint64_t value,
		       const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_profile *p = d->p;

	p->comments = pn_grow(p->comments, &d->comment_cap,
			      p->comment_count + 1, sizeof(*p->comments));
	return string_number(&p->comments[p->comment_count++], value, "comment",
			     f, err);
}

static int read_comments(struct pn_pprof_decoder *d,
			 const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_wire wire = f->bytes;
	uint64_t value;

	if (f->type == PN_WIRE_VARINT)
		return add_comment(d, f->value, f, err);
	while (wire.at < wire.end)
		if (pn_wire_varint(&value, &wire, err) ||
		    add_comment(d, value, f, err))
			return PN_EINVAL;
	return 0;
}

/* A field of the profile that is a message or a string. */
static int read_bytes(struct pn_pprof_decoder *d, const struct pn_wire_field *f,
		      struct pn_error *err)
{
	switch (f->number) {
	case SAMPLE_TYPE:
		return read_sample_type(d, f, err);
	case SAMPLE:
		return pn_pprof_sample(d, f, err);
	case MAPPING:
		return read_mapping(d, f, err);
	case LOCATION:
		return read_location(d, f, err);
	case FUNCTION:
		return read_function(d, f, err);
	case STRING_TABLE:
		return read_string(d, f, err);
	case PERIOD_TYPE:
		return read_type(d, &d->p->period_type, f, err);
	default:
		return read_comments(d, f, err);
	}
}

static int read_number(struct pn_pprof_decoder *d,
		       const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_profile *p = d->p;

	switch (f->number) {
	case DROP_FRAMES:
		return string_number(&p->drop_frames, f->value, "profile", f,
				     err);
	case KEEP_FRAMES:
		return string_number(&p->keep_frames, f->value, "profile", f,
				     err);
	case TIME_NANOS:
		if (p->time_ns)
			return pn_error_set(err, PN_EINVAL,
					    "byte %" PRIu64
					    ": concatenated profiles detected",
					    f->offset);
		p->time_ns = (int64_t)f->value;
		return 0;
	case DURATION_NANOS:
		p->duration_ns = (int64_t)f->value;
		return 0;
	case PERIOD:
		p->period = (int64_t)f->value;
		return 0;
	case COMMENT:
		return read_comments(d, f, err);
	case DEFAULT_SAMPLE_TYPE:
		return string_number(&p->default_type, f->value, "profile", f,
				     err);
	default:
		return string_number(&p->doc_url, f->value, "profile", f, err);
	}
}

/* Whether a field may occur many times, by its number. */
static bool repeats(uint32_t number)
{
	return number <= STRING_TABLE || number == COMMENT;
}

int pn_pprof_field(struct pn_pprof_decoder *d, const struct pn_wire_field *f,
		   struct pn_error *err)
{
	bool bytes = f->type == PN_WIRE_BYTES, known, list;

	if (f->number > DOC_URL) {
		d->p->complete = false;
		return 0;
	}
	list = f->number == COMMENT;
	known = f->number <= STRING_TABLE || f->number == PERIOD_TYPE;
	if ((!bytes || (!known && !list)) &&
	    (f->type != PN_WIRE_VARINT || known))
		return pn_wire_mismatch(
			f, profile_shape.name, profile_shape.fields[f->number],
			list ? "0 or 2" : (known ? "2" : "0"), err);
	if (!repeats(f->number)) {
		if (d->seen & 1u << f->number)
			d->p->complete = false;
		d->seen |= 1u << f->number;
	}
	return bytes ? read_bytes(d, f, err) : read_number(d, f, err);
}

int pn_pprof_fields(struct pn_pprof_decoder *d, struct pn_wire *wire,
		    const unsigned char *until, struct pn_error *err)
{
	struct pn_wire_field f;
	int code = 0;

	d->readable = wire->end;
	while (!code && wire->at < until &&
	       pn_wire_whole(&f, wire, PN_PPROF_MESSAGE_MAX))
		code = pn_pprof_field(d, &f, err);
	return code;
}
