/*
 * Protocol buffers as bytes: the fields of a message, one after the other.
 * https://protobuf.dev/programming-guides/encoding/
 */
#ifndef PN_CODEC_WIRE_H
#define PN_CODEC_WIRE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

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
static inline uint64_t pn_wire_offset(const struct pn_wire *wire)
{
	return wire->end_offset - (uint64_t)(wire->end - wire->at);
}

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

/*
 * Of the message that a reader has: the tag of the next field, and its number
 * or the length of its BYTES, which are what the reader has next then. 1, or 0
 * at the end. PN_EINVAL as above.
 */
int pn_wire_from(struct pn_wire_field *out, struct pn_reader *in,
		 struct pn_error *err);

/* The next field, where it is whole and well-formed and has at most `most`
 * bytes. False: it may not be, and the wire is where it was. */
bool pn_wire_whole(struct pn_wire_field *out, struct pn_wire *wire,
		   uint64_t most);

/* The string table of a message, as strings of a profile. */
struct pn_wire_strings {
	const uint32_t *ids;
	size_t count;
};

/*
 * What *id, a number of the file's table, is in the profile. Number 0 is ""
 * where there is no table, too. PN_EINVAL names the table's row `index` of
 * `what`.
 */
int pn_wire_string(uint32_t *id, struct pn_wire_strings strings,
		   const char *what, size_t index, struct pn_error *err);
/* The same of the names of all functions. */
int pn_wire_functions(struct pn_profile *profile,
		      struct pn_wire_strings strings, struct pn_error *err);

/* One number of a packed list. PN_EINVAL as above. */
int pn_wire_varint(uint64_t *out, struct pn_wire *wire, struct pn_error *err);

/* Appends a field that is a number, that is one but for 0, or bytes. */
static inline void pn_wire_add(struct pn_buf *to, unsigned int field,
			       uint64_t value)
{
	pn_buf_add_varint(to, field << 3);
	pn_buf_add_varint(to, value);
}

static inline void pn_wire_add_nonzero(struct pn_buf *to, unsigned int field,
				       uint64_t value)
{
	if (value)
		pn_wire_add(to, field, value);
}

static inline void pn_wire_add_bytes(struct pn_buf *to, unsigned int field,
				     const void *bytes, size_t len)
{
	pn_buf_add_varint(to, field << 3 | PN_WIRE_BYTES);
	pn_buf_add_varint(to, len);
	pn_buf_add(to, bytes, len);
}

/* A message, which is empty then, to be used again. */
static inline void pn_wire_add_message(struct pn_buf *to, unsigned int field,
				       struct pn_buf *message)
{
	pn_wire_add_bytes(to, field, message->data, message->len);
	pn_buf_clear(message);
}

/* PN_EINVAL "byte 7: sample.value has wire type 5, expected 0 or 2". */
int pn_wire_mismatch(const struct pn_wire_field *field, const char *message,
		     const char *name, const char *expected,
		     struct pn_error *err);

#endif
