/* speedscope's files, by the schema that its authors publish. */
#include "codec/codec_text.h"
#include "codec/rows.h"

#define SCHEMA                                                                 \
	"\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
#define FRAMES                                                                 \
	"\"shared\":{\"frames\":[{\"name\":\"main\",\"file\":\"m.c\","         \
	"\"line\":3,"                                                          \
	"\"col\":5},{\"name\":\"work\"},{\"name\":\"rest\"}]}"

static void reads_weighted_stacks(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "{" SCHEMA FRAMES ",\"profiles\":[{\"type\":\"sampled\","
		  "\"name\":\"t\",\"unit\":\"milliseconds\",\"startValue\":0,"
		  "\"endValue\":6,\"samples\":[[0,1],[0],[0,1],[]],"
		  "\"weights\":[1,2,3,4]}]}");
	assert_int_equal(p.type_count, 1);
	assert_string_equal(pn_profile_text(&p, p.types[0].unit),
			    "milliseconds");
	assert_int_equal(p.types[0].number, PN_NUMBER_INT);
	assert_true(sum_of_stack(&p, 0, "main;work") == 4);
	assert_true(sum_of_stack(&p, 0, "main") == 2);
	assert_true(sum_of_stack(&p, 0, "") == 4);
	assert_int_equal(p.lines[0].line, 3);
	assert_int_equal(p.lines[0].column, 5);
	assert_false(p.complete); /* the order in time is not kept */
	pn_profile_release(&p);
}

/* main opens at 10, work from 11 to 13.5, rest from 13.5 to 14, main closes
 * at 20: work 2.5, rest .5, main itself (11 - 10) + (20 - 14) = 7. */
static void gives_time_to_what_is_open(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(
		&p, NULL,
		"{\"profiles\":[{\"type\":\"evented\",\"name\":\"t\",\"unit\":"
		"\"seconds\",\"startValue\":0,\"endValue\":20,\"events\":["
		"{\"type\":\"O\",\"frame\":0,\"at\":10},"
		"{\"type\":\"O\",\"frame\":1,\"at\":11},"
		"{\"type\":\"C\",\"frame\":1,\"at\":13.5},"
		"{\"type\":\"O\",\"frame\":2,\"at\":13.5},"
		"{\"type\":\"C\",\"frame\":2,\"at\":14},"
		"{\"type\":\"C\",\"frame\":0,\"at\":20}]},"
		"{\"type\":\"sampled\",\"name\":\"m\",\"unit\":\"bytes\","
		"\"startValue\":0,\"endValue\":7,\"samples\":[[1]],"
		"\"weights\":[7]}]," FRAMES "," SCHEMA "\"x\":null}");
	assert_int_equal(p.type_count, 2);
	assert_int_equal(p.types[0].number, PN_NUMBER_DOUBLE);
	assert_true(sum_of_stack(&p, 0, "main;work") == 2.5);
	assert_true(sum_of_stack(&p, 0, "main;rest") == 0.5);
	assert_true(sum_of_stack(&p, 0, "main") == 7);
	assert_true(sum_of_stack(&p, 1, "work") == 7);
	pn_profile_release(&p);
}

static void comes_back(void **state)
{
	const char text[] =
		"{" SCHEMA FRAMES
		",\"profiles\":[{\"type\":\"sampled\",\"name\":\"\",\"unit\":"
		"\"nanoseconds\",\"startValue\":0,\"endValue\":1,\"samples\":["
		"[0,1,2],[0]],\"weights\":[9007199254740993,0.0]}]}";
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL, text);
	if (pn_codec_speedscope.write(&out, &p, &err))
		fail_msg("%s", err.message);
	/* the frames that are used, the sum of the weights */
	assert_non_null(strstr(pn_buf_text(&out), FRAMES));
	assert_non_null(strstr(pn_buf_text(&out), "\"samples\":[[0,1,2]]"));
	assert_non_null(strstr(pn_buf_text(&out), "\"unit\":\"nanoseconds\""));
	pn_buf_release(&out);
	pn_profile_release(&p);
}

/* Of a heap profile, what was allocated and what is in use are two profiles of
 * one unit: 300 B and 100 B, not 400 B. The second one is shown first. */
