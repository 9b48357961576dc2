/* The figures that stand for a profile. */
#include "model/graph/totals.h"
#include "perun_text.h"

#include <stdlib.h>

static const char *name_of(const struct pn_profile *p,
			   const struct pn_metric *m)
{
	return pn_profile_text(p, m->name);
}

static void puts_the_default_value_type_first(void **state)
{
	static const char *const names[] = {"samples", "cpu", "wall"};
	union pn_value values[3] = {{.i = 3}, {.i = 70}, {.i = 80}};
	struct pn_metric *list;
	struct pn_profile p;
	size_t i, count;

	(void)state;
	pn_profile_init(&p);
	for (i = 0; i < 3; i++)
		pn_profile_add_type(&p, names[i], i ? "ns" : "count");
	pn_profile_add_sample(&p, 0, 0, values);
	pn_profile_add_sample(&p, 0, 0, values);
	list = pn_totals_of(&count, &p);
	assert_int_equal(count, 3);
	assert_string_equal(name_of(&p, &list[0]), "wall");
	assert_true(list[0].summary.median == 160);
	assert_string_equal(name_of(&p, &list[1]), "samples");
	assert_string_equal(name_of(&p, &list[2]), "cpu");
	pn_totals_free(list, count);
	p.default_type = p.types[1].type;
	list = pn_totals_of(&count, &p);
	assert_string_equal(name_of(&p, &list[0]), "cpu");
	assert_true(list[0].summary.median == 140);
	assert_string_equal(name_of(&p, &list[1]), "samples");
	assert_string_equal(name_of(&p, &list[2]), "wall");
	assert_string_equal(pn_totals_kind(&p), "time");
	pn_totals_free(list, count);
	pn_profile_release(&p);
}

#define TIME                                                                   \
	"{\"header\":{\"type\":\"time\",\"units\":{\"time\":\"s\"},\"cmd\":"   \
	"\"ls\",\"workload\":\"/\"},\"collector_info\":{\"name\":"
#define OLD                                                                    \
	",\"params\":{}},\"postprocessors\":[],\"global\":{\"timestamp\":"     \
	"\"0.5\",\"resources\":["

/* Measurements of one command are not to be added up: .25 s and .5 s are a
 * median of .375 s, and no .75 s. */
static void takes_measurements_one_by_one(void **state)
{
	struct pn_metric *list;
	struct pn_profile p;
	size_t count;

	(void)state;
	must_read(&p, TIME "\"time\"" OLD
			   "{\"amount\":0.25,\"uid\":\"ls\",\"type\":\"time\"},"
			   "{\"amount\":0.5,\"uid\":\"ls\",\"type\":\"time\"}"
			   "]}}");
	list = pn_totals_of(&count, &p);
	assert_int_equal(count, 1);
	assert_string_equal(name_of(&p, &list[0]), "time");
	assert_int_equal(list[0].value_count, 2);
	assert_true(list[0].summary.median == .375);
	pn_totals_free(list, count);
	pn_profile_release(&p);

	must_read(&p, TIME "\"time\"" OLD
			   "{\"amount\":0.25,\"uid\":\"ls\",\"type\":\"time\","
			   "\"subtype\":\"real\"},"
			   "{\"amount\":0.125,\"uid\":\"ls\",\"type\":\"time\","
			   "\"subtype\":\"sys\"},"
			   "{\"amount\":0.5,\"uid\":\"ls\",\"type\":\"time\","
			   "\"subtype\":\"real\"}]}}");
	list = pn_totals_of(&count, &p);
	assert_int_equal(count, 2);
	assert_string_equal(name_of(&p, &list[0]), "real");
	assert_true(list[0].summary.median == .375);
	assert_string_equal(name_of(&p, &list[1]), "sys");
	assert_true(list[1].summary.median == .125);
	pn_totals_free(list, count);
	pn_profile_release(&p);
}

static void adds_up_what_other_collectors_say(void **state)
{
	struct pn_metric *list;
	struct pn_profile p;
	size_t count;

	(void)state;
	must_read(&p, TIME "\"trace\"" OLD
			   "{\"amount\":0.25,\"uid\":\"f\",\"type\":\"time\"},"
			   "{\"amount\":0.5,\"uid\":\"g\",\"type\":\"time\"}"
			   "]}}");
	list = pn_totals_of(&count, &p);
	assert_int_equal(count, 1);
	assert_int_equal(list[0].value_count, 1);
	assert_true(list[0].summary.median == .75);
	pn_totals_free(list, count);
	pn_profile_release(&p);
}

/* Nobody would read a line with "inf" in it. */
static void leaves_out_what_is_not_finite(void **state)
{
	struct pn_metric *list;
	struct pn_profile p;
	size_t count;

	(void)state;
	must_read(&p, TIME "\"trace\"" OLD
			   "{\"amount\":1e999,\"uid\":\"f\",\"type\":\"time\"}"
			   "]}}");
	list = pn_totals_of(&count, &p);
	assert_int_equal(count, 0);
	pn_totals_free(list, count);
	pn_profile_release(&p);

	must_read(&p, TIME "\"trace\"" OLD
			   "{\"amount\":1e308,\"uid\":\"f\",\"type\":\"time\"},"
			   "{\"amount\":1e308,\"uid\":\"g\",\"type\":\"time\"}"
			   "]}}");
	list = pn_totals_of(&count, &p);
	assert_int_equal(count, 0);
	pn_totals_free(list, count);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(puts_the_default_value_type_first),
		cmocka_unit_test(takes_measurements_one_by_one),
		cmocka_unit_test(adds_up_what_other_collectors_say),
		cmocka_unit_test(leaves_out_what_is_not_finite),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
