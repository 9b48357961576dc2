/* What is said of a machine that was not quiet. */
#include "model/machine/quiet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static void writes_what_is_known_and_reads_it_back(void **state)
{
	struct pn_quiet q, back;
	struct pn_buf text = {0};

	(void)state;
	pn_quiet_init(&q);
	pn_quiet_write(&text, &q);
	assert_int_equal(text.len, 0);
	q.others = 0.0712;
	q.idle = 0.5;
	q.steal = 0;
	q.switches = 12.4;
	q.mhz = 2596.124;
	pn_quiet_write(&text, &q);
	assert_string_equal(
		pn_buf_text(&text),
		"others:0.07,idle:0.5,steal:0,switches:12,mhz:2596");
	assert_true(pn_quiet_parse(&back, pn_buf_text(&text)));
	assert_true(back.others == 0.07 && back.idle == 0.5);
	assert_true(back.steal == 0 && back.switches == 12);
	assert_true(isnan(back.load) && isnan(back.nice));
	pn_buf_release(&text);
}

static void passes_over_what_it_does_not_know(void **state)
{
	static const char *const none[] = {"",	      ",",	   ":",
					   "others",  "others:",   "others:x",
					   "other:1", "otherss:1", ":5,,:"};
	struct pn_quiet q;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(pn_quiet_parse(&q, none[i]));
	assert_true(pn_quiet_parse(&q, "new:7,load:1.5,,others:0.5"));
	assert_true(q.load == 1.5 && q.others == 0.5);
}

static const char *reason(struct pn_buf *text, const char *fact)
{
	struct pn_quiet q;

	pn_buf_clear(text);
	assert_true(pn_quiet_parse(&q, fact));
	pn_quiet_reason(text, &q);
	assert_int_equal(text->len > 0, pn_quiet_is_noisy(&q));
	return pn_buf_text(text);
}

/* Each threshold from both sides. */
static void tells_noise_and_why(void **state)
{
	struct pn_buf t = {0};

	(void)state;
	assert_string_equal(reason(&t, "others:0.25,idle:0.05"), "");
	assert_string_equal(reason(&t, "others:0.26,idle:0.7"),
			    "other programs used 26 % of the machine");
	assert_string_equal(reason(&t, "others:0.1,idle:0"), "");
	assert_string_equal(reason(&t, "others:0.11,idle:0.04"),
			    "other programs used 11 % of the machine");
	assert_string_equal(reason(&t, "others:0,steal:0.05"), "");
	assert_string_equal(reason(&t, "others:0,steal:0.06"),
			    "its host took 6 % of the machine");
	/* threads of the program itself, on a machine that had nobody else */
	assert_string_equal(reason(&t, "others:0,switches:5000"), "");
	assert_string_equal(reason(&t, "switches:100"), "");
	assert_string_equal(reason(&t, "switches:310"),
			    "it was interrupted 310 times a second by other "
			    "programs");
	assert_string_equal(reason(&t, "load:50,mhz:800"), "");
	assert_string_equal(reason(&t, "others:0.5,steal:0.1,nice:10"),
			    "other programs used 50 % of the machine, its host "
			    "took 10 % of the machine, it ran with nice value "
			    "10");
	assert_false(pn_quiet_text_is_noisy(""));
	assert_true(pn_quiet_text_is_noisy("nice:10"));
	pn_buf_release(&t);
}

/* 3 others on 2 processors: 1 + 3 / 2; half of which the host takes; of three
 * steps less weight, 1 + 3 * 1.25^3 / 2. */
static void turns_are_shared_by_weight(void **state)
{
	struct pn_quiet q;

	(void)state;
	pn_quiet_init(&q);
	assert_true(fabs(pn_quiet_stretch(&q, 0, 2) - 1) < 1e-12);
	assert_true(fabs(pn_quiet_stretch(&q, 3, 2) - 2.5) < 1e-12);
	assert_true(isnan(pn_quiet_stretch(&q, (double)NAN, 2)));
	q.steal = 0.5;
	assert_true(fabs(pn_quiet_stretch(&q, 3, 2) - 5) < 1e-12);
	q.steal = 0;
	q.nice = 3;
	assert_true(fabs(pn_quiet_stretch(&q, 3, 2) - 3.9296875) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_what_is_known_and_reads_it_back),
		cmocka_unit_test(passes_over_what_it_does_not_know),
		cmocka_unit_test(tells_noise_and_why),
		cmocka_unit_test(turns_are_shared_by_weight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
