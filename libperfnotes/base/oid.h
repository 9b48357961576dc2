/* The name of a git object: a SHA-1, as bytes and as 40 hex digits. */
#ifndef PN_BASE_OID_H
#define PN_BASE_OID_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define PN_OID_BYTES 20
#define PN_OID_HEX 40

struct pn_oid {
	unsigned char bytes[PN_OID_BYTES];
};

/* Writes 40 lower case digits and a NUL. */
void pn_oid_hex(char out[PN_OID_HEX + 1], const struct pn_oid *oid);
/* Reads exactly 40 hex digits at `text`; 0, or PN_EINVAL without message. */
int pn_oid_parse(struct pn_oid *out, const char *text);

/* Sorting a batch compares millions of times: the first byte mostly decides. */
static inline int pn_oid_cmp(const struct pn_oid *a, const struct pn_oid *b)
{
	if (a->bytes[0] != b->bytes[0])
		return a->bytes[0] < b->bytes[0] ? -1 : 1;
	return memcmp(a->bytes, b->bytes, PN_OID_BYTES);
}

static inline bool pn_oid_equal(const struct pn_oid *a, const struct pn_oid *b)
{
	return !memcmp(a->bytes, b->bytes, PN_OID_BYTES);
}

bool pn_oid_is_zero(const struct pn_oid *oid);
/* The value of a hex digit, -1 for any other character. */
int pn_hex_digit(char c);

#endif
