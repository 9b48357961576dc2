/* OpenTelemetry's profiles, from tests/data/otlp/two.txt by protoc. */
#include "sums.h"

#include "codec/rows.h"

/* 2 + 1 samples by their times; 4,000 + 96 and 512 bytes. */
static void profiles_are_value_types(void **state)
{
	static const struct sum sums[] = {{"samples", 3},
					  {"alloc_space", 4608}};
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "otlp/two.otlp"), &pn_codec_otlp);
	has_sums(&p, sums, 2);
	assert_int_equal(of_stack(&p, "alloc_space", "main;add"), 4096);
	assert_int_equal(of_stack(&p, "alloc_space", "main"), 512);
	assert_int_equal(of_stack(&p, "samples", "main;add"), 2);
	assert_string_equal(pn_profile_text(&p, p.default_type), "samples");
	assert_int_equal(p.time_ns, 1700000000000000000);
	assert_int_equal(p.duration_ns, 30000000);
	assert_int_equal(p.period, 10000000);
	pn_profile_release(&p);
}

static void tables_become_those_of_the_profile(void **state)
{
	const struct pn_location *l;
	const struct pn_function *f;
	struct pn_profile p;

	(void)state;
	read_data(&p, "otlp/two.otlp");
	assert_int_equal(p.mapping_count, 1);
	assert_int_equal(p.mappings[0].limit, 0x500000);
	assert_string_equal(pn_profile_text(&p, p.mappings[0].build_id),
			    "abcd1234");
	assert_int_equal(p.location_count, 2);
	l = &p.locations[0];
	assert_int_equal(l->address, 0x401000);
	assert_int_equal(l->line_count, 2); /* add is inlined into work */
	assert_int_equal(p.lines[l->line_first].column, 3);
	f = &p.functions[p.lines[l->line_first + 1].function];
	assert_string_equal(pn_profile_text(&p, f->name), "work");
	assert_int_equal(f->start_line, 38);
	pn_profile_release(&p);
}

static void keeps_times_and_threads(void **state)
{
	const struct pn_event *e;
	struct pn_profile p;

	(void)state;
	read_data(&p, "otlp/two.otlp");
	assert_int_equal(p.events.count, 3);
	e = &p.events.items[1];
	assert_int_equal(e->time_ns, 1700000000010000000);
	assert_string_equal(pn_profile_text(&p, p.events.threads[e->thread].id),
			    "17");
	assert_string_equal(
		pn_profile_text(&p, p.events.threads[e->thread].name),
		"worker");
	assert_int_equal(p.events.items[2].thread, PN_NONE);
	pn_profile_release(&p);
}

/* 7 + 5 and 100 of two scopes; 3 + 4 + 5, -2, and one by its time. Before
 * them come a resource and a scope that have no profiles. */
static void scopes_without_profiles_are_passed_over(void **state)
{
	static const struct sum sums[] = {{"wall", 112}, {"off_cpu", 11}};
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "otlp/scopes.otlp"), &pn_codec_otlp);
	has_sums(&p, sums, 2);
	assert_int_equal(of_stack(&p, "wall", "alpha"), 105);
	assert_int_equal(of_stack(&p, "off_cpu", "alpha"), -2);
	assert_int_equal(of_stack(&p, "off_cpu", "alpha;delta"), 12);
	assert_string_equal(pn_profile_text(&p, p.default_type), "wall");
	assert_int_equal(p.duration_ns, 2000000000);
	assert_int_equal(p.events.count, 4);
	assert_int_equal(p.events.items[2].time_ns, 1700000006000000000);
	pn_profile_release(&p);
}

/* Value types in another order, the default one first, are all that differs. */
static void what_is_written_is_read_again(void **state)
{
	struct pn_buf bytes = {0};
	struct pn_profile p, q;
	struct pn_error err;
	size_t i;

	(void)state;
	read_data(&p, "otlp/two.otlp");
	assert_int_equal(pn_codec_otlp.write(&bytes, &p, &err), 0);
	if (read_bytes(&q, NULL, bytes.data, bytes.len, &err))
		fail_msg("%s", err.message);
	assert_int_equal(q.sample_count, p.sample_count);
	for (i = 0; i < p.type_count; i++)
		assert_int_equal(sum_of(&q, i), sum_of(&p, i));
	assert_int_equal(q.mappings[0].has, p.mappings[0].has);
	assert_int_equal(q.label_count, p.label_count);
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&bytes);
}

/* Writes a profile and reads that. */
static void reads_back(struct pn_profile *back, const struct pn_profile *p)
{
	struct pn_buf bytes = {0};
	struct pn_error err;

	assert_int_equal(pn_codec_otlp.write(&bytes, p, &err), 0);
	if (read_bytes(back, NULL, bytes.data, bytes.len, &err))
		fail_msg("%s", err.message);
	pn_buf_release(&bytes);
}

