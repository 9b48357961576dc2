/*
 * heaptrack: figures of stacks, zstd around the text, and what heaptrack_print
 * says of real files.
 */
#include "codec/codec_text.h"
#include "codec/rows.h"
#include "shared.h"

enum column { ALLOCATIONS, TEMPORARY, LEAKS, LEAKED, PEAK, COLUMNS };

/* "leaf caller: values" of every sample. */
static void is_samples(const struct pn_profile *p, const char *expected)
{
	struct pn_buf text = {0};
	uint32_t stack, f;
	size_t i, j;

	for (i = 0; i < p->sample_count; i++) {
		stack = p->samples[i].stack;
		for (f = p->stack_start[stack]; f < p->stack_start[stack + 1];
		     f++) {
			const struct pn_location *l =
				&p->locations[p->frames[f]];

			for (j = 0; j < l->line_count; j++) {
				const struct pn_line *line =
					&p->lines[l->line_first + j];

				pn_buf_printf(
					&text, "%s%s:%d", j ? "<" : " ",
					pn_profile_text(
						p, p->functions[line->function]
							   .name),
					(int)line->line);
			}
			if (!j)
				pn_buf_printf(&text, " 0x%x",
					      (unsigned int)l->address);
		}
		pn_buf_add_text(&text, " =");
		for (j = 0; j < COLUMNS; j++)
			pn_buf_printf(&text, " %lld",
				      (long long)p->values[i * COLUMNS + j].i);
		pn_buf_add_byte(&text, '\n');
	}
	assert_string_equal(pn_buf_text(&text), expected);
	pn_buf_release(&text);
}

#define HEAD                                                                   \
	"v 10400 3\nX ./prog -n 3\nI 1000 100\n"                               \
	"s 4 prog\ns 4 main\ns 3 a.c\ns 1 f\ns 1 g\n"                          \
	"s 1b operator new(unsigned long)\n"                                   \
	"i 10 1 2 3 a\nt 1 0\n"                                                \
	"i 20 1 4 3 14 5 3 1e\nt 2 1\n"                                        \
	"i 30 1 6 0 0\nt 3 2\n"                                                \
	"i 40 1\nt 4 1\n"

/*
 * f (inlined into g, called by main) allocates 16 bytes directly and 16 by
 * operator new; the place without a name allocates 100, then 8 that it frees
 * at once. Held: 16, 32, 132, 140 (the peak), 132, 116. The allocation 0 that
 * is freed after that is temporary too, as heaptrack counts.
 */
#define BODY "a 10 2\na 10 3\na 64 4\na 8 4\n+ 0\n+ 1\n+ 2\n+ 3\n- 3\n- 0\n"

static void is_small(const struct pn_profile *p)
{
	is_samples(p, " f:20<g:30 main:10 = 2 1 1 16 32\n"
		      " 0x40 main:10 = 2 1 1 100 108\n");
	assert_string_equal(pn_profile_text(p, p->header.cmd), "./prog");
	assert_string_equal(pn_profile_text(p, p->header.args), "-n 3");
	assert_string_equal(pn_profile_text(p, p->mappings[0].file), "prog");
}

/* The most of each interval, as heaptrack's own chart: 32, then 140, and 116
 * at the end; pages have 4096 bytes. */
static void draws_what_was_held_and_resident(void **state)
{
	struct pn_profile p;
	struct pn_error err;
	const struct pn_point *points;

	(void)state;
	assert_int_equal(read_text(&p, &pn_codec_heaptrack,
				   HEAD "a 10 2\na 10 3\na 64 4\na 8 4\n"
					"+ 0\n+ 1\nc a\nR 2\n+ 2\n+ 3\n- 3\n"
					"- 0\nc 14\nR 3\n+ 0\n",
				   &err),
			 0);
	assert_int_equal(p.curves.count, 2);
	points = p.curves.points;
	assert_string_equal(pn_profile_text(&p, p.curves.items[0].name),
			    "heap");
	assert_int_equal(p.curves.items[0].count, 3);
	assert_true(points[0].position == 10 && points[0].value == 32);
	assert_true(points[1].position == 20 && points[1].value == 140);
	assert_true(points[2].position == 20 && points[2].value == 132);
	assert_string_equal(pn_profile_text(&p, p.curves.items[1].name), "rss");
	assert_true(points[3].position == 10 && points[3].value == 2 * 4096);
	assert_true(points[4].position == 20 && points[4].value == 3 * 4096);
	pn_profile_release(&p);
}

