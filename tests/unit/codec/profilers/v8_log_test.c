/* V8's log has the ticks that node --prof-process counts in it. */
#include "sums.h"

#include "codec/rows.h"

/* How many samples have this function as their leaf. */
static int64_t leaf(const struct pn_profile *p, const char *name)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		uint32_t at = p->stack_start[p->samples[i].stack];
		const struct pn_location *l = &p->locations[p->frames[at]];

		if (l->line_count &&
		    !strcmp(pn_profile_text(p,
					    p->functions[p->lines[l->line_first]
								 .function]
						    .name),
			    name))
			sum += p->values[i].i;
	}
	return sum;
}

/*
 * 274 ticks, 18 in the collector; JS: *fib 51, *<anonymous> 13, *sorted 3,
 * ^resolve 1.
 */
static void has_the_ticks_of_its_report(void **state)
{
	struct pn_profile p;
	size_t i;

	(void)state;
	assert_ptr_equal(read_data(&p, "v8-log/work.log.gz"), &pn_codec_v8_log);
	assert_int_equal(sum_of(&p, 0), 274);
	assert_int_equal(leaf(&p, "(garbage collector)"), 18);
	assert_int_equal(leaf(&p, "fib"), 51);
	assert_int_equal(leaf(&p, "(anonymous)"), 13);
	assert_int_equal(leaf(&p, "sorted"), 3);
	assert_int_equal(leaf(&p, "resolve"), 1);
	assert_int_equal(p.period, 1000000);
	assert_int_equal(p.events.count, 274);
	for (i = 1; i < p.events.count; i++)
		assert_true(p.events.items[i].time_ns >=
			    p.events.items[i - 1].time_ns);
	pn_profile_release(&p);
}

#define HEAD "v8-version,11,3,244,8,-node.38,0\nprofiler,begin,1000\n"
#define F "code-creation,JS,13,1,0x1000,256,f a\\x2Cb.js:3:7,0x9,*\n"
#define G "code-creation,JS,10,2,0x2000,16,g a\\x2Cb.js:9:1,0x8,~\n"

static void code_moves_and_is_overwritten(void **state)
{
	struct pn_profile p;

	(void)state;
	/* in f, called by g; g's code lies in f's place; f is back elsewhere;
	 * relative addresses; nothing ran */
	read_good(&p, &pn_codec_v8_log,
		  HEAD F G "tick,0x1080,5,0,0x0,0,0x2004\n"
			   "code-move,0x2000,0x1080\n"
			   "tick,0x1088,6,0,0x0,0,overflow\n"
			   "tick,0x10,7,1,0x1008,6,+8,-4\n"
			   "tick,0x1008,8,0,0x0,8\n");
	assert_int_equal(sum_of(&p, 0), 3);
	assert_int_equal(of_stack(&p, "samples", "g;f"), 1);
	assert_int_equal(of_stack(&p, "samples", "g"), 1);
	assert_int_equal(of_stack(&p, "samples", "f;f;f"), 1);
	assert_string_equal(pn_profile_text(&p, p.functions[0].file), "a,b.js");
	assert_int_equal(p.functions[0].start_line, 3);
	pn_profile_release(&p);
}

static void refuses_what_is_no_log(void **state)
{
	(void)state;
	refuses_text(&pn_codec_v8_log, HEAD F,
		     "a log of V8 without ticks: node --prof makes them");
	refuses_text(&pn_codec_v8_log, HEAD "tick,0x10,later\n",
		     "line 3: expected 'tick,<pc>,<us>,<0 or 1>,<address>,"
		     "<state>,<frames>'");
	refuses_text(&pn_codec_v8_log, HEAD "code-creation,JS,10,2\n",
		     "line 3: expected 'code-creation,<type>,<kind>,<time>,"
		     "<begin>,<size>,<name>'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_the_ticks_of_its_report),
		cmocka_unit_test(code_moves_and_is_overwritten),
		cmocka_unit_test(refuses_what_is_no_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
