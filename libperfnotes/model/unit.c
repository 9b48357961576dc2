/* Units of values, after pprof's internal/measurement. */
#include "model/unit.h"

#include "base/number.h"
#include "base/text/similar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAMILY_MAX 9
#define ALIASES_MAX 5

struct unit {
	const char *name;
	const char *aliases[ALIASES_MAX]; /* lower case, without a plural's s */
	double factor;
};

struct family {
	const char *initials; /* of the aliases */
	struct unit units[FAMILY_MAX + 1];
	const char *default_name;
	double default_factor;
};

static const struct family families[] = {
	{"bkmgtp",
	 {{"B", {"b", "byte"}, 1},
	  {"kB", {"kb", "kbyte", "kilobyte", "kib", "kibibyte"}, 1024},
	  {"MB", {"mb", "mbyte", "megabyte", "mib", "mebibyte"}, 1048576},
	  {"GB", {"gb", "gbyte", "gigabyte", "gib", "gibibyte"}, 1073741824},
	  {"TB", {"tb", "tbyte", "terabyte", "tib", "tebibyte"}, 1099511627776},
	  {"PB",
	   {"pb", "pbyte", "petabyte", "pib", "pebibyte"},
	   1125899906842624}},
	 "B",
	 1},
	{"numsh\xce\xc2",
	 {{"ns", {"ns", "nanosecond"}, 1},
	  {"us", {"us", "microsecond", "\u03bcs", "\u00b5s"}, 1e3},
	  {"ms", {"ms", "millisecond"}, 1e6},
	  {"s", {"s", "sec", "second"}, 1e9},
	  {"hrs", {"hour", "hr"}, 3600e9}},
	 "s",
	 1e9},
	{"numgktp",
	 {{"n*GCU", {"nanogcu"}, 1e-9},
	  {"u*GCU", {"microgcu"}, 1e-6},
	  {"m*GCU", {"milligcu"}, 1e-3},
	  {"GCU", {"gcu"}, 1},
	  {"k*GCU", {"kilogcu"}, 1e3},
	  {"M*GCU", {"megagcu"}, 1e6},
	  {"G*GCU", {"gigagcu"}, 1e9},
	  {"T*GCU", {"teragcu"}, 1e12},
	  {"P*GCU", {"petagcu"}, 1e15}},
	 "GCU",
	 1},
};

/* "Mib": a mebibit, which is no size here. */
static bool is_bits(const char *name)
{
	return strlen(name) == 3 && name[1] == 'i' && name[2] == 'b';
}

