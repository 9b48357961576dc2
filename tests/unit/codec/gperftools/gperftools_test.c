/*
 * The formats of gperftools and Go's text. Figures of real files are pprof's
 * (beside them, or what `go tool pprof -raw` of Go 1.19 prints of them).
 */
#include "codec/rows.h"
#include "shared.h"

/* A CPU profile, word by word. */
struct layout {
	unsigned int bytes;
	bool big;
};

static void add_word(struct pn_buf *out, struct layout layout, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < layout.bytes; i++) {
		unsigned int shift =
			8 * (layout.big ? layout.bytes - 1 - i : i);

		pn_buf_add_byte(out, (unsigned char)(value >> shift));
	}
}

static void add_words(struct pn_buf *out, struct layout layout,
		      const uint64_t *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		add_word(out, layout, words[i]);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static int read_bytes(struct pn_profile *out, const struct pn_codec *codec,
		      const void *bytes, size_t len, struct pn_error *err)
{
	const struct pn_codec *used = NULL;
	struct pn_reader *in = NULL;
	int code;

	pn_profile_init(out);
	code = pn_reader_memory(&in, bytes, len, "x", 0, err);
	if (!code)
		code = pn_codec_sniff(&used, in, err);
	if (!code)
		assert_ptr_equal(used, codec);
	if (!code)
		code = pn_codec_read(out, codec, NULL, in, err);
	pn_reader_free(in);
	return code;
}

static void read_text(struct pn_profile *out, const struct pn_codec *codec,
		      const char *text)
{
	struct pn_error err;

	if (read_bytes(out, codec, text, strlen(text), &err))
		fail_msg("%s", err.message);
}

static void refuses(const struct pn_codec *codec, const char *text,
		    const char *message)
{
	struct pn_profile p;
	struct pn_error err = {0};

	pn_profile_init(&p);
	assert_int_equal(
		pn_codec_read_memory(&p, codec, text, strlen(text), "x", &err),
		PN_EINVAL);
	assert_string_equal(err.message, message);
}

/* "values: leaf root [bytes]", addresses or names. */
static void is_sample(const struct pn_profile *p, size_t at,
		      const char *expected)
{
	uint32_t stack = p->samples[at].stack, set = p->samples[at].labels, f;
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < p->type_count; i++)
		pn_buf_printf(&text, "%s%lld", i ? " " : "",
			      (long long)p->values[at * p->type_count + i].i);
	pn_buf_add_byte(&text, ':');
	for (f = p->stack_start[stack]; f < p->stack_start[stack + 1]; f++) {
		const struct pn_location *l = &p->locations[p->frames[f]];

		pn_buf_printf(&text, " 0x%llx", (unsigned long long)l->address);
		for (i = 0; i < l->line_count; i++) {
			const struct pn_line *line =
				&p->lines[l->line_first + i];
			const struct pn_function *function =
				&p->functions[line->function];

			pn_buf_printf(&text, "=%s@%s:%d",
				      pn_profile_text(p, function->name),
				      pn_profile_text(p, function->file),
				      (int)line->line);
		}
	}
	for (f = p->label_set_start[set]; f < p->label_set_start[set + 1];
	     f++) {
		const struct pn_label *label = &p->labels[f];

		pn_buf_printf(&text, " %s=", pn_profile_text(p, label->key));
		if (label->kind == PN_LABEL_INT)
			pn_buf_printf(&text, "%lld", (long long)label->value.i);
		else
			pn_buf_add_text(&text,
					pn_profile_text(p, label->value.s));
	}
	assert_string_equal(pn_buf_text(&text), expected);
	pn_buf_release(&text);
}

static const uint64_t head[] = {0, 3, 0, 10000, 0};
static const uint64_t end[] = {0, 1, 0};

