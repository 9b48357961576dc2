/*
 * Numbers as text, the same in every locale.
 *
 * Most numbers need no more than one correctly rounded operation on doubles
 * (Clinger, How to Read Floating Point Numbers Accurately, PLDI 1990) or on
 * 128 bits. For the others digits go to and from the C library as integers
 * ("12345e-7"), in which no locale has a decimal point to change.
 */
#include "base/number.h"

#include "base/bytes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 17 /* of a double that reads back equal: C11 5.2.4.2.2 */
/*
 * Digits that can decide how a decimal is rounded to a double: the longest
 * midpoint of two doubles has 767; one more stands for all that follow.
 */
#define DECIDING_DIGITS 768

/* value = 0.d1d2d3... * 10^point, d1 is not 0 */
struct decimal {
	char digits[DECIDING_DIGITS + 2];
	int count;
	int64_t point;
	bool negative;
};

/* The powers of ten that a double holds exactly. */
static const double powers[] = {
	1e0,  1e1,  1e2,  1e3,	1e4,  1e5,  1e6,  1e7,	1e8,  1e9,  1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};
#define POWERS ((int)(sizeof(powers) / sizeof(*powers)))
/* What 64 bits hold of digits and of a power of ten. */
#define WORD_DIGITS 19

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

#define CHUNK UINT64_C(100000000) /* 10^8 */

/* The eight digits of a number below 10^8, one a byte, the first one lowest:
 * halves, pairs and digits are divided side by side. 10486 / 2^20 and
 * 103 / 2^10 are 1 / 100 and 1 / 10 for what is in them. */
static inline uint64_t eight_digits(uint64_t value)
{
	uint64_t halves = value / 10000 | value % 10000 << 32;
	uint64_t high = (halves * 10486 >> 20) & 0x0000007f0000007f;
	uint64_t pairs = high | (halves - 100 * high) << 16;
	uint64_t tens = (pairs * 103 >> 10) & 0x000f000f000f000f;

	return tens | (pairs - 10 * tens) << 8;
}

static inline void put_chunk(char *out, uint64_t digits)
{
	pn_bytes_put_eight((unsigned char *)out, digits);
}

/* Without zeros in front; bytes behind them are written, too. */
static inline size_t put_first_chunk(char *out, uint64_t value)
{
	uint64_t digits = eight_digits(value);
	unsigned int zeros =
		(unsigned int)__builtin_ctzll(digits | UINT64_C(1) << 56) & ~7u;

	put_chunk(out, (digits | PN_BYTES_EACH * '0') >> zeros);
	return 8 - zeros / 8;
}

static inline size_t put_next_chunk(char *out, uint64_t value)
{
	put_chunk(out, eight_digits(value % CHUNK) | PN_BYTES_EACH * '0');
	return 8;
}

size_t pn_number_write_uint(char out[PN_NUMBER_UINT_TEXT], uint64_t value)
{
	size_t n;

	if (value < CHUNK) {
		n = put_first_chunk(out, value);
	} else if (value / CHUNK < CHUNK) {
		n = put_first_chunk(out, value / CHUNK);
		n += put_next_chunk(out + n, value);
	} else {
		n = put_first_chunk(out, value / CHUNK / CHUNK);
		n += put_next_chunk(out + n, value / CHUNK);
		n += put_next_chunk(out + n, value);
	}
	out[n] = '\0';
	return n;
}

static double from_decimal(const struct decimal *d)
{
	char text[DECIDING_DIGITS + 32];
	double value;

	if (!d->count || d->point < -400)
		return d->negative ? -0.0 : 0.0;
	if (d->point > 400)
		return d->negative ? -HUGE_VAL : HUGE_VAL;
	snprintf(text, sizeof(text), "%.*se%d", d->count, d->digits,
		 (int)d->point - d->count);
	value = strtod(text, NULL);
	return d->negative ? -value : value;
}

/* Correctly rounded to `count` digits; trailing zeros are taken off. */
static void to_decimal(struct decimal *out, double value, int count)
{
	char text[MAX_DIGITS + 16];
	const char *c;

	snprintf(text, sizeof(text), "%.*e", count - 1, fabs(value));
	out->negative = signbit(value);
	out->count = 0;
	for (c = text; *c != 'e'; c++)
		if (is_digit(*c))
			out->digits[out->count++] = *c;
	out->point = strtol(c + 1, NULL, 10) + 1;
	while (out->count > 1 && out->digits[out->count - 1] == '0')
		out->count--;
}

/* One unit more in the last of `count` digits; false when that carries out. */
static bool step_up(struct decimal *d, int count)
{
	int at = count - 1;

	while (d->count < count)
		d->digits[d->count++] = '0';
	while (at >= 0 && d->digits[at] == '9')
		at--;
	if (at < 0)
		return false;
	d->digits[at]++;
	d->count = at + 1;
	return true;
}

