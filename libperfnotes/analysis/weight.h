/*
 * Which value of a profile a view is about, as whole numbers.
 *
 * Views add up weights as int64_t: exact for columns of integers. A column of
 * doubles is taken as fixed point, with the power of two as `scale` that uses
 * 61 bits for the sum of all absolute values; what is below half of
 * 1 / scale, NaN and infinities count as 0.
 */
#ifndef PN_ANALYSIS_WEIGHT_H
#define PN_ANALYSIS_WEIGHT_H

#include "model/profile.h"

struct pn_weight {
	uint32_t column;
	uint32_t divisor; /* column of the mean's divisor, or PN_NONE */
	double scale;	  /* 1 for integers */
};

/*
 * `index`: a column's number or type name ("inuse_" may be left out or be
 * too much, as pprof has it); NULL or "": the profile's default type, else
 * the last column. `mean` divides by column 0. PN_EINVAL lists the types.
 */
int pn_weight_choose(struct pn_weight *out, const struct pn_profile *profile,
		     const char *index, bool mean, struct pn_error *err);

/* Of a value of the column in question. */
int64_t pn_weight_fixed(double value, double scale);

static inline int64_t pn_weight_value(const struct pn_weight *weight,
				      const struct pn_profile *profile,
				      const union pn_value *row)
{
	const union pn_value *value = &row[weight->column];

	if (profile->types[weight->column].number == PN_NUMBER_INT)
		return value->i;
	return pn_weight_fixed(value->d, weight->scale);
}

/* 0 when the weight is no mean. */
int64_t pn_weight_divisor(const struct pn_weight *weight,
			  const struct pn_profile *profile,
			  const union pn_value *row);

/*
 * The sum of all absolute values, of the samples or else of the graph's self
 * costs; of the samples labelled as the base of a difference
 * (pprof::base=true) only, when their sum is not 0. A mean is divided.
 * `shown`: without samples that have no frame, of which views show nothing.
 */
int64_t pn_weight_total(const struct pn_weight *weight,
			const struct pn_profile *profile, bool shown);

/* Sums wrap instead of overflowing: a hostile profile gives wrong figures,
 * not undefined ones. */
static inline int64_t pn_weight_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t pn_weight_abs(int64_t a)
{
	if (a == INT64_MIN)
		return INT64_MAX;
	return a < 0 ? -a : a;
}

/* The one that is farther from 0. */
static inline int64_t pn_weight_most(int64_t a, int64_t b)
{
	return pn_weight_abs(b) > pn_weight_abs(a) ? b : a;
}

/* a / b; a when b is 0. */
static inline int64_t pn_weight_div(int64_t a, int64_t b)
{
	if (!b)
		return a;
	return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

#endif
