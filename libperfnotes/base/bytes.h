/* The order of texts by their bytes, and four or eight of them as one
 * number. */
#ifndef PN_BASE_BYTES_H
#define PN_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of two that begin alike the shorter one is first. */
static inline int pn_bytes_order(const void *left, size_t left_len,
				 const void *right, size_t right_len)
{
	size_t len = left_len < right_len ? left_len : right_len;
	int order = len ? memcmp(left, right, len) : 0;

	return order ? order : (left_len > right_len) - (left_len < right_len);
}

#define PN_BYTES_EACH UINT64_C(0x0101010101010101)
#define PN_BYTES_HIGH (PN_BYTES_EACH << 7)

/* The first one lowest, on every machine. */
static inline uint32_t pn_bytes_four(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

/* The first one highest: a number as files of git have it. */
static inline uint32_t pn_bytes_big_four(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t pn_bytes_eight(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
	       (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
	       (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

static inline void pn_bytes_put_eight(unsigned char *p, uint64_t eight)
{
	p[0] = (unsigned char)eight;
	p[1] = (unsigned char)(eight >> 8);
	p[2] = (unsigned char)(eight >> 16);
	p[3] = (unsigned char)(eight >> 24);
	p[4] = (unsigned char)(eight >> 32);
	p[5] = (unsigned char)(eight >> 40);
	p[6] = (unsigned char)(eight >> 48);
	p[7] = (unsigned char)(eight >> 56);
}

/*
 * PN_BYTES_HIGH of it is 0 where all eight are printable ASCII. One that is not
 * leaves its highest bit behind; beside it a printable one may, too. Warren,
 * Hacker's Delight, 6-1.
 */
static inline uint64_t pn_bytes_unprintable(uint64_t eight)
{
	return (eight - PN_BYTES_EACH * ' ') | (eight + PN_BYTES_EACH) | eight;
}

#endif
