/*
 * Values as whole numbers. A column of doubles that were written in decimal
 * becomes integers and a number of places; a column of which every value is a
 * multiple of something is divided by it; a column that is a multiple of the
 * first (pprof: samples and nanoseconds) is that one number.
 */
#include "body/values.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exact in a double, so that k / power is the double nearest to the decimal
 * (IEEE 754: division is correctly rounded). */
static const double powers[PN_BODY_MAX_PLACES + 1] = {1,   1e1, 1e2, 1e3, 1e4,
						      1e5, 1e6, 1e7, 1e8, 1e9};

/* How one column is written. */
struct view {
	uint64_t scale;	 /* 0: as is, s: a decimal of s - 1 places */
	uint64_t factor; /* at least 1 */
	bool of_first;
};

static bool to_decimal(int64_t *out, double value, uint64_t places)
{
	double scaled = value * powers[places], back;
	int64_t k;

	/* 2^53: beyond, doubles are not all integers */
	if (!(scaled < 9007199254740992.0 && scaled > -9007199254740992.0))
		return false;
	k = (int64_t)(scaled < 0 ? scaled - .5 : scaled + .5);
	back = (double)k / powers[places];
	*out = k;
	return !memcmp(&back, &value, sizeof(value));
}

static bool all_decimal(int64_t *out, const union pn_value *values, size_t n,
			size_t stride, uint64_t places)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!to_decimal(&out[i], values[i * stride].d, places))
			return false;
	return true;
}

/* The base's number of places first, or every number would change. */
uint64_t pn_body_values_scale(int64_t *out, const union pn_value *values,
			      size_t n, size_t stride, uint64_t base_scale)
{
	uint64_t places;
	size_t i;

	if (base_scale && base_scale <= PN_BODY_MAX_PLACES + 1 &&
	    all_decimal(out, values, n, stride, base_scale - 1))
		return base_scale;
	for (places = 0; places <= PN_BODY_MAX_PLACES; places++)
		if (all_decimal(out, values, n, stride, places))
			return places + 1;
	for (i = 0; i < n; i++)
		memcpy(&out[i], &values[i * stride].d, sizeof(out[i]));
	return 0;
}

double pn_body_values_double(uint64_t word, uint64_t scale)
{
	double value;

	if (scale)
		return (double)(int64_t)word / powers[scale - 1];
	memcpy(&value, &word, sizeof(value));
	return value;
}

