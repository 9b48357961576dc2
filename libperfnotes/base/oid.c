/* The name of a git object. */
#include "base/oid.h"

#include "base/error.h"

#include <string.h>

/* One more than the value of each digit, 0: none. */
static const unsigned char hex_digits[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

int pn_hex_digit(char c)
{
	return hex_digits[(unsigned char)c] - 1;
}

void pn_oid_hex(char out[PN_OID_HEX + 1], const struct pn_oid *oid)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < PN_OID_BYTES; i++) {
		out[2 * i] = digits[oid->bytes[i] >> 4];
		out[2 * i + 1] = digits[oid->bytes[i] & 15];
	}
	out[PN_OID_HEX] = '\0';
}

int pn_oid_parse(struct pn_oid *out, const char *text)
{
	struct pn_oid oid;
	size_t i;

	for (i = 0; i < PN_OID_BYTES; i++) {
		unsigned int high = hex_digits[(unsigned char)text[2 * i]];
		unsigned int low;

		/* not behind the end of a text that is too short */
		if (!high)
			return PN_EINVAL;
		low = hex_digits[(unsigned char)text[2 * i + 1]];
		if (!low)
			return PN_EINVAL;
		oid.bytes[i] = (unsigned char)((high - 1) << 4 | (low - 1));
	}
	*out = oid;
	return 0;
}

bool pn_oid_is_zero(const struct pn_oid *oid)
{
	static const struct pn_oid zero;

	return pn_oid_equal(oid, &zero);
}