static void reads_words_of_any_size_and_order(void **state)
{
	static const struct layout layouts[] = {
		{4, false}, {4, true}, {8, false}, {8, true}};
	static const uint64_t records[] = {2, 3, 0x1100, 0x1201, 0x1301,
					   1, 2, 0x1104, 0x1311};
	static const char map[] =
		"build=x\n"
		"00001000-00002000 r-xp 00000000 08:01 12  /bin/prog\n"
		"00002000-00003000 rw-p 00001000 08:01 12  /bin/prog\n";
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(layouts); i++) {
		struct pn_buf bytes = {0};
		struct pn_profile p;
		struct pn_error err;

		add_words(&bytes, layouts[i], head, COUNT(head));
		add_words(&bytes, layouts[i], records, COUNT(records));
		add_words(&bytes, layouts[i], end, COUNT(end));
		pn_buf_add_text(&bytes, map);
		if (read_bytes(&p, &pn_codec_gperftools_cpu, bytes.data,
			       bytes.len, &err))
			fail_msg("%s", err.message);
		assert_int_equal(p.sample_count, 2);
		is_sample(&p, 0, "2 20000000: 0x1100 0x1200 0x1300");
		is_sample(&p, 1, "1 10000000: 0x1104 0x1310");
		assert_int_equal(p.period, 10000000);
		assert_int_equal(p.mapping_count, 1);
		assert_int_equal(p.locations[0].mapping, 0);
		pn_profile_release(&p);
		pn_buf_release(&bytes);
	}
}

/* 33 stacks may differ in one: the frame above the leaf is the handler's.
 * The leaf that stands there twice is once its address and once, one less,
 * where a call would return to. */
static void takes_off_what_the_handler_left(void **state)
{
	struct layout layout = {8, false};
	struct pn_buf bytes = {0};
	struct pn_profile p;
	struct pn_error err;
	uint64_t i;

	(void)state;
	add_words(&bytes, layout, head, COUNT(head));
	for (i = 0; i < 33; i++) {
		uint64_t other = i == 7 ? 0x9001 : 0x5001;
		uint64_t record[] = {1,	    4,	       0x100 + i,
				     other, 0x100 + i, 0x2001 + i};

		add_words(&bytes, layout, record, COUNT(record));
	}
	add_words(&bytes, layout, end, COUNT(end));
	if (read_bytes(&p, &pn_codec_gperftools_cpu, bytes.data, bytes.len,
		       &err))
		fail_msg("%s", err.message);
	is_sample(&p, 0, "1 10000000: 0x100 0x2000");
	is_sample(&p, 7, "1 10000000: 0x107 0x9000 0x106 0x2007");
	is_sample(&p, 32, "1 10000000: 0x120 0x2020");
	pn_profile_release(&p);
	pn_buf_release(&bytes);
}

/* Records may have no frames: then no address stands in the whole file. */
static void reads_records_without_frames(void **state)
{
	static const uint64_t records[] = {2, 0, 3, 0};
	struct layout layout = {8, false};
	struct pn_buf bytes = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	add_words(&bytes, layout, head, COUNT(head));
	add_words(&bytes, layout, records, COUNT(records));
	if (read_bytes(&p, &pn_codec_gperftools_cpu, bytes.data, bytes.len,
		       &err))
		fail_msg("%s", err.message);
	assert_int_equal(p.sample_count, 1);
	is_sample(&p, 0, "5 50000000:");
	pn_profile_release(&p);
	pn_buf_release(&bytes);
}

static void refuse_words(const uint64_t *words, size_t count, size_t cut,
			 const char *message)
{
	struct layout layout = {8, true};
	struct pn_buf bytes = {0};
	struct pn_profile p;
	struct pn_error err = {0};

	add_words(&bytes, layout, head, COUNT(head));
	add_words(&bytes, layout, words, count);
	pn_profile_init(&p);
	assert_int_equal(pn_codec_read_memory(&p, &pn_codec_gperftools_cpu,
					      bytes.data, bytes.len - cut, "x",
					      &err),
			 PN_EINVAL);
	assert_string_equal(err.message, message);
	pn_buf_release(&bytes);
}

static void names_the_byte_that_is_wrong(void **state)
{
	static const uint64_t cut[] = {1, 2, 0x1100, 0x1200};
	static const uint64_t deep[] = {1, 1 << 21, 0};
	static const uint64_t many[] = {UINT64_C(1) << 62, 1, 5};

	(void)state;
	refuse_words(cut, 4, 4,
		     "cannot read 'x': byte 40: the file ends within a record");
	refuse_words(cut, 1, 0,
		     "cannot read 'x': byte 40: the file ends within a record");
	refuse_words(deep, 3, 0,
		     "cannot read 'x': byte 40: a stack of more than 1048576 "
		     "frames");
	refuse_words(many, 3, 0,
		     "cannot read 'x': byte 40: a count beyond 2^63 ns");
	refuses(&pn_codec_gperftools_cpu, "hello",
		"cannot read 'x': byte 0: expected the words 0, 3, 0 (1: "
		"Java), a "
		"period, 0");
}