static void keeps_value_types_of_one_unit_apart(void **state)
{
	const union pn_value first[2] = {{.i = 200}, {.i = 100}};
	const union pn_value second[2] = {{.i = 100}, {.i = 0}};
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_profile p, read;
	int64_t sums[2] = {0};
	size_t i;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "alloc_space", "bytes");
	pn_profile_add_type(&p, "inuse_space", "bytes");
	pn_profile_add_label_set(&p, NULL, 0);
	pn_profile_add_stack(&p, NULL, 0);
	pn_profile_add_sample(&p, 0, 0, first);
	pn_profile_add_sample(&p, 0, 0, second);
	if (pn_codec_speedscope.write(&out, &p, &err))
		fail_msg("%s", err.message);
	read_good(&read, NULL, pn_buf_text(&out));
	assert_int_equal(read.type_count, 2);
	assert_string_equal(pn_profile_text(&read, read.types[0].type),
			    "alloc_space");
	assert_string_equal(pn_profile_text(&read, read.types[1].type),
			    "inuse_space");
	assert_string_equal(pn_profile_text(&read, read.default_type),
			    "inuse_space");
	for (i = 0; i < 2 * read.sample_count; i++)
		sums[i % 2] += read.values[i].i;
	assert_int_equal(sums[0], 300);
	assert_int_equal(sums[1], 100);
	pn_buf_release(&out);
	pn_profile_release(&p);
	pn_profile_release(&read);
}

/* A file of another program: its second profile is in bytes and the one to be
 * shown first. */
static void shows_the_active_profile_first(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "{" SCHEMA FRAMES
		  ",\"profiles\":[{\"type\":\"sampled\",\"unit\":\"seconds\","
		  "\"samples\":[[0]],\"weights\":[1]},"
		  "{\"type\":\"sampled\",\"unit\":\"bytes\","
		  "\"samples\":[[0]],\"weights\":[2]},"
		  "{\"type\":\"sampled\",\"unit\":\"seconds\","
		  "\"samples\":[[0]],\"weights\":[4]}],"
		  "\"activeProfileIndex\":1}");
	assert_int_equal(p.type_count, 2);
	assert_string_equal(pn_profile_text(&p, p.default_type), "space");
	assert_int_equal(p.values[0].i + p.values[4].i, 5); /* seconds */
	pn_profile_release(&p);
}

static void refuses(const char *rest, const char *message)
{
	char text[2048];

	snprintf(text, sizeof(text), "{%s%s%s}", SCHEMA, FRAMES, rest);
	refuses_text(NULL, text, message);
}

#define SAMPLED ",\"profiles\":[{\"type\":\"sampled\",\"unit\":\"none\","
#define EVENTED ",\"profiles\":[{\"type\":\"evented\",\"unit\":\"none\","

static void says_what_is_wrong_and_where(void **state)
{
	(void)state;
	refuses("", "expected shared frames and at least one profile");
	refuses(SAMPLED "\"samples\":[[0]],\"weights\":[]}]",
		"profiles[0]: 1 samples and 0 weights");
	refuses(SAMPLED "\"samples\":[[3]],\"weights\":[1]}]",
		"profiles[0]: frame 3 of the 3 shared ones");
	refuses(SAMPLED "\"samples\":[[0.5]],\"weights\":[1]}]",
		"profiles[0].samples[0][0]: expected a whole number");
	refuses(SAMPLED "\"samples\":{}}]",
		"profiles[0].samples: expected an array, have an object");
	refuses(",\"profiles\":[{\"type\":\"sampled\",\"unit\":\"miles\"}]",
		"profiles[0].unit: expected none, bytes or a unit of time, "
		"have 'miles'");
	refuses(",\"profiles\":[{\"type\":\"x\"}]",
		"profiles[0]: type: expected \"sampled\" or \"evented\", have "
		"'x'");
	refuses(EVENTED "\"events\":[{\"type\":\"C\",\"at\":1,\"frame\":0}]}]",
		"profiles[0]: event 0 closes what is not the innermost open "
		"frame");
	refuses(EVENTED "\"events\":[{\"type\":\"O\",\"at\":1,\"frame\":0},"
			"{\"type\":\"C\",\"at\":0,\"frame\":0}]}]",
		"profiles[0]: event 1 is before the last one");
	refuses(EVENTED "\"events\":[{\"type\":\"X\",\"at\":1,\"frame\":0}]}]",
		"profiles[0].events[0].type: expected \"O\" or \"C\"");
	refuses(EVENTED "\"events\":[{\"type\":\"O\",\"frame\":0}]}]",
		"profiles[0].events[0]: expected type, frame and at");
}

