/* What functions cost, from the columns of bodies that follow each other,
 * beside what a report says of the same profiles: random ones, with recursion,
 * inlining, mangled names, places without a name, and what changes from one to
 * the next. */
#include "body/functions.h"

#include "analysis/filter/clean.h"
#include "analysis/report.h"
#include "base/numbers/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <string.h>

#include "bodies.h"
#include "stacks.h"

#define SERIES 40
#define PROFILES 6

static uint64_t below(uint64_t *seed, uint64_t end)
{
	return pn_random_next(seed) % end;
}

static void name_of(char *out, size_t size, uint64_t at, uint64_t version)
{
	if (at == 0) /* renamed from profile to profile */
		snprintf(out, size, "renamed%llu", (unsigned long long)version);
	else if (at == 1) /* two that are one when they are demangled */
		snprintf(out, size, "_ZN1a1bEi");
	else if (at == 2)
		snprintf(out, size, "_ZN1a1bEd");
	else
		snprintf(out, size, "f%llu", (unsigned long long)at);
}

/* A stack of up to eight frames of few functions: most recur. */
static uint32_t add_stack(struct pn_profile *p, uint64_t *seed,
			  uint64_t version)
{
	uint32_t frames[8];
	size_t i, n = 1 + below(seed, 8);
	char a[32], b[32], frame[80];

	for (i = 0; i < n; i++) {
		struct pn_location bare = {
			.address = 77, .mapping = below(seed, 2) ? 0 : PN_NONE};
		uint64_t kind = below(seed, 10);

		name_of(a, sizeof(a), below(seed, 7), version);
		name_of(b, sizeof(b), below(seed, 7), version);
		snprintf(frame, sizeof(frame), kind < 3 ? "%s:%s" : "%s", a, b);
		frames[i] = kind == 9
				    ? pn_profile_add_location(p, &bare, NULL, 0)
				    : location_of(p, frame);
	}
	return pn_profile_add_stack(p, frames, n);
}

/* The same seed gives the same stacks; `version` changes values and some of
 * the names, and adds stacks. */
static void make(struct pn_profile *p, uint64_t seed, uint64_t version)
{
	struct pn_mapping mapping = {.limit = 4096};
	union pn_value values[2];
	uint64_t own = seed * 31 + version;
	size_t i, n = 20 + version;

	pn_profile_init(p);
	pn_profile_add_type(p, "samples", "count");
	pn_profile_add_type(p, "cpu", "ns");
	mapping.file = pn_strtab_add_text(&p->strings, "/usr/lib/libx.so");
	pn_profile_add_mapping(p, &mapping);
	pn_profile_add_label_set(p, NULL, 0);
	for (i = 0; i < n; i++) {
		uint32_t stack = add_stack(p, &seed, version);

		values[0].i = (int64_t)below(&own, 4);
		values[1].i = values[0].i * 10000000;
		pn_profile_add_sample(p, stack, 0, values);
	}
}

static bool find(double out[2], const struct pn_body_costs *costs,
		 const struct pn_body_functions *functions, const char *name)
{
	const char *text;
	size_t i, len;

	for (i = 0; i < costs->count; i++) {
		text = pn_body_function_name(functions, i, &len);
		if (len != strlen(name) || memcmp(text, name, len) != 0)
			continue;
		out[0] = costs->self[i];
		out[1] = costs->total[i];
		return true;
	}
	return false;
}

static void compare(struct pn_body_functions *functions,
		    const struct pn_body_state *state, struct pn_profile *p,
		    const char *type)
{
	const struct pn_report_options options = {.divide_by = 1,
						  .sample_index = type};
	const struct pn_clean clean = {.demangle = PN_DEMANGLE_SIMPLE};
	struct pn_body_costs costs;
	struct pn_report report;
	struct pn_error err;
	double sums[2] = {0, 0}, found[2];
	size_t i;

	assert_int_equal(pn_clean(p, &clean, &err), 0);
	assert_int_equal(pn_report_init(&report, p, &options, &err), 0);
	assert_true(pn_body_functions_read(&costs, functions, state, type));
	assert_string_equal(costs.type, report.type);
	assert_string_equal(costs.unit, report.unit);
	assert_true(costs.sum == pn_report_number(&report, report.total));
	for (i = 0; i < report.row_count; i++) {
		const struct pn_report_node *row = &report.rows[i];

		if (!find(found, &costs, functions, row->name))
			fail_msg("%s is missing", row->name);
		if (found[0] != pn_report_number(&report, row->flat) ||
		    found[1] != pn_report_number(&report, row->cum))
			fail_msg("%s: %g and %g", row->name, found[0],
				 found[1]);
		sums[0] += found[0];
		sums[1] += found[1];
	}
	for (i = 0; i < costs.count; i++) {
		sums[0] -= costs.self[i];
		sums[1] -= costs.total[i];
	}
	assert_true(sums[0] == 0 && sums[1] == 0);
	pn_report_release(&report);
}

static void follow(uint64_t seed)
{
	struct pn_body_functions *functions =
		pn_body_functions_new(PN_DEMANGLE_SIMPLE);
	struct pn_body_state *state = NULL, *next;
	struct pn_oid oid = {{0}};
	struct pn_buf bytes = {0};
	struct pn_profile p;
	uint64_t i;

	for (i = 0; i < PROFILES; i++) {
		make(&p, seed, i);
		pn_buf_clear(&bytes);
		encode(&bytes, &next, &p, state, state ? &oid : NULL);
		pn_body_state_free(state);
		state = next;
		oid.bytes[0]++;
		compare(functions, state, &p, i % 2 ? "samples" : NULL);
		pn_profile_release(&p);
	}
	pn_buf_release(&bytes);
	pn_body_state_free(state);
	pn_body_functions_free(functions);
}

static void figures_are_those_of_a_report(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= SERIES; seed++)
		follow(seed);
}

/* Whether it can be read without its profile. */
static bool reads(struct pn_profile *p)
{
	struct pn_body_functions *functions =
		pn_body_functions_new(PN_DEMANGLE_SIMPLE);
	struct pn_body_state *state;
	struct pn_buf bytes = {0};
	struct pn_body_costs costs;
	bool can;

	encode(&bytes, &state, p, NULL, NULL);
	reads_back(&bytes, NULL, p);
	can = pn_body_functions_read(&costs, functions, state, NULL);
	pn_body_state_free(state);
	pn_buf_release(&bytes);
	pn_body_functions_free(functions);
	pn_profile_release(p);
	return can;
}

static void what_is_not_so_simple_is_left_to_the_profile(void **state)
{
	struct pn_profile p;

	(void)state;
	make(&p, 1, 0);
	assert_true(reads(&p));
	make(&p, 1, 0);
	p.header.runs = 3;
	assert_false(reads(&p));
	make(&p, 1, 0);
	p.drop_frames = pn_strtab_add_text(&p.strings, "f3");
	assert_false(reads(&p));
	pn_profile_init(&p);
	assert_false(reads(&p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_of_a_report),
		cmocka_unit_test(what_is_not_so_simple_is_left_to_the_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
