/* simpleperf and Perfetto: what tests/data/<format>/<name>.txt says in words,
 * made by protoc. */
#include "sums.h"

#include "base/deflate.h"
#include "codec/android/room.h"
#include "codec/rows.h"

#include <time.h>

static const struct pn_thread *thread_of(const struct pn_profile *p,
					 const char *id)
{
	size_t i;

	for (i = 0; i < p->events.thread_count; i++)
		if (!strcmp(pn_profile_text(p, p->events.threads[i].id), id))
			return &p->events.threads[i];
	fail_msg("no thread '%s'", id);
	return NULL;
}

/* 250000 + 50000 cycles of one stack, 300000 of another, one switch */
static void simpleperf_has_events_threads_and_times(void **state)
{
	static const struct sum sums[] = {{"samples", 4},
					  {"cpu-cycles", 600000},
					  {"sched:sched_switch", 1}};
	struct pn_profile p;
	double lost;

	(void)state;
	assert_ptr_equal(read_data(&p, "simpleperf/records.trace"),
			 &pn_codec_simpleperf);
	has_sums(&p, sums, 3);
	assert_int_equal(of_stack(&p, "cpu-cycles", "main;work(int)"), 300000);
	assert_int_equal(of_stack(&p, "cpu-cycles", "main;memcpy"), 300000);
	assert_string_equal(pn_profile_text(&p, p.default_type), "cpu-cycles");
	assert_string_equal(pn_profile_text(&p, thread_of(&p, "43")->name),
			    "worker");
	assert_string_equal(pn_profile_text(&p, p.events.processes[0].name),
			    "com.example.app");
	assert_int_equal(p.events.count, 4);
	assert_int_equal(p.events.items[2].time_ns, 3000000);
	assert_true(pn_profile_fact(&lost, &p, "lost samples"));
	assert_int_equal(lost, 2);
	/* what has no symbol keeps its place in the file */
	assert_int_equal(p.locations[p.location_count - 1].address, 777);
	assert_int_equal(p.locations[p.location_count - 1].line_count, 0);
	pn_profile_release(&p);
}

static void simpleperf_says_what_is_wrong(void **state)
{
	static const char cut[] = "SIMPLEPERF\1\0\377\0\0\0";
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(read_bytes(&p, NULL, cut, sizeof(cut) - 1, &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "cannot read 'x': byte 12: a record is cut, or "
			    "longer than 67108864 bytes");
	refuses_text(&pn_codec_simpleperf, "SIMPLEPERF\2",
		     "expected 'SIMPLEPERF' and version 1");
}

/* The same whether packets are packed or not: 2 and 1 samples of one process, 2
 * of Chrome's, 100 and 250 us behind 9000. */
static void perfetto_has_samples_of_all_sequences(void **state)
{
	static const char *const names[] = {"perfetto/trace.perfetto-trace",
					    "perfetto/packed.perfetto-trace"};
	static const struct sum sums[] = {{"samples", 5}};
	struct pn_profile p;
	double fact;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_ptr_equal(read_data(&p, names[i]), &pn_codec_perfetto);
		has_sums(&p, sums, 1);
		assert_int_equal(of_stack(&p, "samples", "main;work"), 2);
		assert_int_equal(of_stack(&p, "samples", "main;work;memcpy"),
				 1);
		assert_int_equal(of_stack(&p, "samples", "RunTask"), 2);
		assert_int_equal(p.events.count, 5);
		assert_int_equal(p.events.items[1].time_ns, 6000000);
		assert_int_equal(p.events.items[3].time_ns, 9100000);
		assert_int_equal(p.events.items[4].time_ns, 9350000);
		assert_string_equal(
			pn_profile_text(&p, thread_of(&p, "43")->name),
			"worker");
		assert_string_equal(
			pn_profile_text(&p, thread_of(&p, "51")->name),
			"CrRendererMain");
		assert_string_equal(pn_profile_text(&p, p.mappings[0].build_id),
				    "deadbeef");
		assert_string_equal(pn_profile_text(&p, p.mappings[1].file),
				    "/system/libc.so");
		assert_true(pn_profile_fact(&fact, &p, "lost records"));
		assert_int_equal(fact, 7);
		pn_profile_release(&p);
	}
}

