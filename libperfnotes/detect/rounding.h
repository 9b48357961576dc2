/*
 * Values that are rounded to a last digit: equal ones may have noise that does
 * not show, and a step of that digit behind them may be noise. Pure.
 */
#ifndef PN_DETECT_ROUNDING_H
#define PN_DETECT_ROUNDING_H

#include <stdbool.h>
#include <stddef.h>

/* The last digit that all of n values are written with; 0: it is less than a
 * double can be. */
double pn_rounding_digit(const double *values, size_t n);

/*
 * How likely noise makes it that `before` equal values are followed by `after`
 * others, which are equal, too, and so many last digits away. By one digit:
 * both are the two that values between them are rounded to, whatever the noise.
 * By more: with the largest noise with which one of ten such series would be
 * equal before.
 */
double pn_rounding_chance(double digits, size_t before, size_t after);
/* Whether that may be: in 1 of 1,000 cases or more by one digit, in 1 of 10,000
 * by more. */
bool pn_rounding_hides(double digits, size_t before, size_t after);

#endif
