/* Recordings of Java's Flight Recorder have the sums of jfr's own reports. */
#include "sums.h"

#include "codec/rows.h"

/*
 * `jfr summary` counts 34 ExecutionSample, 44 ObjectAllocationSample, 194
 * ObjectAllocationInNewTLAB, 10 ObjectAllocationOutsideTLAB, 4
 * JavaMonitorEnter, 5 ThreadPark and 1 ThreadSleep; bytes and durations are
 * the sums over `jfr print --json`.
 */
static void jdk_17_has_the_sums_of_jfr(void **state)
{
	static const struct sum sums[] = {
		{"samples", 34},
		{"alloc_samples", 44},
		{"alloc_space", 53335408},
		{"in_new_tlab", 194},
		{"in_new_tlab_space", 23634904},
		{"outside_tlab", 10},
		{"outside_tlab_space", 16000160},
		{"contentions", 4},
		{"delay", 228012175},
		{"parks", 5},
		{"park_time", 190710480},
		{"sleeps", 1},
		{"sleep_time", 55336256},
	};
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "jfr/jdk-17.jfr.gz"), &pn_codec_jfr);
	has_sums(&p, sums, sizeof(sums) / sizeof(*sums));
	assert_string_equal(pn_profile_text(&p, p.default_type), "samples");
	assert_string_equal(pn_profile_text(&p, p.header.args), "Load");
	assert_int_equal(p.period, 20000000);
	assert_int_equal(p.time_ns / 1000000000, 1795402407);
	/* ten arrays of 200,000 longs and their heads */
	assert_int_equal(of_stack(&p, "outside_tlab_space",
				  "java.lang.Thread.run;Load$$Lambda$89.run;"
				  "Load.lambda$main$2;Load.big"),
			 10 * (200000 * 8 + 16));
	pn_profile_release(&p);
}

/* The same of JDK 25, which has 53 CPUTimeSample of 10 ms besides. */
static void jdk_25_has_the_sums_of_jfr(void **state)
{
	static const struct sum sums[] = {
		{"cpu_samples", 53},
		{"cpu", 530000000},
		{"samples", 49},
		{"alloc_samples", 32},
		{"alloc_space", 49548240},
		{"in_new_tlab", 107},
		{"in_new_tlab_space", 23203528},
		{"outside_tlab", 13},
		{"outside_tlab_space", 16032984},
		{"contentions", 6},
		{"delay", 304773351},
		{"parks", 5},
		{"park_time", 157990734},
		{"sleeps", 1},
		{"sleep_time", 50185170},
	};
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "jfr/jdk-25.jfr.gz"), &pn_codec_jfr);
	has_sums(&p, sums, sizeof(sums) / sizeof(*sums));
	assert_string_equal(pn_profile_text(&p, p.default_type), "cpu");
	pn_profile_release(&p);
}

/* Virtual threads that wait for a class whose initializer sleeps, 60150460 and
 * 59372880 ns, and 34 objects of 58976 bytes: `jfr print --json`. */
static void jdk_25_has_pins_and_old_objects(void **state)
{
	static const struct sum sums[] = {
		{"pinned_time", 119523340},
		{"pins", 2},
		{"old_objects", 34},
		{"old_space", 58976},
	};
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "jfr/jdk-25-pinned.jfr.gz"),
			 &pn_codec_jfr);
	has_sums(&p, sums, sizeof(sums) / sizeof(*sums));
	assert_int_equal(p.events.count, 36);
	pn_profile_release(&p);
}

/* The first JavaMonitorEnter that `jfr print` shows: at 02:53:27.641, 113 ms
 * in "locker-2", whose Java thread is 16, behind lines 9, 14 and 840; before
 * the last is a hidden frame, which --json has. */
