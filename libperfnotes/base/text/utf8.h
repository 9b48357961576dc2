/* Characters of UTF-8: RFC 3629. */
#ifndef PN_TEXT_UTF8_H
#define PN_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define PN_UTF8_MAX 4 /* bytes of a character */

static inline int pn_utf8_is_tail(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/*
 * The character at `p` and its length in bytes, 0 when there is none: cut,
 * overlong, a surrogate or above U+10FFFF. `left` is at least 1.
 */
static inline size_t pn_utf8_read(uint32_t *out, const unsigned char *p,
				  size_t left)
{
	uint32_t c = p[0];

	if (c < 0x80) {
		*out = c;
		return 1;
	}
	if (c < 0xc2 || c > 0xf4 || left < 2 || !pn_utf8_is_tail(p[1]))
		return 0;
	if (c < 0xe0) {
		*out = (c & 31) << 6 | (p[1] & 63u);
		return 2;
	}
	if (left < 3 || !pn_utf8_is_tail(p[2]))
		return 0;
	if (c < 0xf0) {
		c = (c & 15) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
		*out = c;
		return c < 0x800 || (c >= 0xd800 && c < 0xe000) ? 0 : 3;
	}
	if (left < 4 || !pn_utf8_is_tail(p[3]))
		return 0;
	c = (c & 7) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 |
	    (p[3] & 63u);
	*out = c;
	return c < 0x10000 || c > 0x10ffff ? 0 : 4;
}

/* Write a character that UTF-8 has; returns its length. */
static inline size_t pn_utf8_write(unsigned char to[PN_UTF8_MAX], uint32_t c)
{
	if (c < 0x80) {
		to[0] = (unsigned char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (unsigned char)(0xc0 | c >> 6);
		to[1] = (unsigned char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (unsigned char)(0xe0 | c >> 12);
		to[1] = (unsigned char)(0x80 | (c >> 6 & 63));
		to[2] = (unsigned char)(0x80 | (c & 63));
		return 3;
	}
	to[0] = (unsigned char)(0xf0 | c >> 18);
	to[1] = (unsigned char)(0x80 | (c >> 12 & 63));
	to[2] = (unsigned char)(0x80 | (c >> 6 & 63));
	to[3] = (unsigned char)(0x80 | (c & 63));
	return 4;
}

#endif
