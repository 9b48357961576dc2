/* Sums of columns, as far as an integer holds them. */
#include "model/graph/sums.h"

#include "model/graph/totals.h"

static uint64_t magnitude_of(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* As far as 64 bits hold it. */
static void add_up(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

void pn_sums_of(uint64_t sums[2], const struct pn_profile *p, size_t type)
{
	const union pn_value *values =
		p->sample_count ? p->values : p->graph.self;
	size_t rows = p->sample_count ? p->sample_count : p->graph.node_count;
	size_t width = p->type_count, i;
	uint64_t bits = 0, all = 0, below = 0;

	sums[0] = sums[1] = 0;
	if (p->types[type].number != PN_NUMBER_INT ||
	    !pn_totals_is_cost(p, type))
		return;
	for (i = 0; i < rows; i++) {
		int64_t value = values[i * width + type].i;
		uint64_t magnitude = magnitude_of(value);

		all += magnitude;
		below += value < 0 ? magnitude : 0;
		bits |= magnitude;
	}
	sums[0] = all - below;
	sums[1] = below;
	/* so many numbers of so many bits cannot be more */
	if (bits <= INT64_MAX / (rows + 1))
		return;
	sums[0] = sums[1] = 0;
	for (i = 0; i < rows; i++)
		add_up(&sums[values[i * width + type].i < 0],
		       magnitude_of(values[i * width + type].i));
}

uint64_t pn_sums_magnitude(const struct pn_profile *p, size_t type)
{
	uint64_t sums[2];

	pn_sums_of(sums, p, type);
	add_up(&sums[0], sums[1]);
	return sums[0] <= INT64_MAX ? sums[0] : UINT64_MAX;
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
