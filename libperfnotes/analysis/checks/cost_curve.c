/* Values and integrals of cost curves. */
#include "analysis/checks/cost_curve.h"

#include <math.h>

void pn_cost_curve_of_fit(struct pn_cost_curve *out, const struct pn_fit *fit)
{
	*out = (struct pn_cost_curve){
		.fit = fit,
		.x_start = fit->x_start,
		.x_end = fit->x_end,
		.r_square = fit->r_square,
	};
}

static double value_of(const struct pn_fit *fit, double x)
{
	const double *b = fit->b;

	switch (fit->model) {
	case PN_LINEAR:
		return b[0] + b[1] * x;
	case PN_LOGARITHMIC:
		return x > 0 ? b[0] + b[1] * log(x) : (double)NAN;
	case PN_POWER:
		return x > 0 || (x == 0 && b[1] > 0) ? b[0] * pow(x, b[1])
						     : (double)NAN;
	case PN_EXPONENTIAL:
		return b[0] * pow(b[1], x);
	case PN_QUADRATIC:
		return b[0] + (b[1] + b[2] * x) * x;
	default:
		return b[0];
	}
}

/* The index that x has among the values, with its fraction. */
static double place(const struct pn_cost_curve *curve, double x)
{
	double last = (double)(curve->count - 1);

	return (x - curve->x_start) / (curve->x_end - curve->x_start) * last;
}

static double value_between(const struct pn_cost_curve *curve, double x)
{
	double at = place(curve, x), whole = floor(at);
	size_t i;

	if (!(at > 0))
		return curve->values[0];
	if (at >= (double)(curve->count - 1))
		return curve->values[curve->count - 1];
	i = (size_t)whole;
	return curve->values[i] +
	       (at - whole) * (curve->values[i + 1] - curve->values[i]);
}

double pn_cost_curve_at(const struct pn_cost_curve *curve, double x)
{
	return curve->fit ? value_of(curve->fit, x) : value_between(curve, x);
}

/* An antiderivative of the formula. */
static double primitive(const struct pn_fit *fit, double x)
{
	const double *b = fit->b;

	switch (fit->model) {
	case PN_LINEAR:
		return (b[0] + b[1] / 2 * x) * x;
	case PN_LOGARITHMIC:
		if (x == 0)
			return 0; /* where x ln x goes */
		return x > 0 ? b[0] * x + b[1] * (x * log(x) - x) : (double)NAN;
	case PN_POWER:
		if (x == 0 && b[1] > -1)
			return 0;
		if (!(x > 0))
			return (double)NAN;
		return b[1] == -1 ? b[0] * log(x)
				  : b[0] * pow(x, b[1] + 1) / (b[1] + 1);
	case PN_EXPONENTIAL:
		return b[1] == 1 ? b[0] * x : b[0] * pow(b[1], x) / log(b[1]);
	case PN_QUADRATIC:
		return (b[0] + (b[1] / 2 + b[2] / 3 * x) * x) * x;
	default:
		return b[0] * x;
	}
}

static double integral_of_values(const struct pn_cost_curve *curve, double from,
				 double to)
{
	double step =
		(curve->x_end - curve->x_start) / (double)(curve->count - 1);
	double sum = 0, x = from, next, at;

	while (x < to) {
		at = floor(place(curve, x) + 1e-9) + 1;
		next = fmin(to, curve->x_start + at * step);
		if (!(next > x))
			break;
		sum += (next - x) *
		       (value_between(curve, x) + value_between(curve, next)) /
		       2;
		x = next;
	}
	return sum;
}

double pn_cost_curve_integral(const struct pn_cost_curve *curve, double from,
			      double to)
{
	if (!curve->fit)
		return integral_of_values(curve, from, to);
	return primitive(curve->fit, to) - primitive(curve->fit, from);
}

bool pn_cost_curve_common(double *from, double *to,
			  const struct pn_cost_curve *a,
			  const struct pn_cost_curve *b)
{
	double low = fmax(a->x_start, b->x_start);
	double high = fmin(a->x_end, b->x_end);

	if (!(low < high))
		return false;
	*from = low;
	*to = high;
	return true;
}
