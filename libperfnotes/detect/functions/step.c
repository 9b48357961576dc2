/* What costs of functions are rounded to. */
#include "detect/functions/inside.h"

#include <math.h>

#define MOST_DIGITS 6 /* behind the point */
#define FAR 1e-6      /* of a last digit: it is no whole number of them */
#define MOST 0x1p53   /* a larger one is none of doubles */
#define FUNCTIONS 20  /* of fewer all may be multiples by chance */

/* Multiples of a power of ten, and what divides all of them. */
struct multiples {
	double scale, divisor;
	size_t functions;
	bool whole;
};

static double divisor_of(double a, double b)
{
	while (b > 0) {
		double rest = fmod(a, b);

		a = b;
		b = rest;
	}
	return a;
}

static void add(struct multiples *m, const double *values, size_t n)
{
	size_t i;
	bool any = false;

	for (i = 0; values && m->whole && i < n; i++) {
		double value, digits = fabs(values[i]) * m->scale;

		if (!(digits > 0))
			continue;
		value = rint(digits);
		m->whole = value >= 1 && value < MOST &&
			   fabs(digits - value) <= FAR;
		if (m->divisor != 1)
			m->divisor = divisor_of(value, m->divisor);
		any = true;
	}
	m->functions += any;
}

double pn_function_step(const struct pn_function_costs *functions, size_t count,
			const size_t runs[SIDES])
{
	struct multiples m = {.whole = false};
	double scale = 1;
	size_t f;
	int e;

	for (e = 0; !m.whole && e <= MOST_DIGITS; e++) {
		m = (struct multiples){.scale = scale, .whole = true};
		for (f = 0; m.whole && f < count; f++) {
			add(&m, functions[f].baseline, runs[BASELINE]);
			add(&m, functions[f].target, runs[TARGET]);
		}
		scale *= 10;
	}
	if (!m.whole || !m.functions)
		return 0;
	return (m.functions < FUNCTIONS ? 1 : m.divisor) / m.scale;
}
