/* The bytes of a chunk of JFR. */
#include "codec/jfr/bytes.h"

static void cut(struct pn_jfr_bytes *b)
{
	b->bad = true;
	b->at = b->end;
}

uint64_t pn_jfr_number(struct pn_jfr_bytes *b)
{
	uint64_t value = 0;
	unsigned int shift;

	for (shift = 0; b->at < b->end; shift += 7) {
		unsigned char byte = *b->at++;

		if (shift == 56)
			return value | (uint64_t)byte << 56;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	cut(b);
	return 0;
}

uint8_t pn_jfr_byte(struct pn_jfr_bytes *b)
{
	if (b->at < b->end)
		return *b->at++;
	cut(b);
	return 0;
}

void pn_jfr_skip(struct pn_jfr_bytes *b, size_t n)
{
	if (n > pn_jfr_left(b))
		cut(b);
	else
		b->at += n;
}

size_t pn_jfr_count(struct pn_jfr_bytes *b)
{
	uint64_t n = pn_jfr_number(b);

	if (n > pn_jfr_left(b)) {
		cut(b);
		n = 0;
	}
	return (size_t)n;
}

enum pn_jfr_coding pn_jfr_text(struct pn_jfr_bytes *body,
			       struct pn_jfr_bytes *b)
{
	enum pn_jfr_coding coding = (enum pn_jfr_coding)pn_jfr_byte(b);
	size_t n;

	*body = (struct pn_jfr_bytes){b->at, b->at, false};
	switch (coding) {
	case PN_JFR_NULL:
	case PN_JFR_EMPTY:
		break;
	case PN_JFR_POOLED:
		pn_jfr_number(b);
		break;
	case PN_JFR_UTF8:
	case PN_JFR_LATIN1:
		n = pn_jfr_count(b);
		body->at = b->at;
		pn_jfr_skip(b, n);
		break;
	case PN_JFR_CHARS:
		n = pn_jfr_count(b);
		body->at = b->at;
		while (n-- && !b->bad)
			pn_jfr_number(b);
		break;
	default:
		cut(b);
		break;
	}
	body->end = b->at;
	return b->bad ? PN_JFR_NULL : coding;
}

uint64_t pn_jfr_fixed(const unsigned char *at, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | *at++;
	return value;
}