static void keeps_times_threads_and_lines(void **state)
{
	const struct pn_event *e = NULL;
	const struct pn_location *l;
	struct pn_profile p;
	size_t i, type;

	(void)state;
	read_data(&p, "jfr/jdk-17.jfr.gz");
	type = type_of(&p, "contentions");
	for (i = 0; i < p.events.count; i++)
		if (p.events.items[i].type == type &&
		    (!e || p.events.items[i].time_ns < e->time_ns))
			e = &p.events.items[i];
	assert_non_null(e);
	assert_int_equal(e->time_ns / 1000000, 1795402407641);
	assert_int_equal((e->duration_ns + 500000) / 1000000, 113);
	assert_string_equal(
		pn_profile_text(&p, p.events.threads[e->thread].name),
		"locker-2");
	assert_string_equal(pn_profile_text(&p, p.events.threads[e->thread].id),
			    "16");
	for (i = 0; i < 4; i++) {
		static const int lines[] = {9, 14, 0, 840};

		l = &p.locations[p.frames[p.stack_start[e->stack] + i]];
		assert_int_equal(p.lines[l->line_first].line, lines[i]);
	}
	assert_int_equal(p.events.count, 34 + 44 + 194 + 10 + 4 + 5 + 1);
	pn_profile_release(&p);
}

/* One recording behind another is what `jfr assemble` makes of chunks. */
static void chunks_add_up(void **state)
{
	struct pn_buf bytes = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	data_bytes(&bytes, "jfr/jdk-17.jfr.gz");
	data_bytes(&bytes, "jfr/jdk-25.jfr.gz");
	if (read_bytes(&p, &pn_codec_jfr, bytes.data, bytes.len, &err))
		fail_msg("%s", err.message);
	assert_int_equal(sum_of(&p, type_of(&p, "samples")), 34 + 49);
	assert_int_equal(sum_of(&p, type_of(&p, "cpu")), 530000000);
	assert_int_equal(sum_of(&p, type_of(&p, "delay")),
			 228012175 + 304773351);
	pn_profile_release(&p);
	pn_buf_release(&bytes);
}

/* A chunk in the making: numbers below 128 are one byte each. */
struct chunk {
	struct pn_buf bytes;
	const char *words[64];
	size_t count;
};

static void put(struct chunk *c, unsigned int n)
{
	assert_true(n < 128);
	pn_buf_add_byte(&c->bytes, (unsigned char)n);
}

static void put_text(struct chunk *c, const char *text)
{
	put(c, 3);
	put(c, (unsigned int)strlen(text));
	pn_buf_add_text(&c->bytes, text);
}

static void put_fixed(struct pn_buf *out, size_t at, uint64_t value, size_t n)
{
	while (n--)
		out->data[at + n] = (unsigned char)value, value >>= 8;
}

/* A word of the metadata: its place in the table. */
static unsigned int word(struct chunk *c, const char *text)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		if (!strcmp(c->words[i], text))
			return (unsigned int)i;
	c->words[c->count] = text;
	return (unsigned int)c->count++;
}

/* An event of what was put since `from`: its size comes in front. */
static void close_event(struct chunk *c, size_t from)
{
	struct pn_buf body = {0};
	size_t n = c->bytes.len - from;

	pn_buf_add(&body, c->bytes.data + from, n);
	c->bytes.len = from;
	n += 2;
	pn_buf_add_byte(&c->bytes, (unsigned char)(0x80 | (n & 0x7f)));
	pn_buf_add_byte(&c->bytes, (unsigned char)(n >> 7));
	pn_buf_add(&c->bytes, body.data, body.len);
	pn_buf_release(&body);
}

/* An element "class" or "field" with so many elements inside. */
static void put_class(struct chunk *c, const char *name, const char *id,
		      unsigned int fields)
{
	put(c, word(c, "class"));
	put(c, 2);
	put(c, word(c, "name")), put(c, word(c, name));
	put(c, word(c, "id")), put(c, word(c, id));
	put(c, fields);
}

