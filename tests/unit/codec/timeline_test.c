/* When samples were taken and in which thread, of each format that says so. */
#include "codec/rows.h"
#include "codec_text.h"

static void put_leaf(struct pn_buf *text, const struct pn_profile *p,
		     uint32_t stack)
{
	uint32_t first = p->stack_start[stack];
	const struct pn_location *l;

	if (first == p->stack_start[stack + 1])
		return;
	l = &p->locations[p->frames[first]];
	pn_buf_printf(
		text, " %s",
		pn_profile_text(
			p,
			p->functions[p->lines[l->line_first].function].name));
}

/* "<process id>:<name>/<thread id>:<name> <type> <time>+<duration> <leaf>" of
 * every event, without what is not told. */
static void has_events(const char *input, const char *expected)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	size_t i;

	read_good(&p, NULL, input);
	for (i = 0; i < p.events.count; i++) {
		const struct pn_event *e = &p.events.items[i];
		const struct pn_thread *t =
			e->thread != PN_NONE ? &p.events.threads[e->thread]
					     : NULL;
		const struct pn_thread_group *g = NULL;

		if (t && t->process != PN_NONE)
			g = &p.events.processes[t->process];
		if (g)
			pn_buf_printf(&text, "%s:%s/",
				      pn_profile_text(&p, g->id),
				      pn_profile_text(&p, g->name));
		if (e->thread != PN_NONE)
			pn_buf_printf(&text, "%s:%s ",
				      pn_profile_text(&p, t->id),
				      pn_profile_text(&p, t->name));
		pn_buf_printf(&text, "%s %lld+%lld",
			      pn_profile_text(&p, p.types[e->type].type),
			      (long long)e->time_ns, (long long)e->duration_ns);
		put_leaf(&text, &p, e->stack);
		pn_buf_add_byte(&text, '\n');
	}
	assert_string_equal(pn_buf_text(&text), expected);
	assert_int_equal(pn_profile_check(&p, NULL), 0);
	pn_buf_release(&text);
	pn_profile_release(&p);
}

/* Equal records are one sample of 7 and two events; the last has no time. One
 * number is the thread, whose process is not known. */
static void perf_says_when_each_record_was(void **state)
{
	(void)state;
	has_events("a 12/13 1.5: 3 cycles:\n\t1 f (/b)\n\n"
		   "b 12/14 2.5: 1 faults:\n\t2 g (/b)\n\n"
		   "a 12/13 1.000000007: 4 cycles:\n\t1 f (/b)\n\n"
		   "a 15 3.5: 1 cycles:\n\t2 g (/b)\n\n"
		   "a 12/13 1 cycles:\n\t1 f (/b)\n\n",
		   "12:a/13:a cycles 1500000000+0 f\n"
		   "12:a/14:b faults 2500000000+0 g\n"
		   "12:a/13:a cycles 1000000007+0 f\n"
		   "15:a cycles 3500000000+0 g\n");
}

/* From startTime 100 us on; the idle one is none, and clocks run back. */
static void v8_says_how_long_after_the_one_before(void **state)
{
	(void)state;
	has_events("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":"
		   "\"(root)\"},\"hitCount\":0,\"children\":[2,3]},"
		   "{\"id\":2,\"hitCount\":1,\"callFrame\":{\"functionName\":"
		   "\"f\"}},{\"id\":3,\"callFrame\":{\"functionName\":"
		   "\"(idle)\"}}],\"startTime\":100,\"endTime\":400,"
		   "\"samples\":[2,2,3,2],\"timeDeltas\":[5,10,20,-4]}",
		   "cpu 105000+10000 f\n"
		   "cpu 115000+20000 f\n"
		   "cpu 131000+0 f\n");
}

#define FRAMES "\"shared\":{\"frames\":[{\"name\":\"m\"},{\"name\":\"w\"}]}"
#define SCHEMA                                                                 \
	"\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","

