/* What the value types of a profile add up to, by their names. */
#ifndef TESTS_UNIT_CODEC_SUMS_H
#define TESTS_UNIT_CODEC_SUMS_H

#include "codec/codec_text.h"

struct sum {
	const char *type;
	int64_t value;
};

static size_t type_of(const struct pn_profile *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (!strcmp(pn_profile_text(p, p->types[i].type), name))
			return i;
	fail_msg("no value type '%s'", name);
	return 0;
}

/* These are all that it has. */
static inline void has_sums(const struct pn_profile *p, const struct sum *sums,
			    size_t count)
{
	size_t i;

	assert_int_equal(p->type_count, count);
	for (i = 0; i < count; i++)
		assert_int_equal(sum_of(p, type_of(p, sums[i].type)),
				 sums[i].value);
}

static inline int64_t of_stack(const struct pn_profile *p, const char *type,
			       const char *names)
{
	return (int64_t)sum_of_stack(p, type_of(p, type), names);
}

#endif