static char to_low(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static const struct unit *find(const struct family *family, const char *name)
{
	const struct unit *unit;
	char low[16];
	size_t len, i;

	/* a flame graph asks for thousands of values */
	if (!*name || !strchr(family->initials, to_low(*name)))
		return NULL;
	len = strlen(name);
	if (len >= sizeof(low))
		return NULL;
	for (i = 0; i <= len; i++)
		low[i] = to_low(name[i]);
	/* the s of what begins with a Greek letter is no plural's */
	if (len > 2 && low[len - 1] == 's' && !(low[0] & 0x80))
		low[len - 1] = '\0';
	for (unit = family->units; unit->name; unit++)
		for (i = 0; i < ALIASES_MAX && unit->aliases[i]; i++)
			if (*unit->aliases[i] == *low &&
			    !strcmp(unit->aliases[i], low) && !is_bits(name))
				return unit;
	return NULL;
}

static bool is_floating(const char *to)
{
	return !strcmp(to, PN_UNIT_MINIMUM) || !strcmp(to, PN_UNIT_AUTO);
}

static double scale_in(const char **to_unit, double own, double factor,
		       const struct family *family, const char *to)
{
	const struct unit *best = NULL, *unit;
	double value = own * factor, divisor;

	if (is_floating(to)) {
		for (unit = family->units; unit->name; unit++)
			if ((!best || unit->factor >= best->factor) &&
			    value / unit->factor >= 1.0)
				best = unit;
	} else {
		best = find(family, to);
	}
	*to_unit = best ? best->name : family->default_name;
	divisor = best ? best->factor : family->default_factor;
	/* 1e300 s are too many ns */
	return isinf(value) ? own * (factor / divisor) : value / divisor;
}

double pn_unit_scale(const char **to_unit, double value, const char *from,
		     const char *to)
{
	static const char *const silent[] = {"count", "sample", "unit",
					     PN_UNIT_MINIMUM, PN_UNIT_AUTO};
	size_t i;

	if (value < 0)
		return -pn_unit_scale(to_unit, -value, from, to);
	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		const struct unit *unit = find(&families[i], from);

		if (unit)
			return scale_in(to_unit, value, unit->factor,
					&families[i], to);
	}
	*to_unit = to;
	for (i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		if (!strcmp(silent[i], to))
			*to_unit = "";
	return value;
}

bool pn_unit_comparable(const char *a, const char *b)
{
	size_t i;

	if (!strcmp(a, b))
		return true;
	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (find(&families[i], a) && find(&families[i], b))
			return true;
	return false;
}

bool pn_unit_unfit(struct pn_buf *why, const char *from, const char *to)
{
	struct pn_buf names = {0};
	size_t i, k;

	if (is_floating(to) || pn_unit_comparable(from, to))
		return false;
	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (k = 0;
		     find(&families[i], from) && families[i].units[k].name; k++)
			pn_buf_printf(&names, "%s%s", k ? ", " : "",
				      families[i].units[k].name);
	if (!names.len)
		pn_buf_add_text(&names, *from ? from : "none");
	pn_similar_say(&names, to, strlen(to));
	pn_buf_printf(why, "'%s' is no unit of these values: there are %s", to,
		      pn_buf_text(&names));
	pn_buf_release(&names);
	return true;
}

/*
 * value * 10^decimals rounded to an integer, exactly: value is m * 2^-shift
 * with m below 2^53, so that m * 10^decimals fits 64 bits for 3 decimals.
 */
static uint64_t fixed_point(double value, uint64_t power)
{
	uint64_t scaled, whole, rest, half;
	int exponent, shift;

	scaled = (uint64_t)ldexp(frexp(value, &exponent), 53) * power;
	shift = 53 - exponent;
	if (shift <= 0)
		return scaled << -shift;
	if (shift > 63)
		return 0;
	whole = scaled >> shift;
	rest = scaled & ((UINT64_C(1) << shift) - 1);
	half = UINT64_C(1) << (shift - 1);
	return whole + (rest > half || (rest == half && (whole & 1)));
}

#define FIXED_TEXT (PN_NUMBER_TEXT + PN_NUMBER_UINT_TEXT)

/* Returns the length. */
static size_t write_fixed(char text[FIXED_TEXT], double value,
			  unsigned int decimals)
{
	uint64_t power = decimals == 1 ? 10 : decimals == 2 ? 100 : 1000;
	uint64_t whole, part = 0;
	size_t len = 0, point;

	if (!isfinite(value) || fabs(value) >= 0x1p64) {
		pn_number_write(text, value, false);
		return strlen(text);
	}
	whole = (uint64_t)fabs(value);
	if (fabs(value) < 9e15) { /* larger ones are whole */
		part = fixed_point(fabs(value), power);
		whole = part / power;
		part %= power;
	}
	if (signbit(value))
		text[len++] = '-';
	len += pn_number_write_uint(text + len, whole);
	/* the digits behind the point: as those of a number with a 1 before */
	point = len;
	len += pn_number_write_uint(text + len, power + part);
	text[point] = '.';
	return len;
}

void pn_unit_fixed(struct pn_buf *out, double value, unsigned int decimals)
{
	char text[FIXED_TEXT];

	pn_buf_add(out, text, write_fixed(text, value, decimals));
}

void pn_unit_label(struct pn_buf *out, double value, const char *from,
		   const char *to)
{
	char text[FIXED_TEXT];
	const char *unit;
	size_t len =
		write_fixed(text, pn_unit_scale(&unit, value, from, to), 2);

	if (len > 3 && !memcmp(text + len - 3, ".00", 3))
		len -= 3;
	if ((len == 1 && text[0] == '0') ||
	    (len == 2 && !memcmp(text, "-0", 2))) {
		pn_buf_add_byte(out, '0');
	} else {
		pn_buf_add(out, text, len);
		pn_buf_add_text(out, unit);
	}
}

/* As printf's "%.2g" for 0 <= value < 1. */
static void two_digits(struct pn_buf *out, double value)
{
	long double scaled = value;
	long long digits;
	int exponent = 1; /* value is digits * 10^(exponent - 2) */

	if (value <= 0) {
		pn_buf_add_byte(out, '0');
		return;
	}
	for (; scaled < 10; exponent--)
		scaled *= 10;
	digits = llrintl(scaled);
	if (digits == 100) {
		digits = 10;
		exponent++;
	}
	if (exponent < -4) {
		pn_buf_printf(out, "%lld", digits / 10);
		if (digits % 10)
			pn_buf_printf(out, ".%lld", digits % 10);
		pn_buf_printf(out, "e-%02d", -exponent);
	} else if (exponent >= 0) {
		pn_buf_printf(out, "%lld", digits / 10);
	} else {
		pn_buf_printf(out, "0.%.*s", -1 - exponent, "0000");
		if (digits % 10)
			pn_buf_printf(out, "%lld", digits);
		else
			pn_buf_printf(out, "%lld", digits / 10);
	}
}

void pn_unit_percentage(struct pn_buf *out, double value, double total)
{
	double ratio = total != 0 ? fabs(value / total) * 100 : 0;
	struct pn_buf text = {0};

	if (ratio >= 99.95 && ratio <= 100.05) {
		pn_buf_add_text(out, "  100%");
		return;
	}
	if (ratio >= 1)
		pn_unit_fixed(&text, ratio, 2);
	else
		two_digits(&text, ratio);
	pn_buf_printf(out, "%5s%%", pn_buf_text(&text));
	pn_buf_release(&text);
}

const char *pn_unit_base(const char *unit)
{
	static const char *const bases[] = {"ns", "B", "GCU"};
	size_t i, j;

	/* a log asks for each of its figures: each family once */
	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (find(&families[i], unit))
			for (j = 0; j < sizeof(bases) / sizeof(*bases); j++)
				if (find(&families[i], bases[j]))
					return bases[j];
	return unit;
}
