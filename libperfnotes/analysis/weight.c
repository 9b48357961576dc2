/* Which value of a profile a view is about. */
#include "analysis/weight.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/text/similar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIXED_BITS 61 /* leaves a bit beside the sign for rounding */

static int unknown_column(const struct pn_profile *profile, const char *index,
			  struct pn_error *err)
{
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; i < profile->type_count; i++)
		pn_buf_printf(&names, "%s%s", i ? ", " : "",
			      pn_profile_text(profile, profile->types[i].type));
	pn_similar_say(&names, index, strlen(index));
	pn_error_set(err, PN_EINVAL,
		     "no sample type '%s': the profile has %zu: %s", index,
		     profile->type_count, pn_buf_text(&names));
	pn_buf_release(&names);
	return PN_EINVAL;
}

static int find_column(uint32_t *out, const struct pn_profile *profile,
		       const char *index, struct pn_error *err)
{
	const char *plain = index;
	int64_t number;
	size_t i;

	if (!index || !*index) {
		*out = (uint32_t)pn_profile_default_type(profile);
		return 0;
	}
	if (pn_number_int(&number, index, strlen(index))) {
		if (number < 0 || (uint64_t)number >= profile->type_count)
			return unknown_column(profile, index, err);
		*out = (uint32_t)number;
		return 0;
	}
	if (!strncmp(index, "inuse_", 6))
		plain = index + 6;
	for (i = 0; i < profile->type_count; i++) {
		const char *type =
			pn_profile_text(profile, profile->types[i].type);

		if (!strcmp(type, index) || !strcmp(type, plain)) {
			*out = (uint32_t)i;
			return 0;
		}
	}
	return unknown_column(profile, index, err);
}

static const union pn_value *rows_of(size_t *count,
				     const struct pn_profile *profile)
{
	*count = profile->sample_count;
	if (profile->sample_count)
		return profile->values;
	*count = profile->graph.node_count;
	return profile->graph.self;
}

/* The scale of a column of doubles. */
static double scale_of(const struct pn_profile *profile, uint32_t column)
{
	size_t count, i;
	const union pn_value *rows = rows_of(&count, profile);
	double sum = 0;
	int exponent;

	if (profile->types[column].number == PN_NUMBER_INT)
		return 1;
	for (i = 0; i < count; i++) {
		double d = rows[i * profile->type_count + column].d;

		if (isfinite(d))
			sum += fabs(d);
	}
	if (!(sum > 0))
		return 1;
	if (!isfinite(sum))
		return ldexp(1, -1000);
	frexp(sum, &exponent);
	exponent = FIXED_BITS - exponent;
	return ldexp(1, exponent > 1000 ? 1000 : exponent);
}

int pn_weight_choose(struct pn_weight *out, const struct pn_profile *profile,
		     const char *index, bool mean, struct pn_error *err)
{
	uint32_t column = 0;
	int code;

	if (!profile->type_count)
		return pn_error_set(err, PN_EINVAL,
				    "the profile has no values to show");
	code = find_column(&column, profile, index, err);
	if (code)
		return code;
	out->column = column;
	out->divisor = mean ? 0 : PN_NONE;
	out->scale = scale_of(profile, column);
	return 0;
}

int64_t pn_weight_fixed(double value, double scale)
{
	double scaled = value * scale;

	/* beyond: only when the sum itself was infinite */
	if (!(fabs(scaled) < 9.2e18))
		return 0;
	return (int64_t)llrint(scaled);
}

int64_t pn_weight_divisor(const struct pn_weight *weight,
			  const struct pn_profile *profile,
			  const union pn_value *row)
{
	const union pn_value *value;

	if (weight->divisor == PN_NONE)
		return 0;
	value = &row[weight->divisor];
	if (profile->types[weight->divisor].number == PN_NUMBER_INT)
		return value->i;
	return pn_weight_fixed(value->d, 1);
}

/* One flag a label set: whether it says pprof::base=true. NULL: none does. */
static unsigned char *base_sets(const struct pn_profile *p)
{
	unsigned char *flags = NULL;
	uint32_t key, yes, i;
	size_t set;

	if (!p->label_set_count ||
	    !pn_strtab_find(&key, &p->strings, "pprof::base", 11) ||
	    !pn_strtab_find(&yes, &p->strings, "true", 4))
		return NULL;
	for (set = 0; set < p->label_set_count; set++)
		for (i = p->label_set_start[set];
		     i < p->label_set_start[set + 1]; i++) {
			const struct pn_label *label = &p->labels[i];

			if (label->key != key || label->value.s != yes ||
			    label->kind != PN_LABEL_STRING)
				continue;
			if (!flags)
				flags = pn_calloc(p->label_set_count, 1);
			flags[set] = 1;
		}
	return flags;
}

static bool has_frame(const struct pn_profile *p, size_t sample)
{
	const uint32_t *start = p->stack_start + p->samples[sample].stack;

	return start[0] < start[1];
}

int64_t pn_weight_total(const struct pn_weight *weight,
			const struct pn_profile *profile, bool shown)
{
	int64_t total = 0, div = 0, base_total = 0, base_div = 0;
	size_t count, i;
	const union pn_value *rows = rows_of(&count, profile);
	unsigned char *base = base_sets(profile);

	for (i = 0; i < count; i++) {
		const union pn_value *row = rows + i * profile->type_count;
		int64_t value =
			pn_weight_abs(pn_weight_value(weight, profile, row));
		int64_t divisor = pn_weight_divisor(weight, profile, row);

		if (shown && profile->sample_count && !has_frame(profile, i))
			continue;
		total = pn_weight_add(total, value);
		div = pn_weight_add(div, divisor);
		if (base && profile->sample_count &&
		    base[profile->samples[i].labels]) {
			base_total = pn_weight_add(base_total, value);
			base_div = pn_weight_add(base_div, divisor);
		}
	}
	free(base);
	if (base_total > 0)
		return pn_weight_div(base_total, base_div);
	return pn_weight_div(total, div);
}
