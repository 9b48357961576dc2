/* The order of texts by their bytes: of two that begin alike the shorter one
 * is first. */
#ifndef PN_BASE_BYTES_H
#define PN_BASE_BYTES_H

#include <stddef.h>
#include <string.h>

static inline int pn_bytes_order(const void *left, size_t left_len,
				 const void *right, size_t right_len)
{
	size_t len = left_len < right_len ? left_len : right_len;
	int order = len ? memcmp(left, right, len) : 0;

	return order ? order : (left_len > right_len) - (left_len < right_len);
}

#endif