/* exp(-1) = 0.3678794: a block of the size of the rate is seen in 63.212 of
 * 100 cases, so 2 are 3.16 and 1024 bytes are 1619.98. */
static void scales_what_was_sampled(void **state)
{
	struct pn_profile p;

	(void)state;
	read_text(&p, &pn_codec_gperftools_heap,
		  "heap profile:   2:   1024 [   3:   1536 ] @ heap_v2/512\n"
		  "   2:   1024 [   3:   1536] @ 0x101 0x201\n"
		  "   0:      0 [   0:      0] @ 0x301\n");
	assert_int_equal(p.type_count, 4);
	assert_int_equal(p.period, 512);
	is_sample(&p, 0, "4 2429 3 1619: 0x100 0x200 bytes=512");
	is_sample(&p, 1, "0 0 0 0: 0x300 bytes=0");
	pn_profile_release(&p);
	read_text(&p, &pn_codec_gperftools_heap,
		  "heap profile: 2: 1024 [2: 1024] @ heap/1024\n"
		  "2: 1024 [2: 1024] @ 0x101 0x201\n");
	assert_int_equal(p.type_count, 2);
	assert_int_equal(p.period, 512);
	is_sample(&p, 0, "3 1619: 0x100 0x200 bytes=512");
	pn_profile_release(&p);
}

/* The threads of a stack of pprof's profile/testdata/jemalloc.heap, and what
 * its jemalloc.heap.string has for each, scaled for itself. The second stack
 * has no thread, the third one is the last: pprof has neither. 4096 bytes of
 * 4096 (a rate of 1) would be 1 object; of 1048576 they are 1 / (1 -
 * exp(-1/256)) = 256.5. */
#define JEMALLOC                                                               \
	"heap_v2/1048576\n"                                                    \
	"  t*: 48: 3145752 [0: 0]\n"                                           \
	"  t1: 20: 1311120 [0: 0] a name\n"                                    \
	"@ 0x101 0x201\n"                                                      \
	"  t*: 46: 3015576 [0: 0]\n"                                           \
	"  t1: 20: 1311120 [0: 0]\n"                                           \
	"  t10: 1: 65556 [0: 0]\n"                                             \
	"  t71: 0: 0 [0: 0]\n"                                                 \
	"  t100: 18: 1180008 [0: 0]\n"                                         \
	"  t103: 6: 393336 [0: 0]\n"                                           \
	"@ 0x101\n"                                                            \
	"  t*: 1: 4096 [0: 0]\n"                                               \
	"@\n"                                                                  \
	"  t*: 1: 65556 [0: 0]\n"                                              \
	"  t10: 1: 65556 [0: 0]\n"

static void jemalloc_has_a_sample_a_thread(void **state)
{
	struct pn_profile p;

	(void)state;
	read_text(&p, &pn_codec_jemalloc,
		  JEMALLOC
		  "\nMAPPED_LIBRARIES:\n"
		  "00000000-00000180 r-xp 00000000 08:01 9 /bin/prog\n");
	assert_int_equal(p.type_count, 2);
	assert_int_equal(p.period, 1048576);
	assert_int_equal(p.sample_count, 7);
	is_sample(&p, 0, "330 21633910: 0x100 0x200 bytes=65556 thread=1");
	is_sample(&p, 1, "16 1081695: 0x100 0x200 bytes=65556 thread=10");
	is_sample(&p, 2, "0 0: 0x100 0x200 bytes=0 thread=71");
	is_sample(&p, 3, "297 19470519: 0x100 0x200 bytes=65556 thread=100");
	is_sample(&p, 4, "99 6490173: 0x100 0x200 bytes=65556 thread=103");
	is_sample(&p, 5, "256 1050625: 0x100 bytes=4096");
	is_sample(&p, 6, "16 1081695: bytes=65556 thread=10");
	assert_int_equal(p.mapping_count, 1);
	assert_int_equal(p.locations[0].mapping, 0);
	assert_int_equal(p.locations[1].mapping, PN_NONE);
	pn_profile_release(&p);
	/* The rate of pprof's files scales; one of 1 does not. */
	read_text(&p, &pn_codec_jemalloc,
		  "heap_v2/1\nt*: 2: 24 [3: 36]\n@ 0x101\nt*: 2: 24 [3: 36]\n"
		  "t7: 1: 16 [2: 28]\nt7: 1: 8 [1: 8]\n");
	assert_int_equal(p.sample_count, 2);
	is_sample(&p, 0, "2 28 1 16: 0x100 bytes=16 thread=7");
	is_sample(&p, 1, "1 8 1 8: 0x100 bytes=8 thread=7");
	pn_profile_release(&p);
}

