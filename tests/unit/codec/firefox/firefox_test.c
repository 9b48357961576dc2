/* Firefox's processed profiles, with tables of each thread and shared ones. */
#include "codec/codec_text.h"
#include "codec/rows.h"

#define FRAMES                                                                 \
	"\"frameTable\":{\"func\":[0,1],\"line\":[null,7],\"length\":2},"      \
	"\"funcTable\":{\"name\":[0,1],\"fileName\":[2,null],\"lineNumber"     \
	"\":[3,null]},\"stringArray\":[\"main\",\"work\",\"a.js\"]"
#define PREFIX "\"stackTable\":{\"frame\":[0,1,1],\"prefix\":[null,0,1]},"
/* The same tree, since version 66: how far before it the prefix is. */
#define OFFSET "\"stackTable\":{\"frame\":[0,1,1],\"prefixOffset\":[0,1,1]},"
#define META "\"meta\":{\"interval\":0.5,\"preprocessedProfileVersion\":57}"
#define SAMPLES(rest)                                                          \
	"\"name\":\"T\",\"pid\":\"12\",\"samples\":{\"stack\":[1,null,2]"      \
	",\"weight\":" rest "}"

static void has_stack(const struct pn_profile *p, size_t sample,
		      const char *want)
{
	uint32_t stack = p->samples[sample].stack;
	uint32_t at = p->stack_start[stack + 1];
	struct pn_buf names = {0};

	while (at-- > p->stack_start[stack]) {
		const struct pn_location *l = &p->locations[p->frames[at]];
		const struct pn_line *line = &p->lines[l->line_first];
		const struct pn_function *f = &p->functions[line->function];

		pn_buf_printf(&names, "%s%s:%d", names.len ? ";" : "",
			      pn_profile_text(p, f->name), (int)line->line);
	}
	assert_string_equal(pn_buf_text(&names), want);
	pn_buf_release(&names);
}

static void check(const char *text)
{
	struct pn_profile p;
	struct pn_error err;

	if (read_text(&p, NULL, text, &err))
		fail_msg("%s", err.message);
	assert_int_equal(p.sample_count, 2); /* null: nothing ran */
	has_stack(&p, 0, "main:3;work:7");
	has_stack(&p, 1, "main:3;work:7;work:7");
	assert_int_equal(p.values[0].i, 1);
	assert_int_equal(p.period, 500000);
	assert_string_equal(pn_profile_text(&p, p.functions[0].file), "a.js");
	assert_int_equal(p.label_count, 2);
	assert_string_equal(pn_profile_text(&p, p.labels[0].value.s), "12");
	pn_profile_release(&p);
}

static void reads_tables_of_a_thread_and_shared_ones(void **state)
{
	(void)state;
	check("{" META ",\"threads\":[{" PREFIX FRAMES
	      "," SAMPLES("null") "}]}");
	check("{" META ",\"threads\":[{" SAMPLES(
		"null") "}],\"shared\":{" OFFSET FRAMES "}}");
}

static void weighs_by_time_or_bytes(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	if (read_text(&p, NULL,
		      "{" META ",\"threads\":[{" PREFIX FRAMES "," SAMPLES(
			      "[2.5,9,4],\"weightType\":\"tracing-ms\"") "}]}",
		      &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_profile_text(&p, p.types[0].unit),
			    "milliseconds");
	assert_true(p.values[0].d == 2.5 && p.values[1].d == 4);
	pn_profile_release(&p);
}

/* Version 59: the tables of a thread refer to shared strings and sources. */
static void reads_tables_of_a_thread_with_shared_strings(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "{" META ",\"threads\":[{" PREFIX
		  "\"frameTable\":{\"func\":[0,1],\"line\":[null,7]},"
		  "\"funcTable\":{\"name\":[0,1],\"source\":[0,null],"
		  "\"lineNumber\":[3,null]}," SAMPLES(
			  "null") "}],\"shared\":{\"sources\":{\"filename\":"
				  "[2]},\"stringArray\":[\"main\",\"work\",\"a."
				  "js\"]}}");
	has_stack(&p, 0, "main:3;work:7");
	assert_string_equal(pn_profile_text(&p, p.functions[0].file), "a.js");
	assert_int_equal(p.functions[1].file, 0);
	pn_profile_release(&p);
}

/* A function without a symbol is called by its address in the library: that
 * of another one may be the same. */
static void leaves_addresses_to_their_libraries(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "{" META ",\"libs\":[{\"name\":\"a.so\",\"path\":\"/a.so\","
		  "\"codeId\":\"c0de\"},{\"name\":\"b.so\"}],\"threads\":[{"
		  "\"samples\":{\"stack\":[1,2]}}],\"shared\":{"
		  "\"stackTable\":{\"frame\":[0,1,2],\"prefix\":"
		  "[null,0,0]},\"frameTable\":{\"func\":[0,1,2],\"address\":"
		  "[-1,16,16]},\"funcTable\":{\"name\":[0,1,1],\"resource\":"
		  "[-1,0,1]},\"resourceTable\":{\"lib\":[0,1]},"
		  "\"stringArray\":[\"main\",\"0x10\"]}}");
	assert_int_equal(p.location_count, 3);
	assert_int_equal(p.locations[0].mapping, PN_NONE);
	assert_int_equal(p.locations[1].line_count, 0);
	assert_int_equal(p.locations[1].address, 16);
	assert_int_equal(p.locations[1].mapping, 0);
	assert_int_equal(p.locations[2].mapping, 1);
	assert_string_equal(pn_profile_text(&p, p.mappings[0].file), "/a.so");
	assert_string_equal(pn_profile_text(&p, p.mappings[0].build_id),
			    "c0de");
	assert_string_equal(pn_profile_text(&p, p.mappings[1].file), "b.so");
	pn_profile_release(&p);
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && !strcmp(text + len - n, end);
}

