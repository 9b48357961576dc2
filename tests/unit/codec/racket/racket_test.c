/* Racket's JSON: the edges have three times, node 0 is no function. */
#include "codec/codec_text.h"
#include "codec/rows.h"

#include "codec/racket/racket.h"

/* Of the stack A > B > B > B > A that took 1 s: A > B stands once, B has 3
 * occurrences and A has 2, so its caller time is 1/3 and its callee time 1/2
 * (Racket 8.7; its documentation has it the other way round). */
#define EDGE                                                                   \
	"{\"caller\":1,\"callee\":2,\"total\":1000.0,\"caller_time\":"         \
	"333.5,\"callee_time\":500.0}"
#define ROOT                                                                   \
	"{\"id\":false,\"src\":false,\"self\":0.0,\"total\":1000.0,"           \
	"\"callers\":[],\"callees\":[],\"thread_ids\":[]}"
#define DOCUMENT                                                               \
	"{\"cpu_time\":7.0,\"nodes\":[" ROOT ",{\"id\":\"A\",\"src\":"         \
	"\"a:b.rkt:8:0\",\"self\":1000.0,\"total\":1000.0,\"callers\":[],"     \
	"\"callees\":[" EDGE "],\"thread_ids\":[1,0]},{\"id\":\"B\",\"src\":"  \
	"\"b.rkt:#12\",\"self\":0.0,\"total\":1000.0,\"callers\":[" EDGE "],"  \
	"\"callees\":[],\"thread_ids\":[0]}],\"sample_number\":1}"

static void keeps_the_three_times_of_an_edge(void **state)
{
	struct pn_profile p;
	struct pn_error err;
	const struct pn_graph *g = &p.graph;

	(void)state;
	if (read_text(&p, &pn_codec_racket, DOCUMENT, &err))
		fail_msg("%s", err.message);
	assert_int_equal(g->node_count, 3);
	assert_int_equal(g->edge_count, 1);
	assert_int_equal(g->nodes[0].location, PN_NONE);
	assert_true(g->edge_total[PN_RACKET_TIME].d == 1000);
	assert_true(g->edge_self[PN_RACKET_EDGE_TIME].d == 333.5);
	assert_true(g->edge_total[PN_RACKET_EDGE_TIME].d == 500);
	assert_string_equal(pn_profile_text(&p, p.functions[0].file),
			    "a:b.rkt");
	assert_int_equal(p.lines[0].line, 8);
	assert_int_equal(p.lines[0].column, 1);
	/* no line and column: all of it is the file */
	assert_string_equal(pn_profile_text(&p, p.functions[1].file),
			    "b.rkt:#12");
	assert_true(p.complete);
	pn_profile_release(&p);
}

static void writes_what_it_read(void **state)
{
	struct pn_buf out = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	if (read_text(&p, &pn_codec_racket, DOCUMENT, &err) ||
	    pn_codec_racket.write(&out, &p, &err))
		fail_msg("%s", err.message);
	assert_non_null(strstr(pn_buf_text(&out),
			       "\"caller_time\":333.5,\"total\":1000.0}"));
	assert_non_null(strstr(pn_buf_text(&out),
			       "\"id\":\"A\",\"self\":1000.0,\"src\":"
			       "\"a:b.rkt:8:0\",\"thread_ids\":[1,0]"));
	assert_non_null(strstr(pn_buf_text(&out),
			       "{\"cpu_time\":7.0,\"sample_number\":1,"));
	pn_buf_release(&out);
	pn_profile_release(&p);
}

/* Threads 0 and 7 ran for 4 and .5 ms. */
static void times_of_threads_and_the_samplers_own_are_numbers(void **state)
{
	static const char told[] =
		"{\"cpu_time\":7.25,\"sample_number\":12,\"thread_times\":"
		"[{\"id\":0,\"time\":4.0},{\"id\":7,\"time\":0.5}],"
		"\"total_time\":4.5,";
	struct pn_buf text = {0}, out = {0};
	struct pn_profile p;
	struct pn_error err;
	double value;

	(void)state;
	pn_buf_add_text(&text, told);
	pn_buf_add_text(&text, "\"nodes\":[" ROOT "]}");
	if (read_text(&p, &pn_codec_racket, pn_buf_text(&text), &err) ||
	    pn_codec_racket.write(&out, &p, &err))
		fail_msg("%s", err.message);
	assert_int_equal(p.events.thread_count, 2);
	assert_string_equal(pn_profile_text(&p, p.events.threads[1].id), "7");
	assert_true(p.events.threads[0].cost == 4);
	assert_true(p.events.threads[1].cost == 0.5);
	assert_true(pn_profile_fact(&value, &p, "cpu time") && value == 7.25);
	assert_true(pn_profile_fact(&value, &p, "samples") && value == 12);
	assert_true(pn_profile_fact(&value, &p, "total time") && value == 4.5);
	assert_false(pn_profile_fact(&value, &p, "time"));
	assert_int_equal(strncmp(pn_buf_text(&out), told, strlen(told)), 0);
	pn_buf_release(&text);
	pn_buf_release(&out);
	pn_profile_release(&p);
}

static void says_what_is_wrong_and_where(void **state)
{
	(void)state;
	refuses_text(&pn_codec_racket, "{}", "expected nodes");
	refuses_text(&pn_codec_racket, "{\"nodes\":[" ROOT "," ROOT "]}",
		     "nodes[1]: another node has this id and src");
	refuses_text(&pn_codec_racket,
		     "{\"nodes\":[{\"callers\":[{\"caller\":0}]}]}",
		     "nodes[0].callers[0]: expected the numbers of caller and "
		     "callee");
	refuses_text(
		&pn_codec_racket,
		"{\"nodes\":[{\"callers\":[{\"caller\":0,\"callee\":5}]}]}",
		"an edge from 0 to 5 of 1 nodes");
	refuses_text(
		&pn_codec_racket,
		"{\"nodes\":[{\"callers\":[{\"caller\":0,\"callee\":0}],"
		"\"callees\":[{\"caller\":0,\"callee\":0,\"total\":1}]}]}",
		"nodes[0].callees[0]: the edge has other times in the list of "
		"its other end");
	refuses_text(&pn_codec_racket, "{\"nodes\":[{\"self\":\"1\"}]}",
		     "nodes[0].self: expected a number, have a string");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_three_times_of_an_edge),
		cmocka_unit_test(writes_what_it_read),
		cmocka_unit_test(
			times_of_threads_and_the_samplers_own_are_numbers),
		cmocka_unit_test(says_what_is_wrong_and_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