static void jemalloc_names_the_line_that_is_wrong(void **state)
{
	static const char shape[] = "cannot read 'x': line 16: expected "
				    "'t<thread>: n: bytes [n: bytes]'";

	(void)state;
	refuses(&pn_codec_jemalloc, JEMALLOC "t: 1: 2 [0: 0]\n", shape);
	refuses(&pn_codec_jemalloc, JEMALLOC "tx: 1: 2 [0: 0]\n", shape);
	refuses(&pn_codec_jemalloc, JEMALLOC "t1: 1: 2 [0: 0\n", shape);
	refuses(&pn_codec_jemalloc, JEMALLOC "t1: 1: 2 [0: 0]x\n", shape);
	refuses(&pn_codec_jemalloc, JEMALLOC "t1: 1 2 [0: 0]\n", shape);
	refuses(&pn_codec_jemalloc,
		JEMALLOC "t1: 9223372036854775808: 2 [0: 0]\n", shape);
	refuses(&pn_codec_jemalloc,
		JEMALLOC "t000000000000000000001: 1: 2 [0: 0]\n", shape);
	refuses(&pn_codec_jemalloc, JEMALLOC "t1: 0: 2 [0: 0]\n",
		"cannot read 'x': line 16: bytes of 0 allocations");
	refuses(&pn_codec_jemalloc, JEMALLOC "@ 0x1 two\n",
		"cannot read 'x': line 16: expected addresses '0x...' behind "
		"the '@'");
	refuses(&pn_codec_jemalloc, "heap_v2/\nt*: 1: 1 [0: 0]\n",
		"cannot read 'x': expected 'heap_v2/<rate>' in the first line");
	refuses(&pn_codec_jemalloc, "heap_v2/1\n",
		"cannot read 'x': expected a line 't*: n: bytes [n: bytes]'");
}

static void keeps_what_is_exact(void **state)
{
	struct pn_profile p;

	(void)state;
	read_text(&p, &pn_codec_gperftools_heap,
		  "heap profile: 2: 1024 [2: 1024] @ growthz\n"
		  "2: 1024 [2: 1024] @ 0x1101 0x2201\n\n"
		  "MAPPED_LIBRARIES:\n"
		  "00002000-00003000 r-xp 00001000 08:01 7 /lib/libc.so.6\n"
		  "00001000-00001800 r-xp 00000000 08:01 9 /bin/prog\n"
		  "00001800-00002000 r-xp 00000800 08:01 9 /bin/prog\n");
	is_sample(&p, 0, "2 1024: 0x1100 0x2200 bytes=512");
	assert_int_equal(p.mapping_count, 2);
	assert_string_equal(pn_profile_text(&p, p.mappings[0].file),
			    "/bin/prog");
	assert_int_equal(p.mappings[0].limit, 0x2000);
	assert_int_equal(p.locations[0].mapping, 0);
	assert_int_equal(p.locations[1].mapping, 1);
	pn_profile_release(&p);
}

/* An address that stands twice in the stack and twice below it is recursion;
 * once and twice is inlining. */
