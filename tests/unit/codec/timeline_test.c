/* When samples were taken and in which thread, of each format that says so. */
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
		const struct pn_thread *t = &p.events.threads[e->thread];
		const struct pn_thread_group *g = NULL;

		if (e->thread != PN_NONE && t->process != PN_NONE)
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
		cmocka_unit_test(chrome_names_threads_and_processes),
		cmocka_unit_test(firefox_has_times_or_deltas),
		cmocka_unit_test(times_that_do_not_fit_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
