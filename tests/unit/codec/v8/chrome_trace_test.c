/* Trace events: time goes to the innermost call that is open. */
#include "codec/codec_text.h"
#include "codec/rows.h"

#define EVENT(ph, name, ts, rest)                                              \
	"{\"ph\":\"" ph "\",\"name\":\"" name "\",\"pid\":1,\"tid\":2,"        \
	"\"ts\":" ts rest "}"

/* a from 10 to 30 us, b in it from 12 to 15.5: a has 20 - 3.5 us itself. */
static void gives_time_to_the_innermost(void **state)
{
	static const char pairs[] = "[" EVENT("B", "a", "10", "") "," EVENT(
		"B", "b", "12", "") "," EVENT("E", "b", "15.5",
					      "") "," EVENT("E", "a", "30",
							    "") "]";
	/* whole calls, in no order */
	static const char whole[] = "{\"traceEvents\":[" EVENT(
		"X", "b", "12",
		",\"dur\":3.5") "," EVENT("X", "a", "10",
					  ",\"dur\":20") "," EVENT("b", "async",
								   "0",
								   "") "]}";
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_chrome_trace, pairs);
	assert_true((int64_t)sum_of_stack(&p, 0, "a") == 16500 &&
		    (int64_t)sum_of_stack(&p, 0, "a;b") == 3500);
	assert_string_equal(pn_profile_text(&p, p.labels[1].value.s), "2");
	pn_profile_release(&p);
	read_good(&p, &pn_codec_chrome_trace, whole);
	assert_true((int64_t)sum_of_stack(&p, 0, "a") == 16500 &&
		    (int64_t)sum_of_stack(&p, 0, "a;b") == 3500);
	pn_profile_release(&p);
}

/* c begins inside of a (10 to 20) and says that it ends at 25; it cannot. d,
 * which nobody ends, lasts until the last that is known, 40. */
static void calls_end_with_the_one_that_they_are_in(void **state)
{
	static const char a[] = "[" EVENT("X", "a", "10", ",\"dur\":10") ",";
	static const char c[] = EVENT("X", "c", "15", ",\"dur\":10") ",";
	static const char d[] = EVENT("B", "d", "30", "") ",";
	static const char none[] = EVENT("E", "zz", "35", "") ",";
	static const char odd[] = EVENT("E", "", "1", "") ",";
	static const char e[] = EVENT("X", "e", "38", ",\"dur\":2") "]";
	char text[1024];
	struct pn_profile p;

	(void)state;
	snprintf(text, sizeof(text), "%s%s%s%s%s%s", a, c, d, none, odd, e);
	read_good(&p, &pn_codec_chrome_trace, text);
	assert_true((int64_t)sum_of_stack(&p, 0, "a") == 5000 &&
		    (int64_t)sum_of_stack(&p, 0, "a;c") == 5000);
	assert_true((int64_t)sum_of_stack(&p, 0, "d") == 8000 &&
		    (int64_t)sum_of_stack(&p, 0, "d;e") == 2000);
	pn_profile_release(&p);
}

static void takes_an_array_that_was_cut(void **state)
{
	static const char *const ends[] = {"", ",", ",\n", "]", ",]", ", ]\n"};
	struct pn_profile p;
	char text[512];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		snprintf(text, sizeof(text), " [%s%s",
			 EVENT("X", "a", "1", ",\"dur\":2"), ends[i]);
		read_good(&p, &pn_codec_chrome_trace, text);
		assert_int_equal((int64_t)sum_of_stack(&p, 0, "a"), 2000);
		pn_profile_release(&p);
	}
}

static void says_what_is_wrong(void **state)
{
	(void)state;
	refuses_text(&pn_codec_chrome_trace, "{}", "expected traceEvents");
	refuses_text(&pn_codec_chrome_trace, "[]",
		     "no event begins, ends or lasts");
	refuses_text(&pn_codec_chrome_trace, "[{\"ph\":\"B\"}]",
		     "[0]: expected ts and dur in microseconds");
	refuses_text(&pn_codec_chrome_trace,
		     "[{\"ph\":\"X\",\"ts\":1,\"dur\":-1}]",
		     "[0]: expected ts and dur in microseconds");
	/* their end in nanoseconds is beyond 64 bits */
	refuses_text(&pn_codec_chrome_trace,
		     "[{\"ph\":\"X\",\"ts\":8e15,\"dur\":8e15}]",
		     "[0]: expected ts and dur in microseconds");
}

/* As many events, of which none has another one in it or beside it. */
static double time_of_flat_events(int n)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	double seconds;
	int i;

	pn_buf_add_byte(&text, '[');
	for (i = 0; i < n; i++)
		pn_buf_add_text(&text, "{\"ph\":\"B\",\"name\":\"a\","
				       "\"ts\":0},{\"ph\":\"E\","
				       "\"name\":\"a\",\"ts\":0},");
	for (i = 0; i < n; i++)
		pn_buf_printf(&text,
			      "{\"ph\":\"X\",\"name\":\"x%d\",\"tid\":1,"
			      "\"ts\":%d,\"dur\":1},",
			      i, 2 * i);
	seconds = time_good(&p, &pn_codec_chrome_trace, pn_buf_text(&text));
	pn_profile_release(&p);
	pn_buf_release(&text);
	return seconds;
}

/* An end that nothing began looks at no call, however deep they are: 200,000
 * times 200,000 looks would take a minute. And no thread looks at the calls of
 * another one, of as many. */