/*
 * What Firefox 153 wrote and version 75 of the format made of it. "profiler-cli
 * thread functions" 0.10.0: fib has 1 sample itself and 2 in all of 6, and
 * is in page.html; (root), the first function, is in no file, although the
 * column says 0.
 */
static void knows_the_flags_of_version_75(void **state)
{
	struct pn_profile p;
	struct pn_buf names = {0};
	size_t i, in_fib = 0, fib_last = 0;

	(void)state;
	assert_ptr_equal(read_data(&p, "firefox/version75.json"),
			 &pn_codec_firefox);
	assert_int_equal(sum_of(&p, 0), 6);
	for (i = 0; i < p.sample_count; i++) {
		pn_buf_clear(&names);
		add_names(&names, &p, p.samples[i].stack);
		fib_last += ends_with(pn_buf_text(&names), ";fib");
		in_fib += strstr(pn_buf_text(&names), ";fib") != NULL;
	}
	assert_int_equal(fib_last, 1);
	assert_int_equal(in_fib, 2);
	for (i = 0; i < p.function_count; i++) {
		const char *name = pn_profile_text(&p, p.functions[i].name);
		const char *file = pn_profile_text(&p, p.functions[i].file);

		if (!strcmp(name, "fib"))
			assert_string_equal(file, "file:///tmp/page.html");
		if (!strcmp(name, "(root)"))
			assert_string_equal(file, "");
	}
	pn_buf_release(&names);
	pn_profile_release(&p);
}

static void says_what_to_do_with_what_firefox_writes(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(
		read_text(&p, &pn_codec_firefox,
			  "{\"libs\":[{\"start\":1,\"breakpadId\":\"A\"}],"
			  "\"meta\":{\"version\":34,\"interval\":1},"
			  "\"threads\":[{\"samples\":{\"schema\":{\"stack\":0},"
			  "\"data\":[[0]]}}]}",
			  &err),
		PN_EFORMAT);
	assert_string_equal(err.message,
			    "cannot read 'x': this is what Firefox itself "
			    "writes: --format=gecko reads it");
}

static void refuses_what_does_not_fit_together(void **state)
{
	(void)state;
	refuses_text(NULL, "{" META "}",
		     "expected meta and at least one thread");
	refuses_text(NULL,
		     "{" META ",\"threads\":[{" PREFIX FRAMES
		     "," SAMPLES("[1]") "}]}",
		     "threads[0].samples: 3 stacks and 1 weights");
	refuses_text(NULL,
		     "{" META ",\"threads\":[{\"stackTable\":{\"frame\":[0],"
		     "\"prefix\":[0]}," FRAMES "," SAMPLES("null") "}]}",
		     "threads[0]: stack 0 has no frame, or its prefix is not "
		     "before it");
	refuses_text(NULL,
		     "{" META ",\"threads\":[{\"stackTable\":{\"frame\":[0],"
		     "\"prefix\":[null]}," FRAMES "," SAMPLES("null") "}]}",
		     "threads[0]: samples.stack[0]: 1 of 1 stacks");
}

/* Many threads with tables of n stacks. */
static double time_of_shared_tables(struct pn_profile *out, int n)
{
	struct pn_buf text = {0};
	double seconds;
	int i;

	pn_buf_add_text(&text, "{" META ",\"shared\":{" FRAMES
			       ",\"stackTable\":{\"frame\":[0");
	for (i = 1; i < n; i++)
		pn_buf_add_text(&text, ",0");
	pn_buf_add_text(&text, "],\"prefix\":[null");
	for (i = 1; i < n; i++)
		pn_buf_add_text(&text, ",null");
	pn_buf_add_text(&text,
			"]}},\"threads\":[{\"samples\":{\"stack\":[3]}}");
	for (i = 1; i < 20000; i++)
		pn_buf_add_text(&text, ",{\"samples\":{\"stack\":[7]}}");
	pn_buf_add_text(&text, "]}");
	seconds = time_good(out, NULL, pn_buf_text(&text));
	pn_buf_release(&text);
	return seconds;
}

/* Threads that share tables read them once: 20,000 times 20,000 stacks would
 * take a minute. */
static void reads_shared_tables_once(void **state)
{
	struct pn_profile p, few;
	double seconds;

	(void)state;
	seconds = time_of_shared_tables(&p, 20000);
	assert_int_equal(p.sample_count, 20000);
	has_stack(&p, 19999, "main:3");
	assert_no_slower(seconds, time_of_shared_tables(&few, 8));
	pn_profile_release(&p);
	pn_profile_release(&few);
}

static void refuses_too_many_threads(void **state)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	struct pn_error err;
	int i;

	(void)state;
	pn_buf_add_text(&text, "{" META ",\"threads\":[{}");
	for (i = 0; i < 1 << 16; i++)
		pn_buf_add_text(&text, ",{}");
	pn_buf_add_text(&text, "]}");
	assert_true(read_text(&p, NULL, pn_buf_text(&text), &err) < 0);
	assert_non_null(strstr(err.message, "more than 65536 threads"));
	pn_profile_release(&p);
	pn_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_tables_of_a_thread_and_shared_ones),
		cmocka_unit_test(reads_tables_of_a_thread_with_shared_strings),
		cmocka_unit_test(leaves_addresses_to_their_libraries),
		cmocka_unit_test(knows_the_flags_of_version_75),
		cmocka_unit_test(says_what_to_do_with_what_firefox_writes),
		cmocka_unit_test(weighs_by_time_or_bytes),
		cmocka_unit_test(refuses_what_does_not_fit_together),
		cmocka_unit_test(reads_shared_tables_once),
		cmocka_unit_test(refuses_too_many_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
