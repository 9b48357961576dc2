/* What a sampler may be told. */
#include "collect/sample/control.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void understands_what_it_is_told(void **state)
{
	struct pn_runtime_control c = {0};
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_sampler_control_tell(&c, "delay=0.02", &err), 0);
	assert_int_equal(c.interval_ns, 20000000);
	assert_int_equal(pn_sampler_control_tell(&c, "frequency=250", &err), 0);
	assert_int_equal(c.interval_ns, 4000000);
	assert_int_equal(c.generation, 2);
	assert_int_equal(pn_sampler_control_tell(&c, "threads=7,9", &err), 0);
	assert_int_equal(c.threads, PN_RUNTIME_TRACKED);
	assert_int_equal(c.tracked_count, 2);
	assert_int_equal(c.tracked[1], 9);
	assert_int_equal(pn_sampler_control_tell(&c, "threads=main", &err), 0);
	assert_int_equal(c.threads, PN_RUNTIME_MAIN_THREAD);
	assert_int_equal(pn_sampler_control_tell(&c, "stop", &err), 0);
	assert_int_equal(c.stopped, 1);
}

static void pauses_nest(void **state)
{
	struct pn_runtime_control c = {0};
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_sampler_control_tell(&c, "pause", &err), 0);
	assert_int_equal(pn_sampler_control_tell(&c, "pause", &err), 0);
	assert_int_equal(pn_sampler_control_tell(&c, "resume", &err), 0);
	assert_int_equal(c.paused, 1);
	assert_int_equal(pn_sampler_control_tell(&c, "resume", &err), 0);
	assert_int_equal(c.paused, 0);
	assert_int_equal(pn_sampler_control_tell(&c, "resume", &err),
			 PN_EREFUSED);
	assert_string_equal(err.message, "the sampler is not paused");
}

static void refuses_what_it_does_not_know(void **state)
{
	static const char *const bad[] = {"",
					  "pauses",
					  "frequency",
					  "frequency=0",
					  "frequency=x",
					  "delay=-1",
					  "delay=1e300",
					  "threads=",
					  "threads=a",
					  "threads=1,,2"};
	struct pn_runtime_control c = {0};
	struct pn_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.message[0] = '\0';
		assert_int_equal(pn_sampler_control_tell(&c, bad[i], &err),
				 PN_EINVAL);
		assert_true(*err.message);
	}
	assert_int_equal(c.generation, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(understands_what_it_is_told),
		cmocka_unit_test(pauses_nest),
		cmocka_unit_test(refuses_what_it_does_not_know),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