static void takes_no_longer_than_there_are_events(void **state)
{
	const int n = 200000;
	struct pn_buf text = {0};
	struct pn_profile p;
	double seconds;
	int i;

	(void)state;
	pn_buf_add_byte(&text, '[');
	for (i = 0; i < n; i++)
		pn_buf_add_text(&text, "{\"ph\":\"B\",\"name\":\"a\","
				       "\"ts\":0},");
	for (i = 0; i < n; i++)
		pn_buf_add_text(&text, "{\"ph\":\"E\",\"name\":\"b\","
				       "\"ts\":0},");
	for (i = 0; i < n; i++)
		pn_buf_printf(&text,
			      "{\"ph\":\"X\",\"name\":\"x%d\",\"tid\":%d,"
			      "\"ts\":0,\"dur\":1},",
			      i, i + 1);
	seconds = time_good(&p, &pn_codec_chrome_trace, pn_buf_text(&text));
	assert_no_slower(seconds, 4 * time_of_flat_events(n / 4));
	assert_int_equal(p.sample_count, n);
	assert_int_equal((int64_t)sum_of_stack(&p, 0, "x7"), 1000);
	assert_int_equal((int64_t)sum_of_stack(&p, 0, "x199999"), 1000);
	pn_profile_release(&p);
	pn_buf_release(&text);
}

/* "b" closes what is in it, and may be opened and closed again. */
static void an_end_closes_what_is_in_its_call(void **state)
{
	static const char *const events[] = {
		EVENT("B", "a", "0", ""), EVENT("B", "b", "1", ""),
		EVENT("B", "c", "2", ""), EVENT("E", "b", "4", ""),
		EVENT("E", "c", "5", ""), EVENT("B", "b", "6", ""),
		EVENT("E", "b", "9", ""), EVENT("E", "a", "10", ""),
	};
	struct pn_buf text = {0};
	struct pn_profile p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(events) / sizeof(*events); i++)
		pn_buf_printf(&text, "%c%s", i ? ',' : '[', events[i]);
	pn_buf_add_byte(&text, ']');
	read_good(&p, &pn_codec_chrome_trace, pn_buf_text(&text));
	assert_int_equal((int64_t)sum_of_stack(&p, 0, "a"), 1000 + 2000 + 1000);
	assert_int_equal((int64_t)sum_of_stack(&p, 0, "a;b"), 1000 + 3000);
	assert_int_equal((int64_t)sum_of_stack(&p, 0, "a;b;c"), 2000);
	pn_profile_release(&p);
	pn_buf_release(&text);
}

#define PROFILE                                                                \
	"\"ph\":\"P\",\"pid\":1,\"tid\":2,\"ts\":9,\"id\":\"0x1\","            \
	"\"name\":\"Profile"
#define CHUNK(data) "{" PROFILE "Chunk\",\"args\":{\"data\":{" data "}}}"
#define NODE(name) "\"callFrame\":{\"functionName\":\"" name "\"}"

/* A sample lasts until the next one, which may stand in another chunk: main
 * 30 + 50 us, f in it 40. */
static void reads_the_samples_of_v8(void **state)
{
	static const char first[] =
		CHUNK("\"cpuProfile\":{\"nodes\":[{\"id\":1," NODE(
			"(root)") "},"
				  "{\"id\":2,\"parent\":1," NODE(
					  "main") "}],"
						  "\"samples\":[2,2]},"
						  "\"timeDeltas\":[5,30]");
	static const char second[] = CHUNK(
		"\"timeDeltas\":[50,40],\"cpuProfile\":{\"samples\":[3,1],"
		"\"nodes\":[{\"id\":3,\"parent\":2," NODE("f") "}]}");
	char text[2048];
	struct pn_profile p;

	(void)state;
	snprintf(text, sizeof(text), "[{%s\"},%s,%s]", PROFILE, first, second);
	read_good(&p, &pn_codec_chrome_trace, text);
	assert_int_equal(p.type_count, 2);
	assert_string_equal(pn_profile_text(&p, p.types[1].type), "cpu");
	assert_true(sum_of_stack(&p, 1, "main") == 80 &&
		    sum_of_stack(&p, 1, "main;f") == 40);
	assert_int_equal(sum_of(&p, 0), 0);
	pn_profile_release(&p);
	refuses_text(&pn_codec_chrome_trace,
		     "[" CHUNK("\"cpuProfile\":{\"samples\":[7]}") "]",
		     "no node has the id 7");
	refuses_text(&pn_codec_chrome_trace,
		     "[" CHUNK("\"cpuProfile\":{\"samples\":[-1]}") "]",
		     "ProfileChunk: expected ids from 0 to 2147483647");
}

/* Chromium 156. The deltas of its samples, added up by the functions that
 * their nodes name, are 46,020 us, of which 30,621 in fib. */
static void reads_a_trace_of_chromium(void **state)
{
	struct pn_buf names = {0};
	struct pn_profile p;
	int64_t fib = 0;
	size_t i;

	(void)state;
	assert_ptr_equal(read_data(&p, "chrome-trace/chromium.json"),
			 &pn_codec_chrome_trace);
	assert_int_equal(sum_of(&p, 1), 46020);
	for (i = 0; i < p.sample_count; i++) {
		pn_buf_clear(&names);
		add_names(&names, &p, p.samples[i].stack);
		if (names.len >= 4 &&
		    !strcmp(pn_buf_text(&names) + names.len - 4, ";fib"))
			fib += p.values[2 * i + 1].i;
	}
	assert_int_equal(fib, 30621);
	pn_buf_release(&names);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_time_to_the_innermost),
		cmocka_unit_test(calls_end_with_the_one_that_they_are_in),
		cmocka_unit_test(reads_the_samples_of_v8),
		cmocka_unit_test(reads_a_trace_of_chromium),
		cmocka_unit_test(takes_an_array_that_was_cut),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(takes_no_longer_than_there_are_events),
		cmocka_unit_test(an_end_closes_what_is_in_its_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