/* 10,000 times are five to a point of 2048, which begin as one, two, four:
 * eight then; the peak at the time 7777 stays. */
static void keeps_the_peak_of_a_long_curve(void **state)
{
	struct pn_profile p;
	struct pn_error err;
	struct pn_buf text = {0};
	double most = 0;
	size_t i;

	(void)state;
	pn_buf_add_text(&text, HEAD "a 10 2\na 1000 2\n+ 0\n");
	for (i = 1; i <= 10000; i++) {
		if (i == 7777)
			pn_buf_add_text(&text, "+ 1\n- 1\n");
		pn_buf_printf(&text, "c %zx\n", i * 10);
	}
	assert_int_equal(
		read_text(&p, &pn_codec_heaptrack, pn_buf_text(&text), &err),
		0);
	assert_int_equal(p.curves.items[0].count, 10000 / 8);
	for (i = 0; i < p.curves.point_count; i++)
		if (p.curves.points[i].value > most)
			most = p.curves.points[i].value;
	assert_true(most == 16 + 4096);
	assert_true(p.curves.points[p.curves.point_count - 1].position ==
		    100000);
	pn_buf_release(&text);
	pn_profile_release(&p);
}

static void knows_what_was_held_at_the_peak(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	if (read_text(&p, &pn_codec_heaptrack, HEAD BODY "c 1f4\nR 20\nR 10\n",
		      &err))
		fail_msg("%s", err.message);
	is_small(&p);
	assert_int_equal(p.metric_count, 6);
	assert_string_equal(pn_profile_text(&p, p.metrics[0].name), "peak");
	assert_true(p.metrics[0].values[0] == 140);
	assert_string_equal(pn_profile_text(&p, p.metrics[5].name), "peak-rss");
	assert_true(p.metrics[5].values[0] == 0x20 * 0x1000);
	assert_int_equal(p.duration_ns, 500000000);
	pn_profile_release(&p);
}

static void has_program(const char *command, const char *expected)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	struct pn_error err;

	pn_buf_printf(&text,
		      "v 10400 1\nX %s\ns ld.so.2\ns /bin/dash\n"
		      "s /x/prog\ns f\ni 1 1 4\nt 1 0\ni 2 2 4\nt 2 1\n"
		      "i 3 3 4\nt 3 2\na 5 3\n+ 0\n",
		      command);
	if (read_text(&p, &pn_codec_heaptrack, pn_buf_text(&text), &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_profile_text(&p, p.mappings[0].file), expected);
	assert_int_equal(p.mapping_count, 3);
	assert_int_equal(p.location_count, 3);
	/* the loader's is the second one now */
	assert_int_equal(p.locations[0].address, 1);
	assert_int_equal(p.locations[0].mapping, 1);
	pn_profile_release(&p);
	pn_buf_release(&text);
}

/* The loader is what heaptrack meets first. */
static void puts_the_program_first(void **state)
{
	(void)state;
	has_program("../prog -x /bin/dash", "/x/prog");
	/* a link to a file with another name: what is no library */
	has_program("sh", "/bin/dash");
}