static bool is_multiple(uint64_t *factor, const int64_t *first,
			const int64_t *now, size_t n)
{
	size_t i = 0;

	while (i < n && !first[i])
		i++;
	/* the one quotient that overflows is that of INT64_MIN and -1 */
	if (i == n || first[i] == -1 || !now[i] || now[i] % first[i])
		return false;
	*factor = (uint64_t)(now[i] / first[i]);
	for (i = 0; i < n; i++)
		if ((uint64_t)first[i] * *factor != (uint64_t)now[i])
			return false;
	return true;
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static uint64_t common_divisor(const int64_t *numbers, size_t n)
{
	uint64_t a = 0, b;
	size_t i;

	for (i = 0; i < n && a != 1; i++)
		for (b = magnitude(numbers[i]); b;) {
			uint64_t rest = a % b;

			a = b;
			b = rest;
		}
	return a;
}

/* What divides all numbers; the base's divisor when it does. */
static uint64_t divisor(const int64_t *numbers, size_t n, uint64_t base)
{
	uint64_t all = common_divisor(numbers, n);

	if (all > INT64_MAX || !all)
		return 1;
	if (base && base <= INT64_MAX && all % base == 0)
		return base;
	return all;
}

static size_t place(size_t types, unsigned int matrix, size_t type)
{
	return matrix * types + type;
}

static struct view base_view(const struct pn_body_draft *d, size_t at)
{
	struct view v = {0, 0, false};

	if (!d->base || pn_body_rows(d->base, PN_BODY_TYPES) != d->types)
		return v;
	v.scale = pn_body_at(d->base, PN_BODY_VALUE_SCALE, at);
	if (!pn_body_at(d->base, PN_BODY_VALUE_FIRST, at))
		v.factor = pn_body_at(d->base, PN_BODY_VALUE_FACTOR, at) + 1;
	return v;
}

/* Free columns of views are as long as the last word that is not 0. */
static void put_view(struct pn_body_draft *d, unsigned int column, size_t at,
		     uint64_t word)
{
	if (!word)
		return;
	while (d->lens[column] < at)
		pn_body_draft_push(d, column, 0);
	pn_body_draft_push(d, column, word);
}

static void put_column(struct pn_body_draft *d, unsigned int matrix,
		       size_t type, const int64_t *numbers,
		       const struct view *v, const uint32_t *slots, size_t n)
{
	unsigned int column =
		(unsigned int)(PN_BODY_VALUES + matrix * PN_MAX_VALUE_TYPES +
			       type);
	size_t at = place(d->types, matrix, type), i;
	uint64_t *to = d->columns[column];

	put_view(d, PN_BODY_VALUE_SCALE, at, v->scale);
	put_view(d, PN_BODY_VALUE_FACTOR, at, v->factor - 1);
	put_view(d, PN_BODY_VALUE_FIRST, at, v->of_first);
	if (v->of_first) {
		pn_body_draft_fill(d, column, 0);
		return;
	}
	if (v->factor == 1)
		for (i = 0; i < n; i++)
			to[slots[i]] = (uint64_t)numbers[i];
	else
		for (i = 0; i < n; i++)
			to[slots[i]] =
				(uint64_t)(numbers[i] / (int64_t)v->factor);
}

void pn_body_values_put(struct pn_body_draft *d, const struct pn_profile *p,
			enum pn_body_matrix matrix,
			const union pn_value *values, const uint32_t *slots,
			size_t count)
{
	int64_t *first = pn_arena_array(&d->scratch, count, sizeof(*first));
	int64_t *numbers = pn_arena_array(&d->scratch, count, sizeof(*numbers));
	size_t type, i, types = p->type_count;
	bool first_is_whole = false;

	for (type = 0; count && type < types; type++) {
		bool is_double = p->types[type].number == PN_NUMBER_DOUBLE;
		struct view base = base_view(d, place(types, matrix, type));
		struct view v = {0, 1, false};
		int64_t *to = type ? numbers : first;
		bool whole;

		if (is_double)
			v.scale = pn_body_values_scale(to, values + type, count,
						       types, base.scale);
		else
			for (i = 0; i < count; i++)
				to[i] = values[i * types + type].i;
		whole = !is_double || v.scale;
		if (!type)
			first_is_whole = whole;
		if (type && whole && first_is_whole)
			v.of_first =
				is_multiple(&v.factor, first, numbers, count);
		if (whole && !v.of_first)
			v.factor = divisor(to, count, base.factor);
		put_column(d, matrix, type, to, &v, slots, count);
	}
}

/* The numbers of one column, factor applied; wraps where bytes are hostile. */
static uint64_t number_at(const struct pn_body_state *s, unsigned int column,
			  size_t row, uint64_t factor)
{
	return pn_body_at(s, column, row) * factor;
}

static void get_column(union pn_value *out, const struct pn_body_state *s,
		       unsigned int matrix, size_t type, const uint8_t *live)
{
	size_t types = pn_body_rows(s, PN_BODY_TYPES), row;
	size_t rows = pn_body_rows(s, pn_body_matrix_table(matrix));
	size_t at = place(types, matrix, type);
	unsigned int first = PN_BODY_VALUES + matrix * PN_MAX_VALUE_TYPES;
	unsigned int column = first + (unsigned int)type;
	uint64_t factor = pn_body_at(s, PN_BODY_VALUE_FACTOR, at) + 1;
	uint64_t scale = pn_body_at(s, PN_BODY_VALUE_SCALE, at);

	if (pn_body_at(s, PN_BODY_VALUE_FIRST, at)) {
		column = first;
		factor *= pn_body_at(s, PN_BODY_VALUE_FACTOR,
				     place(types, matrix, 0)) +
			  1;
	}
	if (pn_body_at(s, PN_BODY_TYPE_NUMBER, type) != PN_NUMBER_DOUBLE)
		scale = 0;
	for (row = 0; row < rows; row++) {
		uint64_t word;

		if (live && !live[row])
			continue;
		word = number_at(s, column, row, factor);
		if (scale)
			out->d = pn_body_values_double(word, scale);
		else
			memcpy(out, &word, sizeof(word));
		out += types;
	}
}

union pn_value *pn_body_values_get(const struct pn_body_state *s,
				   enum pn_body_matrix matrix,
				   const uint8_t *live, size_t count)
{
	size_t type, types = pn_body_rows(s, PN_BODY_TYPES);
	union pn_value *values;

	if (!count || !types)
		return NULL;
	values = pn_realloc_array(NULL, count, types * sizeof(*values));
	for (type = 0; type < types; type++)
		get_column(values + type, s, matrix, type, live);
	return values;
}