static void takes_the_names_that_go_prints(void **state)
{
	struct pn_profile p;

	(void)state;
	read_text(&p, &pn_codec_gperftools_heap,
		  "heap profile: 1: 8 [1: 8] @ heap/2\n"
		  "1: 8 [1: 8] @ 0x11 0x21 0x31 0x31 0x91\n"
		  "#\t0x20\tmain.g+0x10\t/x/a.go:7\n"
		  "#\t0x20\tmain.f+0x20\t/x/a.go:9\n"
		  "#\t0x30\tmain.rec+0x1\t/x/b.go:3\n"
		  "#\t0x30\tmain.rec+0x1\t/x/b.go:3\n"
		  "\n# runtime.MemStats\n# Alloc = 22197512\n");
	is_sample(&p, 0,
		  "1 8: 0x20=main.g@/x/a.go:7=main.f@/x/a.go:9 "
		  "0x30=main.rec@/x/b.go:3 0x30=main.rec@/x/b.go:3 bytes=8");
	pn_profile_release(&p);
}

/* 1170760994 cycles * 5 / 2.596124595 per ns, as pprof's own arithmetic. */
static void reads_locks_and_goroutines(void **state)
{
	struct pn_profile p;

	(void)state;
	read_text(&p, &pn_codec_go_text,
		  "--- mutex:\ncycles/second=2596124595\nsampling period=5\n"
		  "1170760994 18 @ 0x4fcc74 0x464081\n");
	is_sample(&p, 0, "90 2254824356: 0x4fcc73 0x464080");
	assert_string_equal(pn_profile_text(&p, p.types[1].type), "delay");
	pn_profile_release(&p);
	read_text(&p, &pn_codec_go_text,
		  "goroutine profile: total 3\n"
		  "2 @ 0x101 0x201\n# labels: {\"kind\":\"json\"}\n"
		  "#\t0x200\tmain.run+0x1\t/x/a.go:1\n\n1 @\n");
	is_sample(&p, 0, "2: 0x200=main.run@/x/a.go:1 kind=json");
	is_sample(&p, 1, "1:");
	assert_string_equal(pn_profile_text(&p, p.types[0].type), "goroutine");
	pn_profile_release(&p);
}

static void names_the_line_that_is_wrong(void **state)
{
	(void)state;
	refuses(&pn_codec_gperftools_heap, "heap profile: 1\n",
		"cannot read 'x': line 1: expected 'heap profile: n: bytes "
		"[n: bytes] @ kind', where kind is heap_v2/N, heap/N, "
		"heapprofile or growthz");
	refuses(&pn_codec_gperftools_heap,
		"heap profile: 1: 8 [1: 8] @ growthz\n0: 8 [0: 0] @ 0x1\n",
		"cannot read 'x': line 2: bytes of 0 allocations");
	refuses(&pn_codec_gperftools_heap,
		"heap profile: 1: 8 [1: 8] @ growthz\n1: 8 [1: 8] @ 0x1 y\n",
		"cannot read 'x': line 2: expected addresses '0x...' behind "
		"the '@'");
	refuses(&pn_codec_gperftools_heap,
		"heap profile: 1: 8 [1: 8] @ growthz\nhello\n",
		"cannot read 'x': line 2: expected 'values @ addresses'");
	refuses(&pn_codec_go_text, "--- mutex:\ncycles/second=x\n",
		"cannot read 'x': line 2: expected a number of 0 or more "
		"behind '='");
	refuses(&pn_codec_go_text, "--- mutex:\n5 @ 0x1\n",
		"cannot read 'x': line 2: expected 'cycles count @ "
		"addresses'");
	refuses(&pn_codec_go_text, "goroutine profile: total 1\nx @ 0x1\n",
		"cannot read 'x': line 2: expected 'count @ addresses'");
	refuses(&pn_codec_go_text,
		"goroutine profile: total 1\n1 @ 0x1\n# labels: {\"a\":1}\n",
		"cannot read 'x': line 3: expected labels as a JSON object of "
		"strings");
}

/* "     2: 0x562fb1f9b1ac M=1": by number. */
static uint64_t address_in(const char *raw, unsigned int number)
{
	const char *at = strstr(raw, "\nLocations\n");
	char begin[32];

	snprintf(begin, sizeof(begin), "\n%6u: ", number);
	at = at ? strstr(at, begin) : NULL;
	if (!at)
		fail_msg("no location %u", number);
	return strtoull(at + strlen(begin), NULL, 16);
}

