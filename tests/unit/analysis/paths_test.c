/* Which paths of calls weigh enough, beside a count of each prefix. */
#include "analysis/drawn/paths.h"
#include "base/alloc.h"
#include "model/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STACKS 60
#define FRAMES 8
#define FUNCTIONS 5

/* Functions from the root on. */
struct stack {
	uint32_t functions[FRAMES];
	size_t length;
	int64_t value;
};

static uint32_t draw(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

static void make(struct pn_profile *p, struct stack *stacks, uint32_t seed)
{
	struct pn_location location = {.mapping = PN_NONE};
	uint32_t frames[FRAMES], i, k, stack;

	pn_profile_init(p);
	pn_profile_add_type(p, "samples", "count");
	for (i = 0; i < FUNCTIONS; i++) {
		const char name[2] = {(char)('a' + i), '\0'};
		struct pn_function f = {
			.name = pn_strtab_add_text(&p->strings, name)};
		struct pn_line line = {.function =
					       pn_profile_add_function(p, &f)};

		pn_profile_add_location(p, &location, &line, 1);
	}
	for (i = 0; i < STACKS; i++) {
		struct stack *s = &stacks[i];
		union pn_value value;

		s->length = 1 + draw(&seed, FRAMES);
		s->value = draw(&seed, 4) ? draw(&seed, 100) : 0;
		for (k = 0; k < s->length; k++) {
			s->functions[k] =
				draw(&seed, 2 + k % FUNCTIONS) % FUNCTIONS;
			frames[s->length - 1 - k] = s->functions[k];
		}
		value.i = s->value;
		stack = pn_profile_add_stack(p, frames, s->length);
		pn_profile_add_sample(p, stack, 0, &value);
	}
}

static bool begins(const struct stack *s, const struct stack *as, size_t length)
{
	return s->length >= length && !memcmp(s->functions, as->functions,
					      length * sizeof(*s->functions));
}

static int64_t weigh(const struct stack *stacks, const struct stack *as,
		     size_t length)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < STACKS; i++)
		if (begins(&stacks[i], as, length))
			sum += stacks[i].value;
	return sum;
}

static bool is_first(const struct stack *stacks, size_t at, size_t length)
{
	size_t i;

	for (i = 0; i < at; i++)
		if (begins(&stacks[i], &stacks[at], length))
			return false;
	return true;
}

static void check_seed(uint32_t seed, int64_t least)
{
	const struct pn_weight weight = {0, PN_NONE, 1};
	struct stack stacks[STACKS];
	struct pn_nodes nodes;
	struct pn_profile p;
	size_t i, length, too_light, expected = 0;
	uint32_t *keep;

	make(&p, stacks, seed);
	pn_nodes_init(&nodes, &p, PN_BY_FUNCTIONS, false);
	keep = pn_paths_weigh(&too_light, &p, &nodes, &weight, least);
	for (i = 0; i < STACKS; i++) {
		size_t most = 0;

		for (length = 1; length <= stacks[i].length; length++) {
			int64_t sum = weigh(stacks, &stacks[i], length);

			if (sum >= least)
				most = length;
			else if (sum && is_first(stacks, i, length))
				expected++;
		}
		if (stacks[i].value)
			assert_int_equal(keep[p.samples[i].stack], most);
	}
	assert_int_equal(too_light, expected);
	free(keep);
	pn_nodes_release(&nodes);
	pn_profile_release(&p);
}

static void weighs_as_each_prefix_does(void **state)
{
	uint32_t seed;

	(void)state;
	for (seed = 1; seed <= 200; seed++)
		check_seed(seed, 1 + seed % 7 * 60);
}

/* a calls b and c, and c calls b: the paths are a, a b, a c and a c b. */
static void makes_a_node_of_each_path(void **state)
{
	const struct pn_weight weight = {0, PN_NONE, 1};
	const uint32_t stacks[3][3] = {{1, 0}, {1, 2, 0}, {2, 0}};
	const size_t lengths[3] = {2, 3, 2};
	const int64_t values[3] = {50, 30, 2};
	struct stack unused[STACKS];
	struct pn_nodes nodes;
	struct pn_profile p;
	size_t i, too_light;

	(void)state;
	make(&p, unused, 1);
	p.sample_count = 0;
	for (i = 0; i < 3; i++) {
		const union pn_value value = {.i = values[i]};

		pn_profile_add_sample(
			&p, pn_profile_add_stack(&p, stacks[i], lengths[i]), 0,
			&value);
	}
	pn_nodes_init(&nodes, &p, PN_BY_FUNCTIONS, false);
	assert_int_equal(
		pn_paths_split(&too_light, &p, &nodes, &weight, 31, NULL), 0);
	assert_int_equal(pn_profile_check(&p, NULL), 0);
	/* the rest, a (82), a b (50) and a c (32) */
	assert_int_equal(nodes.count, 4);
	/* a c b has 30 */
	assert_int_equal(too_light, 1);
	pn_nodes_release(&nodes);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weighs_as_each_prefix_does),
		cmocka_unit_test(makes_a_node_of_each_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