static void put_field(struct chunk *c, const char *name, const char *type,
		      const char *how)
{
	put(c, word(c, "field"));
	put(c, 2 + !!*how);
	put(c, word(c, "name")), put(c, word(c, name));
	put(c, word(c, "class")), put(c, word(c, type));
	if (*how)
		put(c, word(c, how)),
			put(c, word(c, *how == 'd' ? "1" : "true"));
	put(c, 0);
}

static void put_tree(struct chunk *c)
{
	put(c, word(c, "root")), put(c, 0), put(c, 1);
	put(c, word(c, "metadata")), put(c, 0), put(c, 10);
	put_class(c, "long", "4", 0);
	put_class(c, "boolean", "5", 0);
	put_class(c, "java.lang.String", "6", 0);
	put_class(c, "jdk.types.Symbol", "10", 1);
	put_field(c, "string", "6", "");
	put_class(c, "java.lang.Class", "11", 1);
	put_field(c, "name", "10", "constantPool");
	put_class(c, "jdk.types.Method", "12", 2);
	put_field(c, "type", "11", "constantPool");
	put_field(c, "name", "10", "constantPool");
	put_class(c, "jdk.types.StackFrame", "13", 2);
	put_field(c, "method", "12", "constantPool");
	put_field(c, "lineNumber", "4", "");
	put_class(c, "jdk.types.StackTrace", "14", 2);
	put_field(c, "truncated", "5", "");
	put_field(c, "frames", "13", "dimension");
	put_class(c, "profiler.WallClockSample", "20", 3);
	put_field(c, "startTime", "4", "");
	put_field(c, "stackTrace", "14", "constantPool");
	put_field(c, "samples", "4", "");
	put_class(c, "profiler.LiveObject", "21", 4);
	put_field(c, "startTime", "4", "");
	put_field(c, "stackTrace", "14", "constantPool");
	put_field(c, "objectClass", "11", "constantPool");
	put_field(c, "allocationSize", "4", "");
}

/* The table of words stands before the tree that needs it. */
static void put_metadata(struct chunk *c)
{
	size_t i, from = c->bytes.len;

	put_tree(c);
	c->bytes.len = from;
	for (i = 0; i < 4; i++) /* its type, when, how long, which one */
		put(c, 0);
	put(c, (unsigned int)c->count);
	for (i = 0; i < c->count; i++)
		put_text(c, c->words[i]);
	put_tree(c);
	close_event(c, from);
}

static void put_pool(struct chunk *c, unsigned int type, unsigned int count)
{
	put(c, type);
	put(c, count);
}

/* Stack 1 is [[I "a.B".f at line 7, called by "g" of no class. */
static void put_constants(struct chunk *c)
{
	size_t i, from = c->bytes.len;

	put(c, 1);
	for (i = 0; i < 3; i++) /* when, how long, where the next one is */
		put(c, 0);
	put(c, 0);
	put(c, 4);
	put_pool(c, 10, 4);
	put(c, 1), put_text(c, "a/B"), put(c, 2), put_text(c, "f");
	put(c, 3), put_text(c, "g"), put(c, 4), put_text(c, "[[I");
	put_pool(c, 11, 2);
	put(c, 1), put(c, 1), put(c, 2), put(c, 4);
	put_pool(c, 12, 2);
	put(c, 1), put(c, 1), put(c, 2), put(c, 2), put(c, 0), put(c, 3);
	put_pool(c, 14, 1);
	put(c, 1), put(c, 0), put(c, 2), put(c, 1), put(c, 7), put(c, 2),
		put(c, 0);
	close_event(c, from);
}

