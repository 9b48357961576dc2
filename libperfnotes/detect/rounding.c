/* Values that are rounded to a last digit. */
#include "detect/rounding.h"

#include "base/number.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EQUAL_P 0.1	/* that so many values with noise are equal */
#define MOST_NOISE 1.25 /* last digits: more does not stay hidden */
#define ONE_P 1e-3	/* of one digit */
#define SURE_P 1e-4

/* Digits behind the point of a number as one writes it out. */
static long digits_behind(double value)
{
	char text[PN_NUMBER_TEXT];
	const char *point, *power;
	long digits = 0;

	pn_number_write(text, value, false);
	point = strchr(text, '.');
	power = strchr(text, 'e');
	if (point)
		digits = (long)strspn(point + 1, "0123456789");
	if (power)
		digits -= strtol(power + 1, NULL, 10);
	return digits;
}

double pn_rounding_digit(const double *values, size_t n)
{
	long behind, most = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		behind = digits_behind(values[i]);
		most = behind > most ? behind : most;
	}
	return pow(10, (double)-most);
}

/* Of n equal values whose level is in the middle between two that are rounded
 * otherwise. */
static double hidden_noise(size_t n)
{
	double one = pow(EQUAL_P, 1 / (double)n);

	return fmin(0.5 / pn_stats_normal_quantile((1 + one) / 2), MOST_NOISE);
}

/* That n of n + m values are the first of two and then m the other one, where
 * that is likeliest: q^m (1 - q)^n with q = m / (n + m). */
static double split(double n, double m)
{
	return exp(m * log(m / (n + m)) + n * log(n / (n + m)));
}

double pn_rounding_chance(double digits, size_t before, size_t after)
{
	double n = (double)before, m = (double)after;

	if (!before || !after)
		return 0;
	if (digits < 1.5)
		return split(n, m);
	/* it may be half of one less */
	return pow(pn_stats_normal_upper((digits - 0.5) / hidden_noise(before)),
		   m);
}

bool pn_rounding_hides(double digits, size_t before, size_t after)
{
	return pn_rounding_chance(digits, before, after) >=
	       (digits < 1.5 ? ONE_P : SURE_P);
}