/*
 * Any decimal of up to 15 digits survives a double, so for a normal number
 * the search starts there; below DBL_MIN fewer digits may do. At a power of
 * two the doubles below are closer than those above: then the nearest decimal
 * may read back as the lower neighbour while the next one is right.
 */
static void shortest(struct decimal *out, double value)
{
	int count = fabs(value) < DBL_MIN ? 1 : DBL_DIG;
	int exponent;
	bool power = fabs(frexp(value, &exponent)) == 0.5;

	for (;; count++) {
		to_decimal(out, value, count);
		if (count == MAX_DIGITS || from_decimal(out) == value)
			return;
		if (power && step_up(out, count) && from_decimal(out) == value)
			return;
	}
}

/*
 * At most 15 digits, found by scaling up: n / 10^places is one correctly
 * rounded operation, so that n reads back as `value` when it is equal.
 */
static bool shortest_by_scaling(struct decimal *out, double value)
{
	double size = fabs(value);
	int places;

	for (places = 0; FLT_EVAL_METHOD == 0 && places < POWERS; places++) {
		double scaled = size * powers[places];
		int64_t n;

		if (scaled >= 1e15)
			return false;
		n = (int64_t)(scaled + 0.5);
		if (!n || (double)n / powers[places] != size)
			continue;
		out->negative = signbit(value);
		out->count =
			(int)pn_number_write_uint(out->digits, (uint64_t)n);
		out->point = out->count - places;
		return true;
	}
	return false;
}

static size_t put_exponent(char *to, int exponent)
{
	return (size_t)snprintf(to, 8, "e%c%02d", exponent < 0 ? '-' : '+',
				abs(exponent));
}

static size_t put_zeros(char *to, int64_t count)
{
	if (count <= 0)
		return 0;
	memset(to, '0', (size_t)count);
	return (size_t)count;
}

