/* Sums of columns, as far as an integer holds them. */
#include "model/graph/sums.h"

#include "model/graph/totals.h"

static uint64_t magnitude_of(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

uint64_t pn_sums_magnitude(const struct pn_profile *p, size_t type)
{
	const union pn_value *values =
		p->sample_count ? p->values : p->graph.self;
	size_t rows = p->sample_count ? p->sample_count : p->graph.node_count;
	size_t width = p->type_count, i;
	uint64_t sum = 0, bits = 0;

	if (p->types[type].number != PN_NUMBER_INT ||
	    !pn_totals_is_cost(p, type))
		return 0;
	for (i = 0; i < rows; i++) {
		uint64_t value = magnitude_of(values[i * width + type].i);

		sum += value;
		bits |= value;
	}
	/* so many numbers of so many bits cannot be more */
	if (bits <= INT64_MAX / (rows + 1))
		return sum;
	for (i = 0, sum = 0; i < rows && sum <= INT64_MAX; i++)
		if (__builtin_add_overflow(
			    sum, magnitude_of(values[i * width + type].i),
			    &sum))
			sum = UINT64_MAX;
	return sum <= INT64_MAX ? sum : UINT64_MAX;
}

int pn_sums_check(const struct pn_profile *p, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (pn_sums_magnitude(p, i) == UINT64_MAX)
			return pn_error_set(
				err, PN_ERANGE,
				"the values of '%s' add up to more than 2^63 "
				"- 1, the most that an integer holds",
				pn_profile_text(p, p->types[i].type));
	return 0;
}