/* Before version 3 a string does not say how long it is. */
static void reads_older_versions(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	if (read_text(&p, &pn_codec_heaptrack,
		      "v 10200\nX p\ns /bin/a b\ns main\ni 10 1 2 0 5\nt 1 0\n"
		      "a 5 1\n+ 0\n",
		      &err))
		fail_msg("%s", err.message);
	is_samples(&p, " main:5 = 1 0 1 5 5\n");
	assert_string_equal(pn_profile_text(&p, p.mappings[0].file),
			    "/bin/a b");
	pn_profile_release(&p);
}

static int read_zstd(struct pn_profile *out, const struct pn_codec **used,
		     const void *bytes, size_t len, struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code;

	pn_profile_init(out);
	code = pn_reader_memory(&in, bytes, len, "x", 0, err);
	if (!code)
		code = pn_codec_read(out, NULL, used, in, err);
	pn_reader_free(in);
	return code;
}

/* A frame begins with what it is and a window of 2 MB; blocks follow, which
 * are kept as they are, or are one byte as often as it says. RFC 8878, 3.1. */
enum block { RAW, RLE };

static void begin_frame(struct pn_buf *out)
{
	pn_buf_add(out, "\x28\xb5\x2f\xfd\x00\x58", 6);
}

static void add_block(struct pn_buf *out, bool last, enum block kind,
		      const char *bytes, size_t size)
{
	size_t head = size << 3 | (size_t)kind << 1 | last;

	pn_buf_add_byte(out, (unsigned char)head);
	pn_buf_add_byte(out, (unsigned char)(head >> 8));
	pn_buf_add_byte(out, (unsigned char)(head >> 16));
	pn_buf_add(out, bytes, kind == RLE ? 1 : size);
}

/* Several frames one after the other are one text. */
static void expands_zstd(void **state)
{
	static const char text[] = HEAD BODY;
	const struct pn_codec *used = NULL;
	size_t half = sizeof(text) / 2;
	struct pn_buf packed = {0};
	struct pn_profile p;
	struct pn_error err = {0};

	(void)state;
	begin_frame(&packed);
	add_block(&packed, true, RAW, text, half);
	begin_frame(&packed);
	add_block(&packed, true, RAW, text + half, sizeof(text) - 1 - half);
	if (read_zstd(&p, &used, packed.data, packed.len, &err))
		fail_msg("%s", err.message);
	assert_ptr_equal(used, &pn_codec_heaptrack);
	is_small(&p);
	pn_profile_release(&p);
	assert_int_equal(read_zstd(&p, NULL, packed.data, packed.len - 3, &err),
			 PN_EINVAL);
	assert_non_null(
		strstr(err.message, "corrupt zstd data: it is cut short"));
	pn_buf_release(&packed);
}

/* 32 MB of empty lines in a kilobyte: too good to be a profile. */
static void bounds_what_zstd_becomes(void **state)
{
	struct pn_buf packed = {0};
	struct pn_profile p;
	struct pn_error err = {0};
	size_t i;

	(void)state;
	begin_frame(&packed);
	add_block(&packed, false, RAW, HEAD, sizeof(HEAD) - 1);
	for (i = 0; i < 256; i++)
		add_block(&packed, i == 255, RLE, "\n", 128 << 10);
	assert_int_equal(read_zstd(&p, NULL, packed.data, packed.len, &err),
			 PN_ELIMIT);
	assert_non_null(strstr(err.message,
			       "zstd data of more than 1100 times its size"));
	pn_buf_release(&packed);
}

static void refuses(const char *text, const char *message)
{
	struct pn_profile p;
	struct pn_error err = {0};

	assert_int_equal(read_text(&p, &pn_codec_heaptrack, text, &err),
			 PN_EINVAL);
	assert_string_equal(err.message, message);
}