/* packet { timestamp: 1, perf_sample { callstack_iid: 9 } } */
static void perfetto_says_what_is_wrong(void **state)
{
	static const char missing[] = "\n\7\10\1\222\4\2 \t";
	static const char empty[] = "\n\2P\1";
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(read_bytes(&p, &pn_codec_perfetto, missing,
				    sizeof(missing) - 1, &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "cannot read 'x': byte 7: a sample has stack 9, "
			    "which is not there");
	assert_int_equal(read_bytes(&p, NULL, empty, sizeof(empty) - 1, &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "cannot read 'x': a trace without samples of "
			    "processors (data source linux.perf)");
}

static void add_varint(struct pn_buf *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		pn_buf_add_byte(out, (unsigned char)(value | 0x80));
	pn_buf_add_byte(out, (unsigned char)value);
}

/* A field that has bytes. */
static void add_field(struct pn_buf *out, unsigned int number,
		      const struct pn_buf *bytes)
{
	add_varint(out, number << 3 | 2);
	add_varint(out, bytes->len);
	pn_buf_add(out, bytes->data, bytes->len);
}

/* Sequences from 1 on, or always 1, each with a thread descriptor. */
static double time_sequences(bool many)
{
	struct pn_buf trace = {0}, packet = {0}, empty = {0};
	struct pn_profile p;
	struct pn_error err;
	clock_t begin;
	uint32_t i;

	for (i = 1; i <= 200000; i++) {
		pn_buf_clear(&packet);
		add_varint(&packet, 10 << 3);
		add_varint(&packet, many ? i : 1);
		add_field(&packet, 44, &empty);
		add_field(&trace, 1, &packet);
	}
	begin = clock();
	assert_int_equal(
		read_bytes(&p, &pn_codec_perfetto, trace.data, trace.len, &err),
		PN_EINVAL);
	pn_buf_release(&packet);
	pn_buf_release(&trace);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static void perfetto_finds_one_of_many_sequences(void **state)
{
	(void)state;
	assert_no_slower(time_sequences(true), time_sequences(false));
}

static void add_number(struct pn_buf *out, unsigned int number, uint64_t value)
{
	add_varint(out, number << 3);
	add_varint(out, value);
}

/* A message { number: a, number + 1: b }, or of the first alone. */
static void add_pair(struct pn_buf *out, unsigned int field,
		     unsigned int number, uint64_t a, bool has_b, uint64_t b)
{
	struct pn_buf message = {0};

	add_number(&message, number, a);
	if (has_b)
		add_number(&message, number + 1, b);
	add_field(out, field, &message);
	pn_buf_release(&message);
}

/* Stack 1 is empty; the thread of sequence 1 is thread 6 of process 5, whose
 * clock is at 7 us. */
static void add_thread_and_stack(struct pn_buf *trace)
{
	struct pn_buf packet = {0}, part = {0};

	add_number(&packet, 10, 1);
	add_pair(&part, 7, 1, 1, false, 0);
	add_field(&packet, 12, &part);
	pn_buf_clear(&part);
	add_number(&part, 1, 5);
	add_number(&part, 2, 6);
	add_number(&part, 6, 7);
	add_field(&packet, 44, &part);
	add_field(trace, 1, &packet);
	pn_buf_release(&part);
	pn_buf_release(&packet);
}

/* Samples of two bytes each, 1 us behind each other: all of them count, and as
 * many have a time as there is room for, which is three quarters of 40 MB and 6
 * times the file; an event takes less than what it counts with. */
static void perfetto_bounds_times(void **state)
{
	const size_t n = 4000000, some = 100000;
	struct pn_buf trace = {0}, ones = {0}, part = {0}, packet = {0};
	struct pn_profile p;
	struct pn_error err;
	double untimed;
	size_t i, room;

	(void)state;
	add_thread_and_stack(&trace);
	for (i = 0; i < some; i++)
		pn_buf_add_byte(&ones, 1);
	add_field(&part, 1, &ones);
	add_field(&part, 2, &ones);
	add_number(&packet, 10, 1);
	add_field(&packet, 54, &part);
	for (i = 0; i < n / some; i++)
		add_field(&trace, 1, &packet);
	assert_int_equal(
		read_bytes(&p, &pn_codec_perfetto, trace.data, trace.len, &err),
		0);
	assert_int_equal(p.sample_count, 1);
	assert_int_equal(p.values[0].i, n);
	assert_true(pn_profile_fact(&untimed, &p, "samples without time"));
	assert_int_equal(p.events.count + (size_t)untimed, n);
	assert_true(sizeof(*p.events.items) < PN_ROOM_TIME);
	room = (PN_ROOM_BASE + PN_ROOM_TIMES * trace.len) / 4 * 3;
	/* but for what is in front of packets */
	assert_in_range(p.events.count, room / PN_ROOM_TIME - 100,
			room / PN_ROOM_TIME);
	assert_int_equal(p.events.items[99999].time_ns, (7 + 100000) * 1000);
	pn_profile_release(&p);
	pn_buf_release(&trace);
	pn_buf_release(&ones);
	pn_buf_release(&part);
	pn_buf_release(&packet);
}

/* A thread of its own for each sample, in 15 bytes. */
static void perfetto_bounds_threads(void **state)
{
	struct pn_buf trace = {0}, part = {0}, packet = {0};
	struct pn_profile p;
	struct pn_error err;
	uint32_t i;

	(void)state;
	add_thread_and_stack(&trace);
	for (i = 1; i < 400000; i++) {
		pn_buf_clear(&part);
		pn_buf_clear(&packet);
		add_number(&part, 3, i);
		add_number(&part, 4, 1);
		add_number(&packet, 10, 1);
		add_field(&packet, 66, &part);
		add_field(&trace, 1, &packet);
	}
	assert_int_equal(
		read_bytes(&p, &pn_codec_perfetto, trace.data, trace.len, &err),
		PN_ELIMIT);
	assert_non_null(strstr(err.message, "more memory than 40 MB"));
	pn_buf_release(&trace);
	pn_buf_release(&part);
	pn_buf_release(&packet);
}

/* 12 MB of a field that nobody reads become 12 kB; the second time that is
 * more than 16 MB and 64 times what was packed. */
static void perfetto_bounds_what_is_packed(void **state)
{
	const size_t len = 12 << 20;
	struct pn_buf zeros = {0}, packet = {0}, packets = {0}, packed = {0};
	struct pn_buf outer = {0}, trace = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	pn_buf_reserve(&zeros, len);
	memset(zeros.data, 0, len);
	zeros.len = len;
	add_field(&packet, 15, &zeros);
	add_field(&packets, 1, &packet);
	pn_deflate_zlib(&packed, NULL, 0, packets.data, packets.len, 6);
	add_field(&outer, 50, &packed);
	add_field(&trace, 1, &outer);
	assert_int_equal(
		read_bytes(&p, &pn_codec_perfetto, trace.data, trace.len, &err),
		PN_EINVAL);
	assert_non_null(strstr(err.message, "without samples"));
	add_field(&trace, 1, &outer);
	assert_int_equal(
		read_bytes(&p, &pn_codec_perfetto, trace.data, trace.len, &err),
		PN_ELIMIT);
	assert_non_null(strstr(err.message, "packed packets: compressed data "
					    "holds more than "));
	pn_buf_release(&zeros);
	pn_buf_release(&packet);
	pn_buf_release(&packets);
	pn_buf_release(&packed);
	pn_buf_release(&outer);
	pn_buf_release(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simpleperf_has_events_threads_and_times),
		cmocka_unit_test(simpleperf_says_what_is_wrong),
		cmocka_unit_test(perfetto_has_samples_of_all_sequences),
		cmocka_unit_test(perfetto_says_what_is_wrong),
		cmocka_unit_test(perfetto_finds_one_of_many_sequences),
		cmocka_unit_test(perfetto_bounds_times),
		cmocka_unit_test(perfetto_bounds_threads),
		cmocka_unit_test(perfetto_bounds_what_is_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
