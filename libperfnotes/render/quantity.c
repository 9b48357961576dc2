/* Measured values as people read them. */
#include "render/quantity.h"

#include "base/escape.h"
#include "base/number.h"
#include "model/unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DECIMALS_MAX 15
#define WHOLE_MAX 1e15	  /* above it a double has no digits behind the point */
#define FACTOR_MIN 10	  /* from here on a change is a factor */
#define CHANGE_DECIMALS 4 /* of a change in percent, at most */

static const double powers[DECIMALS_MAX + 1] = {
	1e0, 1e1, 1e2,	1e3,  1e4,  1e5,  1e6,	1e7,
	1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* A value in the unit that it is printed in. */
struct shown {
	double value, factor; /* of a value of the unit that was given */
	const char *unit;     /* "": none */
};

static struct shown count_of(double value)
{
	static const char *const names[] = {"", "M", "G", "T", "P", "E"};
	double factor = 1;
	size_t i = 0;

	if (isfinite(value) && fabs(value) >= 1e6)
		for (i = 1, factor = 1e6; i < 5 && fabs(value) / factor >= 1e3;
		     i++)
			factor *= 1e3;
	return (struct shown){value / factor, 1 / factor, names[i]};
}

/* Thousands of what has no family of units are scaled, too. */
static struct shown scale(double value, const char *unit)
{
	static const char *const counts[] = {"", "count", "sample", "samples",
					     "unit"};
	struct shown s;
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (!strcmp(unit, counts[i]))
			return count_of(value);
	s.value = pn_unit_scale(&s.unit, value, unit, PN_UNIT_AUTO);
	if (!pn_unit_comparable(unit, s.unit))
		s.unit = unit; /* of no family: it stays */
	s.factor = value != 0 ? s.value / value : 1;
	return s;
}

/* Place of the first digit: 0 for 1 to 9, -1 for .1; of 0 none. */
static int magnitude(double value)
{
	return value != 0 && isfinite(value)
		       ? (int)floor(log10(fabs(value)) + 1e-12)
		       : 0;
}

/* Digits behind the point; negative: that many before it are not known. */
static int choose_decimals(const struct shown *s, double spread)
{
	int first = magnitude(s->value), most, known;

	most = PN_QUANTITY_DIGITS_MAX - 1 - first;
	if (isfinite(spread) && spread > 0) {
		known = 1 - magnitude(spread);
		return known < most ? known : most;
	}
	if (s->value == floor(s->value) && first < 6)
		return 0;
	return PN_QUANTITY_DIGITS - 1 - first;
}

/* 1234567 as "1,234,567". */
static void add_grouped(struct pn_buf *out, uint64_t number)
{
	char digits[PN_NUMBER_UINT_TEXT];
	size_t i, len = pn_number_write_uint(digits, number);

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			pn_buf_add_byte(out, ',');
		pn_buf_add_byte(out, (unsigned char)digits[i]);
	}
}

/* Rounded to `decimals`; `trim` drops zeros at its end. */
static void add_number(struct pn_buf *out, double value, int decimals,
		       bool trim)
{
	char text[PN_NUMBER_TEXT];
	uint64_t number, power;
	double step;

	if (!isfinite(value) || fabs(value) >= WHOLE_MAX ||
	    decimals > DECIMALS_MAX ||
	    (decimals > 0 && fabs(value) * powers[decimals] >= 1e18)) {
		pn_number_write(text, value, false);
		pn_buf_add_text(out, text);
		return;
	}
	if (decimals < 0) {
		step = powers[decimals < -DECIMALS_MAX ? DECIMALS_MAX
						       : -decimals];
		value = round(value / step) * step;
		decimals = 0;
	}
	power = (uint64_t)powers[decimals];
	number = (uint64_t)llround(fabs(value) * powers[decimals]);
	for (; trim && decimals && number % 10 == 0; decimals--) {
		number /= 10;
		power /= 10;
	}
	if (value < 0 && number)
		pn_buf_add_byte(out, '-');
	add_grouped(out, number / power);
	if (decimals)
		pn_buf_printf(out, ".%0*llu", decimals,
			      (unsigned long long)(number % power));
}

static void add_unit(struct pn_buf *out, const struct shown *s)
{
	if (!*s->unit)
		return;
	pn_buf_add_byte(out, ' ');
	pn_escape_terminal(out, s->unit, strlen(s->unit));
}

/* Whether the last digit that is shown lets the spread be seen at all. */
static bool is_seen(double spread, int decimals)
{
	if (!isfinite(spread) || spread <= 0)
		return false;
	return decimals <= 0 || decimals > DECIMALS_MAX ||
	       spread * powers[decimals] >= 0.5;
}

static void add_quantity(struct pn_buf *out, double value, double spread,
			 const char *unit, bool with_spread)
{
	/* what is less than its spread is in the spread's unit */
	bool is_less = isfinite(spread) && spread > fabs(value);
	struct shown s = scale(is_less ? spread : value, unit);
	double width = fabs(spread * s.factor);
	int decimals;

	if (is_less)
		s.value = value * s.factor;
	decimals = choose_decimals(&s, width);
	add_number(out, s.value, decimals, !is_seen(width, decimals));
	if (s.value != 0 || is_seen(width, decimals))
		add_unit(out, &s);
	if (with_spread && is_seen(width, decimals)) {
		pn_buf_add_text(out, " \xc2\xb1 ");
		add_number(out, width, decimals, false);
	}
}

void pn_quantity_text(struct pn_buf *out, double value, double spread,
		      const char *unit)
{
	add_quantity(out, value, spread, unit, false);
}

void pn_quantity_spread_text(struct pn_buf *out, double value, double spread,
			     const char *unit)
{
	add_quantity(out, value, spread, unit, true);
}

void pn_change_text(struct pn_buf *out, double old, double now)
{
	double percent = (now / old - 1) * 100;
	int decimals = 1 - magnitude(percent);

	if (old == now)
		pn_buf_add_byte(out, '=');
	if (old == now || !(old > 0 && now >= 0) || !isfinite(percent))
		return;
	if (now / old >= FACTOR_MIN) {
		pn_buf_add_byte(out, 'x');
		add_number(out, now / old, now / old < 100 ? 1 : 0, false);
		return;
	}
	pn_buf_add_byte(out, percent > 0 ? '+' : '-');
	percent = fabs(percent);
	if (percent * powers[CHANGE_DECIMALS] < 0.5) {
		percent = 1 / powers[CHANGE_DECIMALS];
		pn_buf_add_byte(out, '<');
	}
	if (percent >= 100)
		decimals = 0;
	else if (decimals < 1 || decimals > CHANGE_DECIMALS)
		decimals = decimals < 1 ? 1 : CHANGE_DECIMALS;
	add_number(out, percent, decimals, false);
	pn_buf_add_byte(out, '%');
}