static void names_the_line_that_is_wrong(void **state)
{
	(void)state;
	refuses("hello\n", "cannot read 'x': line 1: expected heaptrack's "
			   "'v <version> <format>'");
	refuses("v 10400 4\n",
		"cannot read 'x': line 1: this version of heaptrack's format "
		"is not known, expected 1 to 3");
	refuses("v 10400 3\nx prog\n",
		"cannot read 'x': line 2: this is raw data of heaptrack: give "
		"the output of 'heaptrack_interpret'");
	refuses("v 10400 3\ns 5 main\n",
		"cannot read 'x': line 2: expected 's <length> <text>' and a "
		"text as long as that");
	refuses("v 10400 3\ni 10 1\n",
		"cannot read 'x': line 2: expected 'i <address> <module> "
		"[<function> <file> <line>]...' with strings from before");
	refuses("v 10400 3\nt 1 0\n",
		"cannot read 'x': line 2: expected 't <place> <parent>', both "
		"from before");
	refuses("v 10400 3\na 10 1\n",
		"cannot read 'x': line 2: expected 'a <bytes> <trace>' with a "
		"trace from before");
	refuses("v 10400 3\n+ 0\n",
		"cannot read 'x': line 2: expected '+' or '-' and an "
		"allocation from before");
	refuses("v 10400 3\nq\n",
		"cannot read 'x': line 2: expected a line of heaptrack: one "
		"of v X I s i t a + - c R and numbers");
}

/* Stacks of operator new alone, each one deeper: what is passed on the way to
 * who asked is as much work as what is kept. */
static void bounds_what_it_walks(void **state)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	struct pn_error err = {0};
	unsigned int i;

	(void)state;
	pn_buf_add_text(&text, "v 10400 3\nX p\n"
			       "s 1b operator new(unsigned long)\n"
			       "i 10 1 1 0 0\n");
	for (i = 0; i < 100000; i++)
		pn_buf_printf(&text, "t 1 %x\na 1 %x\n+ %x\n", i, i + 1, i);
	assert_int_equal(
		read_text(&p, &pn_codec_heaptrack, pn_buf_text(&text), &err),
		PN_ELIMIT);
	assert_string_equal(err.message, "cannot read 'x': stacks of more "
					 "than 16777216 frames together");
	pn_buf_release(&text);
}

/* Calls and temporary ones as heaptrack_print's summary has them, peak and
 * leaks as the sums of what its --print-flamegraph writes. */
static void agrees_with_heaptrack_print(void **state)
{
	struct pn_profile p;
	double leaked;

	(void)state;
	read_profile(&p, NULL, shared("heaptrack/wordfreq.zst"));
	assert_true(pn_profile_metric(&p, "allocations")->values[0] == 2054);
	assert_true(pn_profile_metric(&p, "temporary")->values[0] == 2);
	assert_true(pn_profile_metric(&p, "peak")->values[0] == 603912);
	assert_true(pn_profile_metric(&p, "leaked")->values[0] == 502512);
	pn_profile_release(&p);
	read_profile(&p, NULL, shared("heaptrack/sqlite3.zst"));
	assert_true(pn_profile_metric(&p, "allocations")->values[0] == 40646);
	assert_true(pn_profile_metric(&p, "temporary")->values[0] == 15);
	assert_true(pn_profile_metric(&p, "peak")->values[0] == 605031);
	/* and what its rules leave out, printed as 3.25K */
	leaked = pn_profile_metric(&p, "leaked")->values[0] - 5688;
	assert_true(leaked >= 3245 && leaked < 3255);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_what_was_held_and_resident),
		cmocka_unit_test(keeps_the_peak_of_a_long_curve),
		cmocka_unit_test(knows_what_was_held_at_the_peak),
		cmocka_unit_test(puts_the_program_first),
		cmocka_unit_test(reads_older_versions),
		cmocka_unit_test(expands_zstd),
		cmocka_unit_test(bounds_what_zstd_becomes),
		cmocka_unit_test(names_the_line_that_is_wrong),
		cmocka_unit_test(bounds_what_it_walks),
		cmocka_unit_test(agrees_with_heaptrack_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