/* 2 samples of a stack in one thread, 1 of another one: two.txt. */
static void times_and_threads_are_written(void **state)
{
	struct pn_profile p, q;
	size_t i;

	(void)state;
	read_data(&p, "otlp/two.otlp");
	reads_back(&q, &p);
	assert_int_equal(q.events.count, 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(q.events.items[i].time_ns,
				 1700000000000000000 + (int64_t)i * 10000000);
	assert_string_equal(pn_profile_text(&q, q.events.threads[0].name),
			    "worker");
	assert_int_equal(q.events.items[2].thread, PN_NONE);
	assert_int_equal(of_stack(&q, "samples", "main;add"), 2);
	assert_int_equal(of_stack(&q, "samples", "main"), 1);
	assert_int_equal(of_stack(&q, "alloc_space", "main;add"), 4096);
	assert_int_equal(q.events.items[1].type, type_of(&q, "samples"));
	pn_profile_release(&p);
	pn_profile_release(&q);
}

#define SAMPLES                                                                \
	"w 12/13 1.5: 3 cycles:\n\t1 f (/b)\n\n"                               \
	"v 12/14 1.75: 5 cycles:\n\t1 f (/b)\n\n"                              \
	"w 12/13 2.25: 4 cycles:\n\t1 f (/b)\n\n"

/*
 * Three samples of f, two in thread 13 of process 12: 3 + 4 = 7 cycles, which
 * two samples have in all, so 3.5 each, whole: 4 and 3; 5 in thread 14.
 */
static void samples_are_split_by_thread(void **state)
{
	const struct pn_event *e;
	const struct pn_thread *t;
	struct pn_profile p, q;
	size_t cycles, i;
	int64_t sum[2] = {0};

	(void)state;
	read_good(&p, NULL, SAMPLES);
	reads_back(&q, &p);
	cycles = type_of(&q, "cycles");
	assert_int_equal(sum_of(&q, cycles), 12);
	assert_int_equal(q.events.count, 3);
	for (i = 0; i < 3; i++) {
		e = &q.events.items[i];
		t = &q.events.threads[e->thread];
		sum[!strcmp(pn_profile_text(&q, t->id), "14")] += e->time_ns;
		assert_string_equal(
			pn_profile_text(&q, q.events.processes[t->process].id),
			"12");
	}
	assert_int_equal(sum[0], 1500000000 + 2250000000);
	assert_int_equal(sum[1], 1750000000);
	for (i = 0; i < q.sample_count; i++)
		sum[q.values[i * q.type_count + cycles].i == 5] = 0;
	assert_int_equal(sum[0] + sum[1], 0); /* a sample of 5, one of 7 */
	pn_profile_release(&p);
	pn_profile_release(&q);
}

static void refuses(const void *bytes, size_t len, const char *message)
{
	char want[256];
	struct pn_profile p;
	struct pn_error err = {0};

	snprintf(want, sizeof(want), "cannot read 'x': %s", message);
	assert_int_not_equal(read_bytes(&p, &pn_codec_otlp, bytes, len, &err),
			     0);
	assert_string_equal(err.message, want);
	pn_profile_release(&p);
}

static void refuses_what_is_no_profile(void **state)
{
	(void)state;
	/* sample 0 of stack 3; no stacks; "\x12\x02" is the dictionary */
	refuses("\x0a\x0c\x12\x0a\x12\x08\x12\x06\x08\x03\x22\x02\x01\x02", 14,
		"sample 0 has stack 3, the table has 0");
	refuses("\x0a\x08\x12\x06\x12\x04\x12\x02\x08\x03", 10,
		"byte 6: a sample has neither values nor times, as of "
		"opentelemetry-proto before 1.9");
	/* link_index is a list: what stood there before 1.9 */
	refuses("\x0a\x0a\x12\x08\x12\x06\x12\x04\x1a\x02\x01\x02", 12,
		"byte 8: sample.link_index (as of 1.9) has wire type 2, "
		"expected 0");
	refuses("\x12\x07\x2a\x01x\x2a\x02yz", 9,
		"expected at least one profile");
	refuses("\x0a\x7f\x12\x02", 4,
		"byte 0: field 1 needs 127 bytes, the input has less");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiles_are_value_types),
		cmocka_unit_test(tables_become_those_of_the_profile),
		cmocka_unit_test(keeps_times_and_threads),
		cmocka_unit_test(scopes_without_profiles_are_passed_over),
		cmocka_unit_test(what_is_written_is_read_again),
		cmocka_unit_test(times_and_threads_are_written),
		cmocka_unit_test(samples_are_split_by_thread),
		cmocka_unit_test(refuses_what_is_no_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
