/* Numbers as text, the same in every locale. */
#ifndef PN_BASE_NUMBER_H
#define PN_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_NUMBER_TEXT 32 /* bytes that any number here needs, with NUL */

/* The shortest text that reads back as the same double, as Python's repr and
 * JSON write it ("0.1", "1e-05", "5.0" is "5.0" only with `point`); NaN and
 * infinities are "nan", "inf", "-inf". Returns the length. */
size_t pn_number_write(char out[PN_NUMBER_TEXT], double value, bool point);

/* A whole number in decimal digits. Returns the length. */
#define PN_NUMBER_UINT_TEXT 21 /* digits of 2^64 - 1, with NUL */
size_t pn_number_write_uint(char out[PN_NUMBER_UINT_TEXT], uint64_t value);
#define PN_NUMBER_INT_TEXT 21 /* those of -2^63 */
size_t pn_number_write_int(char out[PN_NUMBER_INT_TEXT], int64_t value);

/* All of `text` (len bytes) as a decimal number; false when it is not one or
 * does not fit. pn_number_int takes an optional sign and digits only. */
bool pn_number_int(int64_t *out, const char *text, size_t len);
bool pn_number_uint(uint64_t *out, const char *text, size_t len);
bool pn_number_double(double *out, const char *text, size_t len);
/* "2%" or "0.02": a share of at least 0 and below 1. */
bool pn_number_share(double *out, const char *text);

#endif