/* Each profile is a thread; bytes have no time. */
static void speedscope_is_in_order_of_time(void **state)
{
	(void)state;
	has_events("{" SCHEMA "\"profiles\":["
		   "{\"type\":\"evented\",\"name\":\"t\",\"unit\":\"seconds\","
		   "\"startValue\":0,\"endValue\":20,\"events\":["
		   "{\"type\":\"O\",\"frame\":0,\"at\":10},"
		   "{\"type\":\"O\",\"frame\":1,\"at\":11},"
		   "{\"type\":\"C\",\"frame\":1,\"at\":13.5},"
		   "{\"type\":\"C\",\"frame\":0,\"at\":20}]},"
		   "{\"type\":\"sampled\",\"name\":\"u\",\"unit\":"
		   "\"milliseconds\",\"startValue\":3,\"endValue\":9,"
		   "\"samples\":[[0],[0,1]],\"weights\":[2,4]},"
		   "{\"type\":\"sampled\",\"name\":\"b\",\"unit\":\"bytes\","
		   "\"startValue\":0,\"endValue\":7,\"samples\":[[1]],"
		   "\"weights\":[7]}]," FRAMES "}",
		   ":t time 10000000000+1000000000 m\n"
		   ":t time 11000000000+2500000000 w\n"
		   ":t time 13500000000+6500000000 m\n"
		   ":u time 3000000+2000000 m\n"
		   ":u time 5000000+4000000 w\n");
}

/* The file that is written of a profile. */
static void write_file(struct pn_buf *out, const struct pn_profile *p)
{
	struct pn_error err;

	if (pn_codec_speedscope.write(out, p, &err))
		fail_msg("%s", err.message);
}

/* What a file becomes, and that this becomes itself. */
static void writes(struct pn_buf *out, struct pn_profile *p)
{
	struct pn_buf again = {0};
	struct pn_profile read;

	write_file(out, p);
	read_good(&read, &pn_codec_speedscope, pn_buf_text(out));
	write_file(&again, &read);
	assert_string_equal(pn_buf_text(&again), pn_buf_text(out));
	pn_buf_release(&again);
	pn_profile_release(&read);
}

static void writes_weights(const char *unit, const char *weights)
{
	struct pn_buf in = {0}, out = {0};
	struct pn_profile p;

	pn_buf_printf(&in,
		      "{" SCHEMA "\"profiles\":[{\"type\":\"sampled\","
		      "\"name\":\"t\",\"unit\":\"%s\",\"startValue\":0,"
		      "\"samples\":[[0],[1],[0],[1],[0],[1],[0],[1]],"
		      "\"weights\":%s}]," FRAMES "}",
		      unit, weights);
	read_good(&p, NULL, pn_buf_text(&in));
	writes(&out, &p);
	if (!strstr(pn_buf_text(&out), weights))
		fail_msg("%s: %s", weights, pn_buf_text(&out));
	pn_buf_release(&in);
	pn_buf_release(&out);
	pn_profile_release(&p);
}

/* Each sample gets what it took, not its last one what others have lost. */
static void speedscope_weighs_each_sample(void **state)
{
	(void)state;
	writes_weights("milliseconds", "[1,1,1,1,1,1,1,1]");
	writes_weights("nanoseconds", "[10,10,10,10,10,10,10,10]");
	writes_weights("nanoseconds", "[1,7,11,13,17,3,123456789,29]");
	writes_weights("microseconds", "[3,1,4,1,5,9,2,6]");
	writes_weights("seconds", "[0.01,0.02,0.03,0.04,0.05,0.06,0.07,0.08]");
}

static int by_duration(const void *a, const void *b)
{
	const struct pn_event *x = a, *y = b;

	return x->duration_ns < y->duration_ns
		       ? -1
		       : x->duration_ns > y->duration_ns;
}

/* The events of the type "time" alone: others had no times before. */
static size_t keep_timed(struct pn_profile *p)
{
	struct pn_event *events = p->events.items;
	size_t i, n = 0;

	for (i = 0; i < p->events.count; i++)
		if (!strcmp(pn_profile_text(p, p->types[events[i].type].type),
			    "time"))
			events[n++] = events[i];
	qsort(events, n, sizeof(*events), by_duration);
	return n;
}

