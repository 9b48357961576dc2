/* Protocol buffers as bytes. */
#include "codec/wire.h"

#include "base/buf.h"

#include <inttypes.h>
#include <string.h>

static int long_varint(uint64_t *out, struct pn_wire *wire,
		       struct pn_error *err)
{
	if (!pn_varint_read(out, &wire->at, wire->end))
		return 0;
	return pn_error_set(
		err, PN_EINVAL,
		"byte %" PRIu64 ": expected a number of at most 10 bytes, "
		"have %zu left",
		pn_wire_offset(wire), (size_t)(wire->end - wire->at));
}

/* Nearly all tags and lengths are one byte, most numbers at most two. */
static inline int varint(uint64_t *out, struct pn_wire *wire,
			 struct pn_error *err)
{
	const unsigned char *at = wire->at;

	if (at < wire->end && at[0] < 128) {
		*out = at[0];
		wire->at = at + 1;
	} else if (wire->end - at > 1 && at[1] < 128) {
		*out = (at[0] & 127u) | (uint64_t)at[1] << 7;
		wire->at = at + 2;
	} else {
		return long_varint(out, wire, err);
	}
	return 0;
}

int pn_wire_varint(uint64_t *out, struct pn_wire *wire, struct pn_error *err)
{
	return varint(out, wire, err);
}

int pn_wire_head(struct pn_wire_field *out, struct pn_wire *wire,
		 struct pn_error *err)
{
	uint64_t tag;

	out->offset = pn_wire_offset(wire);
	if (varint(&tag, wire, err))
		return PN_EINVAL;
	out->type = tag & 7;
	if (!(tag >> 3) || tag >> 3 > PN_WIRE_FIELD_MAX)
		return pn_error_set(
			err, PN_EINVAL,
			"byte %" PRIu64
			": no protobuf field, its number is %" PRIu64,
			out->offset, tag >> 3);
	out->number = (uint32_t)(tag >> 3);
	switch (out->type) {
	case PN_WIRE_VARINT:
	case PN_WIRE_FIXED64:
	case PN_WIRE_FIXED32:
		return 0;
	case PN_WIRE_BYTES:
		return varint(&out->value, wire, err);
	default:
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64
				    ": field %u has wire type %u, expected "
				    "0, 1, 2 or 5",
				    out->offset, out->number, out->type);
	}
}

static int cut(const struct pn_wire_field *field, uint64_t need, size_t have,
	       struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL,
			    "byte %" PRIu64 ": field %u needs %" PRIu64
			    " bytes, its message has %zu left",
			    field->offset, field->number, need, have);
}

int pn_wire_value(struct pn_wire_field *field, struct pn_wire *wire,
		  struct pn_error *err)
{
	size_t i, left = (size_t)(wire->end - wire->at);
	size_t size = field->type == PN_WIRE_FIXED64 ? 8 : 4;

	if (field->type == PN_WIRE_VARINT)
		return varint(&field->value, wire, err);
	if (left < size)
		return cut(field, size, left, err);
	field->value = 0;
	for (i = 0; i < size; i++)
		field->value |= (uint64_t)wire->at[i] << i * 8;
	wire->at += size;
	return 0;
}

/* A field without the bytes that it has: nearly all have a tag of one byte and
 * are a number or bytes. */
static inline int begin_field(struct pn_wire_field *out, struct pn_wire *wire,
			      struct pn_error *err)
{
	const unsigned char *at = wire->at;

	if (wire->end - at > 1 && at[0] >= 1 << 3 && at[0] < 128 &&
	    !(at[0] & 7 & ~PN_WIRE_BYTES)) {
		out->offset = pn_wire_offset(wire);
		out->number = at[0] >> 3;
		out->type = at[0] & 7;
		wire->at = at + 1;
		return varint(&out->value, wire, err);
	}
	if (pn_wire_head(out, wire, err))
		return PN_EINVAL;
	return out->type == PN_WIRE_BYTES ? 0 : pn_wire_value(out, wire, err);
}

/* Whether the bytes of a field are there; they are taken then. */
static inline bool take_bytes(struct pn_wire_field *f, struct pn_wire *wire)
{
	if (f->value > (uint64_t)(wire->end - wire->at))
		return false;
	f->bytes.at = wire->at;
	f->bytes.end = wire->at + f->value;
	wire->at = f->bytes.end;
	f->bytes.end_offset = pn_wire_offset(wire);
	return true;
}

int pn_wire_next(struct pn_wire_field *out, struct pn_wire *wire,
		 struct pn_error *err)
{
	if (begin_field(out, wire, err))
		return PN_EINVAL;
	if (out->type != PN_WIRE_BYTES || take_bytes(out, wire))
		return 0;
	return cut(out, out->value, (size_t)(wire->end - wire->at), err);
}

bool pn_wire_whole(struct pn_wire_field *out, struct pn_wire *wire,
		   uint64_t most)
{
	const unsigned char *at = wire->at;
	struct pn_error unused;

	if (wire->end - at >= PN_WIRE_HEAD_MAX &&
	    !begin_field(out, wire, &unused) &&
	    (out->type != PN_WIRE_BYTES ||
	     (out->value <= most && take_bytes(out, wire))))
		return true;
	wire->at = at;
	return false;
}

int pn_wire_mismatch(const struct pn_wire_field *field, const char *message,
		     const char *name, const char *expected,
		     struct pn_error *err)
{
	return pn_error_set(
		err, PN_EINVAL,
		"byte %" PRIu64 ": %s.%s has wire type %u, expected %s",
		field->offset, message, name, field->type, expected);
}

int pn_wire_from(struct pn_wire_field *out, struct pn_reader *in,
		 struct pn_error *err)
{
	const unsigned char *from;
	struct pn_wire wire;
	size_t have;
	int code = pn_reader_peek(&from, &have, in, PN_WIRE_HEAD_MAX, err);

	if (code || !have)
		return code;
	wire.at = from;
	wire.end = from + have;
	wire.end_offset = pn_reader_offset(in) + have;
	if (begin_field(out, &wire, err))
		return PN_EINVAL;
	pn_reader_consume(in, (size_t)(wire.at - from));
	return 1;
}

int pn_wire_string(uint32_t *id, struct pn_wire_strings strings,
		   const char *what, size_t index, struct pn_error *err)
{
	if (*id >= strings.count && *id)
		return pn_error_set(err, PN_EINVAL,
				    "%s %zu has string %" PRIu32
				    ", the string table has %zu",
				    what, index, *id, strings.count);
	*id = strings.count ? strings.ids[*id] : 0;
	return 0;
}

int pn_wire_functions(struct pn_profile *p, struct pn_wire_strings strings,
		      struct pn_error *err)
{
	size_t i;

	for (i = 0; i < p->function_count; i++) {
		struct pn_function *f = &p->functions[i];

		if (pn_wire_string(&f->name, strings, "function", i, err) ||
		    pn_wire_string(&f->system_name, strings, "function", i,
				   err) ||
		    pn_wire_string(&f->file, strings, "function", i, err))
			return PN_EINVAL;
	}
	return 0;
}
