/*
 * Protocol buffers as bytes: the fields of a message, one after the other.
 * https://protobuf.dev/programming-guides/encoding/
 */
#ifndef PN_CODEC_WIRE_H
#define PN_CODEC_WIRE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_WIRE_FIELD_MAX ((1u << 29) - 1) /* largest number of a field */
#define PN_WIRE_HEAD_MAX 20 /* bytes of a tag and a length, at most */

enum pn_wire_type {
	PN_WIRE_VARINT = 0,
	PN_WIRE_FIXED64 = 1,
	PN_WIRE_BYTES = 2,
	PN_WIRE_FIXED32 = 5
};

/* What is left of a message; `end_offset` is where its end is in the input. */
struct pn_wire {
	const unsigned char *at, *end;
	uint64_t end_offset;
};

struct pn_wire_field {
	uint32_t number;
	uint8_t type;	      /* enum pn_wire_type */
	uint64_t offset;      /* of its tag in the input */
	uint64_t value;	      /* VARINT, FIXED64, FIXED32; length of BYTES */
	struct pn_wire bytes; /* BYTES */
};

/* Where `wire` is in the input. */
uint64_t pn_wire_offset(const struct pn_wire *wire);

/*
 * The tag of the next field, and its length when it is BYTES, which are not
 * looked at: they may lie behind the end. PN_EINVAL for a cut or overlong
 * number, for number 0 and for groups, which profile.proto does not have.
 */
int pn_wire_head(struct pn_wire_field *out, struct pn_wire *wire,
		 struct pn_error *err);
/* The number of a field that is not BYTES. */
int pn_wire_value(struct pn_wire_field *field, struct pn_wire *wire,
		  struct pn_error *err);
/* The next field whole. */
int pn_wire_next(struct pn_wire_field *out, struct pn_wire *wire,
		 struct pn_error *err);

/* One number of a packed list. PN_EINVAL as above. */
int pn_wire_varint(uint64_t *out, struct pn_wire *wire, struct pn_error *err);

/* PN_EINVAL "byte 7: sample.value has wire type 5, expected 0 or 2". */
int pn_wire_mismatch(const struct pn_wire_field *field, const char *message,
		     const char *name, const char *expected,
		     struct pn_error *err);

#endif