/* Every line of "Samples:" that pprof prints of the file. */
static void check_raw(const char *name, const char *raw_name, size_t samples)
{
	const char *source = shared(raw_name), *at;
	struct pn_reader *in = NULL;
	struct pn_buf raw = {0};
	struct pn_profile p;
	struct pn_error err;
	char *next;
	size_t i;

	if (pn_reader_open(&in, source, 0, &err) ||
	    pn_reader_rest(&raw, in, 1 << 20, &err))
		fail_msg("%s", err.message);
	pn_reader_free(in);
	read_profile(&p, NULL, shared(name));
	assert_int_equal(p.sample_count, samples);
	at = strstr(pn_buf_text(&raw), "samples/count cpu/nanoseconds\n");
	at = strchr(at, '\n') + 1;
	for (i = 0; i < samples; i++, at = strchr(at, '\n') + 1) {
		struct pn_buf want = {0};

		pn_buf_printf(&want, "%lld", strtoll(at, &next, 10));
		pn_buf_printf(&want, " %lld:", strtoll(next, &next, 10));
		for (next++; *next == ' ' && next[1] != '\n';)
			pn_buf_printf(&want, " 0x%llx",
				      (unsigned long long)address_in(
					      pn_buf_text(&raw),
					      (unsigned int)strtoul(next, &next,
								    10)));
		is_sample(&p, i, pn_buf_text(&want));
		pn_buf_release(&want);
	}
	assert_non_null(strstr(at - 1, "\nLocations\n"));
	pn_profile_release(&p);
	pn_buf_release(&raw);
}

static void agrees_with_pprof_on_cpu_time(void **state)
{
	(void)state;
	check_raw("gperftools/wordfreq.prof",
		  "gperftools/wordfreq.prof.raw.txt", 31);
	check_raw("gperftools/gzip.prof", "gperftools/gzip.prof.raw.txt", 28);
}

/* Sums of what `go tool pprof -raw` prints, and a line of it. */
static void agrees_with_pprof_on_the_heap(void **state)
{
	int64_t sums[4] = {0};
	struct pn_profile p;
	size_t i;

	(void)state;
	read_profile(&p, NULL, shared("go/heap.legacy.txt.gz"));
	for (i = 0; i < p.sample_count * 4; i++)
		sums[i % 4] += p.values[i].i;
	assert_int_equal(p.period, 65536);
	assert_int_equal(sums[0], 13176969);
	assert_int_equal(sums[1], 1129836370);
	assert_int_equal(sums[2], 112993);
	assert_int_equal(sums[3], 13232435);
	pn_profile_release(&p);
	read_profile(&p, NULL, shared("go/mutex.legacy.txt"));
	is_sample(&p, 0,
		  "90 2254824356: "
		  "0x4fcc73=sync.(*Mutex).Unlock@/usr/lib/go-1.19/src/sync/"
		  "mutex.go:223 0x4fcc4d=main.contend@/home/user/project/go/"
		  "main.go:83 0x4fd7b8=main.main.func2@/home/user/project/go/"
		  "main.go:108");
	pn_profile_release(&p);
	read_profile(&p, NULL, shared("go/goroutine.legacy.txt"));
	assert_int_equal(p.sample_count, 1);
	assert_int_equal(p.values[0].i, 1);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_words_of_any_size_and_order),
		cmocka_unit_test(takes_off_what_the_handler_left),
		cmocka_unit_test(reads_records_without_frames),
		cmocka_unit_test(names_the_byte_that_is_wrong),
		cmocka_unit_test(scales_what_was_sampled),
		cmocka_unit_test(jemalloc_has_a_sample_a_thread),
		cmocka_unit_test(jemalloc_names_the_line_that_is_wrong),
		cmocka_unit_test(keeps_what_is_exact),
		cmocka_unit_test(takes_the_names_that_go_prints),
		cmocka_unit_test(reads_locks_and_goroutines),
		cmocka_unit_test(names_the_line_that_is_wrong),
		cmocka_unit_test(agrees_with_pprof_on_cpu_time),
		cmocka_unit_test(agrees_with_pprof_on_the_heap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