/* 20,000 frames, and 20,000 samples in the innermost: as a tree 2 MB, as
 * stacks 400 million frames. */
static void refuses_samples_that_multiply(void **state)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	struct pn_error err;
	int i, n = 20000;

	(void)state;
	pn_buf_add_text(&text, "{" SCHEMA FRAMES ",\"profiles\":[{\"type\":"
			       "\"evented\",\"events\":[{\"type\":\"O\","
			       "\"at\":0,\"frame\":0}");
	for (i = 1; i < n; i++)
		pn_buf_add_text(&text, ",{\"type\":\"O\",\"at\":0,"
				       "\"frame\":0}");
	for (i = 0; i < n; i++)
		pn_buf_printf(&text,
			      ",{\"type\":\"O\",\"at\":%d,\"frame\":0}"
			      ",{\"type\":\"C\",\"at\":%d,\"frame\":0}",
			      2 * i, 2 * i + 1);
	pn_buf_add_text(&text, "]}]}");
	assert_int_equal(read_text(&p, NULL, pn_buf_text(&text), &err),
			 PN_ELIMIT);
	assert_non_null(strstr(err.message, "samples of more than 268435456 "
					    "frames together"));
	pn_profile_release(&p);
	pn_buf_release(&text);
}

/* py-spy's hundredths of a second: .01 and .02 s are 10 and 20 million ns. */
static void goes_to_pprof_with_fractions_of_a_second(void **state)
{
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_profile p, read;

	(void)state;
	read_good(&p, NULL,
		  "{" SCHEMA FRAMES
		  ",\"profiles\":[{\"type\":\"sampled\",\"unit\":\"seconds\","
		  "\"samples\":[[0,1],[0]],\"weights\":[0.01,0.02]}]}");
	if (pn_codec_pprof.write(&out, &p, &err))
		fail_msg("%s", err.message);
	assert_int_equal(
		read_bytes(&read, &pn_codec_pprof, out.data, out.len, &err), 0);
	assert_string_equal(pn_profile_text(&read, read.types[0].unit),
			    "nanoseconds");
	assert_int_equal(read.values[0].i, 10000000);
	assert_int_equal(read.values[1].i, 20000000);
	assert_int_equal(p.types[0].number, PN_NUMBER_DOUBLE);
	assert_true(p.values[0].d == 0.01);
	pn_buf_release(&out);
	pn_profile_release(&p);
	pn_profile_release(&read);
}

/* Two threads, each with "CPU_TIME" below what ran: 10.25 ms of Fib and 1.5 of
 * what calls it; half a millisecond beside. Start and end are in quotes. */
static void reads_what_dotnet_trace_writes(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "speedscope/dotnet.speedscope.json"),
			 &pn_codec_speedscope);
	assert_true(sum_of_stack(&p, 0,
				 "Program.Main;Program.Fib(int32);CPU_TIME") ==
		    10.25);
	assert_true(sum_of_stack(&p, 0, "Program.Main;CPU_TIME") == 1.5);
	assert_true(sum_of_stack(&p, 0, "Worker.Run;CPU_TIME") == 0.5);
	assert_string_equal(pn_profile_text(&p, p.types[0].unit),
			    "milliseconds");
	assert_int_equal(p.events.thread_count, 2);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_weighted_stacks),
		cmocka_unit_test(reads_what_dotnet_trace_writes),
		cmocka_unit_test(gives_time_to_what_is_open),
		cmocka_unit_test(comes_back),
		cmocka_unit_test(keeps_value_types_of_one_unit_apart),
		cmocka_unit_test(shows_the_active_profile_first),
		cmocka_unit_test(says_what_is_wrong_and_where),
		cmocka_unit_test(refuses_samples_that_multiply),
		cmocka_unit_test(goes_to_pprof_with_fractions_of_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