/* A browser's: every duration of it is in the file that is written. */
static void speedscope_has_the_durations_of_a_trace(void **state)
{
	struct pn_buf out = {0};
	struct pn_profile p, back;
	size_t i, n;

	(void)state;
	read_data(&p, "chrome-trace/chromium.json");
	writes(&out, &p);
	read_good(&back, NULL, pn_buf_text(&out));
	n = keep_timed(&p);
	assert_int_equal(n, 54); /* of two threads */
	assert_int_equal(keep_timed(&back), n);
	for (i = 0; i < n; i++)
		assert_int_equal(back.events.items[i].duration_ns,
				 p.events.items[i].duration_ns);
	pn_buf_release(&out);
	pn_profile_release(&p);
	pn_profile_release(&back);
}

/* Names may come behind what they are of. */
static void chrome_names_threads_and_processes(void **state)
{
	(void)state;
	has_events("{\"traceEvents\":["
		   "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":9,"
		   "\"name\":\"a\"},"
		   "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":12,\"dur\":3,"
		   "\"name\":\"b\",\"args\":{\"name\":\"of no thread\"}},"
		   "{\"ph\":\"X\",\"pid\":7,\"tid\":2,\"ts\":1,\"dur\":1,"
		   "\"name\":\"c\"},"
		   "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\","
		   "\"args\":{\"name\":\"io\"}},"
		   "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":"
		   "\"process_name\",\"args\":{\"name\":\"tab\"}}]}",
		   "1:tab/2:io time 10000+2000 a\n"
		   "1:tab/2:io time 12000+3000 b\n"
		   "1:tab/2:io time 15000+4000 a\n"
		   "7:/2: time 1000+1000 c\n");
}

#define TABLES                                                                 \
	"\"stackTable\":{\"frame\":[0,1],\"prefix\":[null,0]},"                \
	"\"frameTable\":{\"func\":[0,1],\"line\":[null,7],\"length\":2},"      \
	"\"funcTable\":{\"name\":[0,1],\"fileName\":[0,0],\"lineNumber\":"     \
	"[3,null]},\"stringArray\":[\"m\",\"w\"],"
#define META "\"meta\":{\"interval\":0.5,\"preprocessedProfileVersion\":57}"

/* As times, or as what lies between them; null: nothing ran. */
static void firefox_has_times_or_deltas(void **state)
{
	(void)state;
	has_events("{" META ",\"threads\":[{" TABLES
		   "\"name\":\"T\",\"pid\":\"12\",\"tid\":34,\"processName\":"
		   "\"web\",\"samples\":{\"stack\":[1,null,0],\"weight\":null,"
		   "\"time\":[1.5,2,2.25]}},{" TABLES
		   "\"name\":\"U\",\"pid\":12,\"tid\":\"x\",\"samples\":{"
		   "\"stack\":[0,1],\"weight\":[2,3],\"weightType\":"
		   "\"tracing-ms\",\"timeDeltas\":[1,0.5]}}]}",
		   "12:web/34:T samples 1500000+0 w\n"
		   "12:web/34:T samples 2250000+0 m\n"
		   "12:web/x:U time 1000000+2000000 m\n"
		   "12:web/x:U time 1500000+3000000 w\n");
}

/* A time beyond 64 bits of nanoseconds is none. */
static void times_that_do_not_fit_are_left_out(void **state)
{
	(void)state;
	has_events("{" META ",\"threads\":[{" TABLES
		   "\"name\":\"T\",\"pid\":1,\"samples\":{\"stack\":[1,0],"
		   "\"weight\":null,\"time\":[1e300,2]}}]}",
		   "1:/:T samples 2000000+0 m\n");
	has_events("{\"nodes\":[{\"id\":2,\"hitCount\":1,\"callFrame\":"
		   "{\"functionName\":\"f\"}}],\"startTime\":1,\"endTime\":2,"
		   "\"samples\":[2,2],\"timeDeltas\":[9000000000000000000,1]}",
		   "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perf_says_when_each_record_was),
		cmocka_unit_test(v8_says_how_long_after_the_one_before),
		cmocka_unit_test(speedscope_is_in_order_of_time),
		cmocka_unit_test(speedscope_weighs_each_sample),
		cmocka_unit_test(speedscope_has_the_durations_of_a_trace),
		cmocka_unit_test(chrome_names_threads_and_processes),
		cmocka_unit_test(firefox_has_times_or_deltas),
		cmocka_unit_test(times_that_do_not_fit_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