/* As Python's repr: plain from 1e-04 up to below 1e+16. */
static size_t lay_out(char *to, const struct decimal *d, bool point)
{
	size_t count = (size_t)d->count, n = 0, whole;

	if (d->negative)
		to[n++] = '-';
	if (d->point <= -4 || d->point > 16) {
		/* There is always one, whatever the analyzer believes.
		 * NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
		to[n++] = d->digits[0];
		if (count > 1)
			to[n++] = '.';
		memcpy(to + n, d->digits + 1, count - 1);
		n += count - 1;
		return n + put_exponent(to + n, (int)d->point - 1);
	}
	whole = d->point > 0 ? (size_t)d->point : 0;
	if (whole > count)
		whole = count;
	if (!whole)
		to[n++] = '0';
	memcpy(to + n, d->digits, whole);
	n += whole;
	n += put_zeros(to + n, d->point - (int64_t)count);
	if (count > whole || point)
		to[n++] = '.';
	n += put_zeros(to + n, -d->point);
	memcpy(to + n, d->digits + whole, count - whole);
	n += count - whole;
	if (count == whole && point)
		to[n++] = '0';
	return n;
}

size_t pn_number_write_int(char out[PN_NUMBER_INT_TEXT], int64_t value)
{
	size_t sign = value < 0;
	uint64_t size = sign ? 0 - (uint64_t)value : (uint64_t)value;

	out[0] = '-';
	return sign + pn_number_write_uint(out + sign, size);
}

static size_t write_whole(char *to, double value, bool point)
{
	size_t n = 0;

	if (signbit(value))
		to[n++] = '-';
	n += pn_number_write_uint(to + n, (uint64_t)fabs(value));
	if (point) {
		to[n++] = '.';
		to[n++] = '0';
	}
	to[n] = '\0';
	return n;
}

size_t pn_number_write(char out[PN_NUMBER_TEXT], double value, bool point)
{
	struct decimal d;
	size_t n;

	if (isnan(value))
		return (size_t)snprintf(out, PN_NUMBER_TEXT, "nan");
	if (isinf(value))
		return (size_t)snprintf(out, PN_NUMBER_TEXT, "%s",
					value < 0 ? "-inf" : "inf");
	if (fabs(value) < 1e15 && value == (double)(int64_t)value)
		return write_whole(out, value, point);
	if (!shortest_by_scaling(&d, value))
		shortest(&d, value);
	n = lay_out(out, &d, point);
	out[n] = '\0';
	return n;
}

bool pn_number_uint(uint64_t *out, const char *text, size_t len)
{
	uint64_t value = 0;
	size_t i = len && text[0] == '+';

	if (i == len)
		return false;
	for (; i < len; i++) {
		unsigned int digit = (unsigned int)(text[i] - '0');

		if (!is_digit(text[i]) || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*out = value;
	return true;
}

bool pn_number_int(int64_t *out, const char *text, size_t len)
{
	bool negative = len && text[0] == '-';
	uint64_t value;

	if (negative && len > 1 && text[1] == '+')
		return false;
	if (!pn_number_uint(&value, text + negative, len - negative) ||
	    value > (uint64_t)INT64_MAX + negative)
		return false;
	*out = (int64_t)(negative ? 0 - value : value);
	return true;
}

static void add_digit(struct decimal *d, char digit)
{
	if (!d->count && digit == '0')
		return;
	if (d->count < DECIDING_DIGITS)
		d->digits[d->count++] = digit;
	else if (digit != '0' && d->count == DECIDING_DIGITS)
		d->digits[d->count++] = '1';
}

/* [eE][+-]?[0-9]+ at text[at]; large ones are held at a million. */
static bool read_exponent(int64_t *out, const char *text, size_t len, size_t at)
{
	int64_t value = 0;
	bool negative;

	if (at == len)
		return true;
	if ((text[at] | 32) != 'e' || ++at == len)
		return false;
	negative = text[at] == '-';
	at += negative || text[at] == '+';
	if (at == len)
		return false;
	for (; at < len; at++) {
		if (!is_digit(text[at]))
			return false;
		if (value < 1000000)
			value = value * 10 + (text[at] - '0');
	}
	*out += negative ? -value : value;
	return true;
}

static bool read_decimal(struct decimal *out, const char *text, size_t len)
{
	size_t at = 0, digits = 0;
	bool behind = false;

	out->count = 0;
	out->point = 0;
	out->negative = len && text[0] == '-';
	if (len && (text[0] == '-' || text[0] == '+'))
		at++;
	for (; at < len && (is_digit(text[at]) || text[at] == '.'); at++) {
		if (text[at] == '.') {
			if (behind)
				return false;
			behind = true;
			continue;
		}
		digits++;
		add_digit(out, text[at]);
		if (out->count ? !behind : false)
			out->point++;
		else if (!out->count && behind)
			out->point--;
	}
	return digits && read_exponent(&out->point, text, len, at);
}

/* Both parts are exact doubles, so that one operation rounds correctly. */
static bool read_by_double(double *out, uint64_t digits, int exponent)
{
	double value = (double)digits;

	if (FLT_EVAL_METHOD != 0 || digits > (uint64_t)1 << DBL_MANT_DIG ||
	    exponent <= -POWERS || exponent >= POWERS)
		return false;
	*out = exponent < 0 ? value / powers[-exponent]
			    : value * powers[exponent];
	return true;
}

#ifdef __SIZEOF_INT128__
/* Exact in 128 bits but for a remainder, which counts as a bit below all. */
static bool read_by_int128(double *out, uint64_t digits, int exponent)
{
	unsigned __int128 n = digits, power = 1;
	int i, shift = 0, drop = 0;

	if (exponent < -WORD_DIGITS || exponent > WORD_DIGITS)
		return false;
	for (i = abs(exponent); i; i--)
		power *= 10;
	if (exponent < 0) {
		while (!(digits >> 63)) {
			digits <<= 1;
			shift--;
		}
		n = (unsigned __int128)digits << 63;
		shift -= 63;
		n = n / power << 1 | (n % power != 0);
		shift--;
	} else {
		n *= power;
	}
	while (n >> drop >> 64)
		drop++;
	/* 62 bits or more where something is lost: the conversion rounds them
	 * once, and the lowest says that there is more below */
	digits = (uint64_t)(n >> drop) |
		 ((n & (((unsigned __int128)1 << drop) - 1)) != 0);
	shift += drop;
	*out = ldexp((double)digits, shift);
	return true;
}
#else
static bool read_by_int128(double *out, uint64_t digits, int exponent)
{
	(void)out;
	(void)digits;
	(void)exponent;
	return false;
}
#endif

static bool read_fast(double *out, const struct decimal *d)
{
	int64_t exponent = d->point - d->count;
	uint64_t digits = 0;
	int i;

	if (!d->count || d->count > WORD_DIGITS || exponent < -400 ||
	    exponent > 400)
		return false;
	for (i = 0; i < d->count; i++)
		digits = digits * 10 + (uint64_t)(d->digits[i] - '0');
	if (!read_by_double(out, digits, (int)exponent) &&
	    !read_by_int128(out, digits, (int)exponent))
		return false;
	if (d->negative)
		*out = -*out;
	return true;
}

bool pn_number_double(double *out, const char *text, size_t len)
{
	struct decimal d;
	double value;

	if (!read_decimal(&d, text, len))
		return false;
	if (!read_fast(&value, &d))
		value = from_decimal(&d);
	if (isinf(value))
		return false;
	*out = value;
	return true;
}

bool pn_number_share(double *out, const char *text)
{
	size_t len = strlen(text);
	bool percent = len && text[len - 1] == '%';
	double share;

	if (!pn_number_double(&share, text, len - percent))
		return false;
	share /= percent ? 100 : 1;
	if (!(share >= 0 && share < 1))
		return false;
	*out = share;
	return true;
}
