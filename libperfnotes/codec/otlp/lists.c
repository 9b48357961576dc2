/* OTLP: numbers and lists of numbers. */
#include "codec/otlp/otlp.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <string.h>

int pn_otlp_index(uint32_t *out, const struct pn_wire_field *f, uint64_t value,
		  struct pn_error *err)
{
	if (value > INT32_MAX)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": %" PRId64
				    " is no index into a table",
				    f->offset, (int64_t)value);
	*out = (uint32_t)value;
	return 0;
}

int pn_otlp_indices(uint32_t **list, size_t *count, size_t *cap,
		    const struct pn_wire_field *f, const char *message,
		    struct pn_error *err)
{
	struct pn_wire wire = f->bytes;
	uint64_t value = f->value;
	int code = 0;

	if (f->type != PN_WIRE_BYTES && f->type != PN_WIRE_VARINT)
		return pn_wire_mismatch(f, message, "indices", "0 or 2", err);
	do {
		if (f->type == PN_WIRE_BYTES) {
			if (wire.at == wire.end)
				break;
			code = pn_wire_varint(&value, &wire, err);
		}
		if (*count == *cap)
			*list = pn_grow(*list, cap, *count + 1, sizeof(**list));
		if (!code)
			code = pn_otlp_index(&(*list)[*count], f, value, err);
		++*count;
	} while (!code && f->type == PN_WIRE_BYTES);
	return code;
}

int pn_otlp_numbers(uint64_t *values, uint32_t last, bool *other,
		    struct pn_wire wire, const char *message,
		    struct pn_error *err)
{
	struct pn_wire_field f;

	memset(values, 0, (last + 1) * sizeof(*values));
	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.number > last)
			*other = true;
		else if (f.type == PN_WIRE_BYTES)
			return pn_wire_mismatch(&f, message, "number", "0",
						err);
		else
			values[f.number] = f.value;
	}
	return 0;
}

int pn_otlp_type(struct pn_value_type *out, const struct pn_wire_field *f,
		 struct pn_error *err)
{
	uint64_t v[PN_OTLP_UNIT + 1];
	bool other = false; /* aggregation_temporality of old versions */

	if (f->type != PN_WIRE_BYTES)
		return pn_wire_mismatch(f, "profile", "sample_type", "2", err);
	memset(out, 0, sizeof(*out));
	if (pn_otlp_numbers(v, PN_OTLP_UNIT, &other, f->bytes, "value type",
			    err))
		return PN_EINVAL;
	return pn_otlp_index(&out->type, f, v[PN_OTLP_TYPE], err) ||
			       pn_otlp_index(&out->unit, f, v[PN_OTLP_UNIT],
					     err)
		       ? PN_EINVAL
		       : 0;
}
