/*
 * Numbers as text against the C library, with random doubles and decimals:
 *
 *	number_property          checks, in the C locale
 *	number_property print    prints bits and text, for number_python.sh
 */
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 100000

/* xorshift64: Marsaglia, Journal of Statistical Software 8 (2003). */
static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Any bits, powers of two and their neighbours, decimals of few digits. */
static double draw(uint64_t *seed)
{
	uint64_t bits = next(seed);
	double value;

	switch (next(seed) % 4) {
	case 0:
		value = ldexp(1, (int)(bits % 2098) - 1074);
		break;
	case 1:
		value = nextafter(ldexp(1, (int)(bits % 2000) - 1000),
				  bits & 1 << 20 ? 0 : HUGE_VAL);
		break;
	case 2:
		value = (double)(bits % 10000000) /
			pow(10, (double)(bits >> 40) / (1 << 24) * 12);
		break;
	default:
		memcpy(&value, &bits, sizeof(value));
	}
	return isfinite(value) ? value : 1;
}

static size_t count_digits(const char *text)
{
	size_t n = 0, zeros = 0;

	for (; *text && *text != 'e'; text++) {
		if (*text < '0' || *text > '9' || (*text == '0' && !n))
			continue;
		n++;
		zeros = *text == '0' ? zeros + 1 : 0;
	}
	return n - zeros;
}

/* The fewest digits with which printf and strtod agree on `value`. */
static size_t fewest_digits(double value)
{
	char text[40];
	int digits;

	for (digits = 1; digits < 17; digits++) {
		snprintf(text, sizeof(text), "%.*e", digits - 1, value);
		if (strtod(text, NULL) == value)
			break;
	}
	snprintf(text, sizeof(text), "%.*e", digits - 1, value);
	return count_digits(text);
}

static int check_write(double value)
{
	char text[PN_NUMBER_TEXT];
	size_t len = pn_number_write(text, value, true);
	double back = strtod(text, NULL), own = 0;

	if (strlen(text) == len && !memcmp(&back, &value, sizeof(back)) &&
	    pn_number_double(&own, text, len) &&
	    !memcmp(&own, &value, sizeof(own)) &&
	    count_digits(text) <= fewest_digits(value))
		return 0;
	printf("%.17g is written as %s and read as %.17g\n", value, text, own);
	return 1;
}

/* Up to 25 digits with a point anywhere and an exponent. */
static int check_read(uint64_t *seed)
{
	char text[64];
	double have = 0, want;
	size_t len = 0, digits = 1 + next(seed) % 25, i;
	size_t point = next(seed) % (digits + 1);
	bool good;

	for (i = 0; i < digits; i++) {
		if (i == point)
			text[len++] = '.';
		text[len++] = (char)('0' + next(seed) % 10);
	}
	len += (size_t)snprintf(text + len, sizeof(text) - len, "e%d",
				(int)(next(seed) % 80) - 40);
	want = strtod(text, NULL);
	good = pn_number_double(&have, text, len);
	if (good && !memcmp(&have, &want, sizeof(want)))
		return 0;
	printf("%s is read as %.17g, strtod says %.17g\n", text, have, want);
	return 1;
}

int main(int argc, char **argv)
{
	bool print = argc > 1 && !strcmp(argv[1], "print");
	uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
	int i, bad = 0;

	for (i = 0; i < ROUNDS && bad < 10; i++) {
		double value = draw(&seed);

		if (print) {
			char text[PN_NUMBER_TEXT];

			pn_number_write(text, value, true);
			printf("%a %s\n", value, text);
			continue;
		}
		bad += check_write(value);
		bad += check_read(&seed);
	}
	return bad > 0;
}