static void make_chunk(struct chunk *c)
{
	static const unsigned char events[] = {
		/* size, type, time in ticks, stack, ... */
		5, 20, 100, 1, 9,     /* 9 samples */
		5, 20, 101, 1, 2,     /* 2 more */
		6, 21, 102, 1, 2, 48, /* an int[][] of 48 bytes is alive */
	};

	memset(c, 0, sizeof(*c));
	pn_buf_add(&c->bytes, "FLR\0\0\2\0\1", 8);
	while (c->bytes.len < 68)
		pn_buf_add_byte(&c->bytes, 0);
	put_fixed(&c->bytes, 24, 68, 8);	 /* where the metadata is */
	put_fixed(&c->bytes, 32, 1000000000, 8); /* begins at, ns */
	put_fixed(&c->bytes, 48, 100, 8);	 /* the same, ticks */
	put_fixed(&c->bytes, 56, 1000, 8);	 /* ticks a second */
	c->bytes.data[67] = 1;			 /* numbers are compressed */
	put_metadata(c);
	pn_buf_add(&c->bytes, events, sizeof(events));
	put_constants(c);
	put_fixed(&c->bytes, 8, c->bytes.len, 8);
}

/* What async-profiler 4 writes by its jfrMetadata.cpp: a wall clock sample
 * stands for several, and objects are those that are still there. */
static void reads_events_of_async_profiler(void **state)
{
	static const struct sum sums[] = {
		{"wall", 11}, {"live_objects", 1}, {"live_space", 48}};
	struct pn_profile p;
	struct pn_error err;
	struct chunk c;

	(void)state;
	make_chunk(&c);
	if (read_bytes(&p, NULL, c.bytes.data, c.bytes.len, &err))
		fail_msg("%s", err.message);
	has_sums(&p, sums, 3);
	assert_int_equal(of_stack(&p, "wall", "g;a.B.f"), 11);
	assert_int_equal(p.sample_count, 2);
	assert_string_equal(pn_profile_text(&p, p.labels[0].value.s),
			    "int[][]");
	/* a tick is a millisecond */
	assert_int_equal(p.events.items[1].time_ns, 1001000000);
	assert_int_equal(p.types[type_of(&p, "live_space")].role,
			 PN_ROLE_GAUGE);
	pn_profile_release(&p);
	pn_buf_release(&c.bytes);
}

static void refuses(struct chunk *c, const char *message)
{
	char want[256];
	struct pn_profile p;
	struct pn_error err = {0};

	snprintf(want, sizeof(want), "cannot read 'x': %s", message);
	assert_int_not_equal(read_bytes(&p, &pn_codec_jfr, c->bytes.data,
					c->bytes.len, &err),
			     0);
	assert_string_equal(err.message, want);
	pn_profile_release(&p);
	pn_buf_release(&c->bytes);
	make_chunk(c);
}

static void refuses_what_is_no_recording(void **state)
{
	struct chunk c;

	(void)state;
	make_chunk(&c);
	c.bytes.data[5] = 1;
	refuses(&c, "version 1 of JFR, expected 2 (JDK 8u262, 11 and later)");
	c.bytes.len = 100;
	refuses(&c, "byte 0: a chunk of 743 bytes, the input has 100 left");
	put_fixed(&c.bytes, 8, 0, 8);
	refuses(&c, "byte 0: a chunk that is still written to: 'jcmd <pid> "
		    "JFR.dump' gives what was recorded so far");
	put_fixed(&c.bytes, 24, 9999, 8);
	refuses(&c, "byte 0: the metadata of the chunk is said to be at byte "
		    "9999 of 743");
	c.bytes.data[68] = 0;
	c.bytes.data[69] = 0;
	refuses(&c, "byte 68: the metadata of the chunk is cut or damaged");
	c.bytes.len = 4;
	refuses(&c, "byte 0: a chunk of 68 bytes, the input has 4 left");
	pn_buf_add_text(&c.bytes, "more");
	refuses(&c, "byte 743: a chunk of 68 bytes, the input has 4 left");
	pn_buf_release(&c.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jdk_17_has_the_sums_of_jfr),
		cmocka_unit_test(jdk_25_has_the_sums_of_jfr),
		cmocka_unit_test(jdk_25_has_pins_and_old_objects),
		cmocka_unit_test(keeps_times_threads_and_lines),
		cmocka_unit_test(chunks_add_up),
		cmocka_unit_test(reads_events_of_async_profiler),
		cmocka_unit_test(refuses_what_is_no_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
