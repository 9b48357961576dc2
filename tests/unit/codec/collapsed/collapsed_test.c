/* Collapsed stacks: what is a stack, what is not, and the way back. */
#include "codec/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static int read_text(struct pn_profile *out, const char *text, size_t len,
		     struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code;

	pn_profile_init(out);
	code = pn_reader_memory(&in, text, len, "x", 0, err);
	if (!code)
		code = pn_codec_read(out, &pn_codec_collapsed, NULL, in, err);
	pn_reader_free(in);
	return code;
}

static void read_good(struct pn_profile *out, const char *text)
{
	struct pn_error err;

	if (read_text(out, text, strlen(text), &err))
		fail_msg("%s", err.message);
}

static void refuses(const char *text, size_t len, const char *message)
{
	struct pn_profile p;
	struct pn_error err;

	assert_int_equal(read_text(&p, text, len, &err), PN_EINVAL);
	assert_string_equal(err.message, message);
	pn_profile_release(&p);
}

/* The name of a sample's frame, counted from the leaf. */
static const char *frame(const struct pn_profile *p, size_t sample, size_t n)
{
	uint32_t at = p->stack_start[p->samples[sample].stack] + (uint32_t)n;
	const struct pn_location *l;

	assert_true(at < p->stack_start[p->samples[sample].stack + 1]);
	l = &p->locations[p->frames[at]];
	return pn_profile_text(
		p, p->functions[p->lines[l->line_first].function].name);
}

static size_t depth(const struct pn_profile *p, size_t sample)
{
	return p->stack_start[p->samples[sample].stack + 1] -
	       p->stack_start[p->samples[sample].stack];
}

static void written(const struct pn_profile *p, const char *text)
{
	struct pn_buf out = {0};
	struct pn_error err;

	if (pn_codec_collapsed.write(&out, p, &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_buf_text(&out), text);
	pn_buf_release(&out);
}

static void comes_back(const char *text)
{
	struct pn_profile p;

	read_good(&p, text);
	assert_true(p.complete);
	written(&p, text);
	pn_profile_release(&p);
}

static void reads_frames_from_root_to_leaf(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, "main;a;b 3\nmain 4\nmain;a;b 3\n");
	assert_int_equal(p.sample_count, 3);
	assert_string_equal(pn_profile_text(&p, p.types[0].type), "samples");
	assert_string_equal(pn_profile_text(&p, p.types[0].unit), "count");
	assert_string_equal(frame(&p, 0, 0), "b");
	assert_string_equal(frame(&p, 0, 2), "main");
	assert_int_equal(p.values[1].i, 4);
	assert_int_equal(p.function_count, 3);
	assert_int_equal(p.location_count, 3);
	assert_true(p.complete);
	pn_profile_release(&p);
}

static void splits_at_the_last_blank(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, "void f(int, char const*);operator new [] 5\n"
		      "a\t6\n"
		      ";;x;  7\n"
		      " 8\n"
		      "kernel_[k];inlined_[i] 9");
	assert_int_equal(p.sample_count, 5);
	assert_string_equal(frame(&p, 0, 1), "void f(int, char const*)");
	assert_string_equal(frame(&p, 0, 0), "operator new []");
	assert_string_equal(frame(&p, 1, 0), "a");
	assert_int_equal(depth(&p, 2), 4);
	assert_string_equal(frame(&p, 2, 0), " ");
	assert_string_equal(frame(&p, 2, 1), "x");
	assert_string_equal(frame(&p, 2, 2), "");
	assert_int_equal(depth(&p, 3), 0);
	assert_string_equal(frame(&p, 4, 0), "inlined_[i]");
	pn_profile_release(&p);
}

/* The decoder goes on where a stack leaves the one before. */
/* As heaptrack_print -F writes; perl -e 'print join("|", split(";", "a;;b;;"))'
 * has "a||b", which is what flamegraph.pl draws. */
static void takes_no_frames_behind_the_leaf(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, "main (a.c);f (a.c); 2049\na;;b;; 2\n;; 1\n;a 4\n");
	assert_int_equal(depth(&p, 0), 2);
	assert_string_equal(frame(&p, 0, 0), "f (a.c)");
	assert_int_equal(depth(&p, 1), 3);
	assert_string_equal(frame(&p, 1, 1), "");
	assert_int_equal(depth(&p, 2), 0);
	assert_int_equal(depth(&p, 3), 2);
	assert_false(p.complete);
	written(&p, "main (a.c);f (a.c) 2049\na;[unknown];b 2\n 1\n"
		    "[unknown];a 4\n");
	pn_profile_release(&p);
}

static void tells_stacks_apart_that_begin_alike(void **state)
{
	static const struct {
		const char *line;
		size_t depth;
		const char *leaf, *caller;
	} stacks[] = {
		{"main;run;work 1", 3, "work", "run"},
		{"main;run;worker 2", 3, "worker", "run"},
		{"main;run 3", 2, "run", "main"},
		{"main;runner;work 4", 3, "work", "runner"},
		{"main;runner;work; 5", 3, "work", "runner"},
		{"main;runner;work 6", 3, "work", "runner"},
		{"main;; 7", 1, "main", NULL},
		{"main;;a 8", 3, "a", ""},
		{"mai 9", 1, "mai", NULL},
	};
	const size_t count = sizeof(stacks) / sizeof(*stacks);
	struct pn_buf text = {0};
	struct pn_profile p;
	size_t i;

	(void)state;
	for (i = 0; i < count; i++) {
		pn_buf_add_text(&text, stacks[i].line);
		pn_buf_add_byte(&text, '\n');
	}
	read_good(&p, pn_buf_text(&text));
	assert_int_equal(p.sample_count, count);
	for (i = 0; i < count; i++) {
		assert_int_equal(depth(&p, i), stacks[i].depth);
		assert_string_equal(frame(&p, i, 0), stacks[i].leaf);
		if (stacks[i].caller)
			assert_string_equal(frame(&p, i, 1), stacks[i].caller);
		assert_string_equal(frame(&p, i, stacks[i].depth - 1),
				    strncmp(stacks[i].line, "mai ", 4) ? "main"
								       : "mai");
	}
	/* main run work worker runner "" a mai */
	assert_int_equal(p.function_count, 8);
	pn_profile_release(&p);
	pn_buf_release(&text);
}

static void takes_line_ends_and_marks_of_other_systems(void **state)
{
	struct pn_profile p, q;

	(void)state;
	read_good(&p, "\xef\xbb\xbf"
		      "a;b 1\r\n\r\nc 2\r\n");
	read_good(&q, "a;b 1\nc 2\n");
	assert_true(pn_profile_equal(&p, &q, NULL, 0));
	assert_true(p.complete);
	pn_profile_release(&p);
	pn_profile_release(&q);
	refuses("\xff\xfe"
		"a\0 \0"
		"1\0",
		8,
		"cannot read 'x': the text is UTF-16, expected UTF-8 "
		"(iconv -f UTF-16 -t UTF-8 converts it)");
}

static void keeps_decimals_as_doubles(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, "a 1\nb 0.25\nc 3.\nd 2.0\n");
	assert_int_equal(p.types[0].number, PN_NUMBER_DOUBLE);
	assert_true(p.values[0].d == 1);
	assert_true(p.values[1].d == 0.25);
	assert_true(p.values[2].d == 3);
	assert_true(p.values[3].d == 2);
	pn_profile_release(&p);
	read_good(&p, "c 3.\nd 2.0\n");
	assert_int_equal(p.types[0].number, PN_NUMBER_INT);
	assert_int_equal(p.values[1].i, 2);
	pn_profile_release(&p);
	read_good(&p, "a 18446744073709551616\n"); /* 2^64 */
	assert_true(p.values[0].d == 0x1p64);
	assert_false(p.complete);
	written(&p, "a 18446744073709552000\n"); /* as JavaScript writes 2^64 */
	pn_profile_release(&p);
}

/* What is written of doubles without a fraction is read again. */
static void keeps_sums_beyond_64_bits_as_doubles(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, "a 6000000000000000000\nb 6000000000000000000.5\n");
	written(&p, "a 6000000000000000000\nb 6000000000000000000\n");
	pn_profile_release(&p);
	read_good(&p, "a 6000000000000000000\nb 6000000000000000000\nc 1\n");
	assert_int_equal(p.types[0].number, PN_NUMBER_DOUBLE);
	assert_true(p.values[0].d == 6e18);
	assert_true(p.values[1].d == 6e18);
	assert_true(p.values[2].d == 1);
	assert_false(p.complete);
	written(&p, "a 6000000000000000000\nb 6000000000000000000\nc 1\n");
	pn_profile_release(&p);
	/* the most that an integer holds: 2^63 - 1 */
	read_good(&p, "a 9223372036854775806 1\nb 1 0.5\n");
	assert_int_equal(p.types[0].number, PN_NUMBER_INT);
	assert_int_equal(p.types[1].number, PN_NUMBER_DOUBLE);
	assert_int_equal(p.values[0].i, INT64_MAX - 1);
	pn_profile_release(&p);
	read_good(&p, "a 9223372036854775807 1\nb 1 2\n");
	assert_int_equal(p.types[0].number, PN_NUMBER_DOUBLE);
	assert_true(p.values[0].d == 0x1p63);
	assert_int_equal(p.types[1].number, PN_NUMBER_INT);
	assert_int_equal(p.values[3].i, 2);
	pn_profile_release(&p);
}

static void reads_two_numbers_as_baseline_and_target(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, "main;a 1 2\nmain;b 0.5 4\n");
	assert_int_equal(p.type_count, 2);
	assert_string_equal(pn_profile_text(&p, p.types[0].type), "baseline");
	assert_string_equal(pn_profile_text(&p, p.types[1].type), "target");
	assert_string_equal(frame(&p, 0, 0), "a");
	assert_true(p.values[2].d == 0.5);
	assert_int_equal(p.values[3].i, 4);
	written(&p, "main;a 1 2\nmain;b 0.5 4\n");
	pn_profile_release(&p);
}

static void takes_numbers_for_names_when_not_all_lines_have_two(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, "main;task 1 2\nmain;task 2 2\nmain 4\nmain;task 3 5\n");
	assert_int_equal(p.type_count, 1);
	assert_int_equal(p.sample_count, 4);
	assert_string_equal(frame(&p, 0, 0), "task 1");
	assert_string_equal(frame(&p, 3, 0), "task 3");
	assert_int_equal(p.values[3].i, 5);
	pn_profile_release(&p);
}

static void ignores_other_lines_and_says_so(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, "# a comment\na;b 1\na;b\na -3\na 1e5\n5\n\nc 2\n");
	assert_int_equal(p.sample_count, 2);
	assert_false(p.complete);
	pn_profile_release(&p);
}

static void refuses_text_without_stacks(void **state)
{
	(void)state;
	refuses("\nno count\n", 10,
		"cannot read 'x': line 2: missing count, expected "
		"'frame;frame count'");
	refuses("a 1\nb\0 2\n", 9,
		"cannot read 'x': line 2: a NUL byte, expected text");
	refuses("", 0, "cannot read 'x': the input is empty");
}

/* 1 MiB of lines with two numbers settles it. */
static void refuses_to_change_its_mind(void **state)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	while (text.len < 2u << 20)
		pn_buf_add_text(&text, "main;f 10 20\n");
	pn_buf_add_text(&text, "main 3\n");
	assert_int_equal(read_text(&p, pn_buf_text(&text), text.len, &err),
			 PN_EINVAL);
	assert_non_null(strstr(err.message, "expected two numbers at its end"));
	pn_profile_release(&p);
	pn_buf_release(&text);
}

static void reads_lines_longer_than_the_window(void **state)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	struct pn_error err;
	int i;

	(void)state;
	for (i = 0; i < 200000; i++)
		pn_buf_add_text(&text, "frame;");
	pn_buf_add_text(&text, "leaf 7\nb 1");
	assert_int_equal(read_text(&p, pn_buf_text(&text), text.len, &err), 0);
	assert_int_equal(depth(&p, 0), 200001);
	assert_int_equal(p.values[1].i, 1);
	pn_profile_release(&p);
	pn_buf_release(&text);
}

static void writes_what_it_read(void **state)
{
	(void)state;
	comes_back("main;a;b 3\nmain 4\n");
	comes_back("a;b 1\n 2\n");
	comes_back(" 3\na;b 4\n"); /* nothing stands before the first */
	comes_back("a 0.5\nb 1\nc 0.0000001\nd 123456789.125\n");
	comes_back("a 0\n");
	comes_back("\xef\xbb\xbf(\xb5/\xfd;a 4\n"); /* zstd's first bytes */
	comes_back("\xef\xbb\xbf\x1f\x8b;a 4\n");   /* and gzip's */
	comes_back("main;task 1 2\nmain 3\n");
	comes_back("main;a 1 2\nmain;b 0 4\n");
}

static uint32_t function(struct pn_profile *p, const char *name)
{
	struct pn_function f = {0};

	f.name = pn_strtab_add_text(&p->strings, name);
	return pn_profile_add_function(p, &f);
}

/* Inlined lines, a frame of a mapping, one of an address, unsafe names. */
static void writes_frames_that_are_no_single_function(void **state)
{
	struct pn_mapping mapping = {0};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line lines[2] = {{0}, {0}};
	struct pn_buf out = {0};
	struct pn_profile p;
	union pn_value values[2];
	uint32_t frames[4];

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "samples", "count");
	pn_profile_add_type(&p, "cpu", "nanoseconds");
	lines[0].function = function(&p, "inlined;here\nnow");
	lines[1].function = function(&p, "outer 7");
	frames[0] = pn_profile_add_location(&p, &location, lines, 2);
	location.address = 0x4f;
	frames[1] = pn_profile_add_location(&p, &location, NULL, 0);
	mapping.file = pn_strtab_add_text(&p.strings, "/usr/lib/libc.so.6");
	location.mapping = pn_profile_add_mapping(&p, &mapping);
	frames[2] = pn_profile_add_location(&p, &location, NULL, 0);
	location.mapping = PN_NONE;
	location.address = 0;
	frames[3] = pn_profile_add_location(&p, &location, NULL, 0);
	values[0].i = 2;
	values[1].i = 20;
	pn_profile_add_sample(&p, pn_profile_add_stack(&p, frames, 4), 0,
			      values);
	written(&p, "[unknown];[libc.so.6];[0x4f];outer 7;"
		    "inlined:here now 20\n");
	p.default_type = p.types[0].type;
	written(&p, "[unknown];[libc.so.6];[0x4f];outer 7;"
		    "inlined:here now 2\n");
	/* what costs nothing is left out, unless nothing else is there */
	p.values[0].i = 0;
	written(&p, "[unknown];[libc.so.6];[0x4f];outer 7;"
		    "inlined:here now 0\n");
	values[0].i = 3;
	pn_profile_add_sample(&p, pn_profile_add_stack(&p, frames + 1, 1), 0,
			      values);
	written(&p, "[0x4f] 3\n");
	p.values[0].i = -1;
	assert_int_equal(pn_codec_collapsed.write(&out, &p, NULL), PN_EINVAL);
	assert_int_equal(out.len, 0);
	pn_buf_release(&out);
	pn_profile_release(&p);
}

static void writes_each_stack_once(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, "main;a 3\nmain 4\n\nmain;a 5\nmain;a 0.5\n");
	written(&p, "main;a 8.5\nmain 4\n");
	pn_profile_release(&p);
	read_good(&p, "main;a 1 2\nmain 5 5\nmain;a 3 0\n");
	written(&p, "main;a 4 2\nmain 5 5\n");
	pn_profile_release(&p);
}

/* Locations that differ in address and line, and an inlined call that is one
 * location here and two there. */
static void writes_stacks_that_read_alike_once(void **state)
{
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line lines[2] = {{0}, {0}};
	union pn_value values[3] = {{.i = 2}, {.i = 20}, {.i = 200}};
	struct pn_profile p;
	uint32_t frames[2];
	uint32_t i;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "samples", "count");
	lines[0].function = function(&p, "leaf");
	lines[1].function = function(&p, "root");
	for (i = 0; i < 2; i++) {
		location.address = 0x10 + i;
		lines[0].line = i;
		frames[0] = pn_profile_add_location(&p, &location, lines, 1);
		frames[1] =
			pn_profile_add_location(&p, &location, lines + 1, 1);
		pn_profile_add_sample(&p, pn_profile_add_stack(&p, frames, 2),
				      0, &values[i]);
	}
	frames[0] = pn_profile_add_location(&p, &location, lines, 2);
	pn_profile_add_sample(&p, pn_profile_add_stack(&p, frames, 1), 0,
			      &values[2]);
	written(&p, "root;leaf 222\n");
	pn_profile_release(&p);
}

static void refuses_a_sum_beyond_its_numbers(void **state)
{
	struct pn_buf out = {0};
	struct pn_error err = {0};
	struct pn_profile p;

	(void)state;
	read_good(&p, "a 1\nb 1\na 1\n");
	p.values[0].i = INT64_MAX;
	assert_int_equal(pn_codec_collapsed.write(&out, &p, &err), PN_ERANGE);
	assert_string_equal(err.message, "the stack of sample 2 adds up to "
					 "more than a number can hold");
	assert_int_equal(out.len, 0);
	pn_buf_release(&out);
	pn_profile_release(&p);
}

/* Alone, "task 7 3" would be read as two numbers. */
static void writes_no_line_that_reads_as_two_numbers(void **state)
{
	struct pn_profile p;
	uint32_t name;

	(void)state;
	read_good(&p, "main;x 3\n");
	name = pn_strtab_add_text(&p.strings, "task 7");
	p.functions[1].name = name;
	written(&p, "main;task_7 3\n");
	pn_profile_release(&p);
}

static enum pn_sniff sniffed(const char *text)
{
	return pn_codec_collapsed.sniff((const unsigned char *)text,
					strlen(text));
}

static void recognises_lines_that_end_in_a_count(void **state)
{
	(void)state;
	assert_int_equal(sniffed("a;b 1\nc 2\n"), PN_SNIFF_LIKELY);
	assert_int_equal(sniffed("\xef\xbb\xbf"
				 "a;b 1\r\n"),
			 PN_SNIFF_LIKELY);
	assert_int_equal(sniffed("a;b 1.5"), PN_SNIFF_LIKELY);
	assert_int_equal(sniffed("a 1\n"), PN_SNIFF_MAYBE);
	assert_int_equal(sniffed("a;b\n"), PN_SNIFF_NO);
	assert_int_equal(sniffed("a;b 1\nversion: x\n"), PN_SNIFF_NO);
	assert_int_equal(sniffed("{\"a\":1}\n"), PN_SNIFF_NO);
	assert_int_equal(sniffed("a;b\rc;d 1\n"), PN_SNIFF_NO);
	assert_int_equal(sniffed("\n\n"), PN_SNIFF_NO);
}

/* As names of threads and generated functions may have them. */
static void recognises_names_with_control_bytes(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_int_equal(sniffed("a;\x01 1\n"), PN_SNIFF_MAYBE);
	assert_int_equal(sniffed("a;b 1\n\x1b[1mc\x1b[m 2\n"), PN_SNIFF_MAYBE);
	assert_int_equal(
		pn_codec_collapsed.sniff((const unsigned char *)"a;\0 1\n", 6),
		PN_SNIFF_NO);
	read_good(&p, "main;b\a 3\n\x1b;c\x7f 4\n");
	assert_int_equal(p.sample_count, 2);
	assert_string_equal(frame(&p, 0, 0), "b\a");
	assert_string_equal(frame(&p, 1, 1), "\x1b");
	written(&p, "main;b\a 3\n\x1b;c\x7f 4\n");
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_frames_from_root_to_leaf),
		cmocka_unit_test(splits_at_the_last_blank),
		cmocka_unit_test(takes_no_frames_behind_the_leaf),
		cmocka_unit_test(tells_stacks_apart_that_begin_alike),
		cmocka_unit_test(takes_line_ends_and_marks_of_other_systems),
		cmocka_unit_test(keeps_decimals_as_doubles),
		cmocka_unit_test(keeps_sums_beyond_64_bits_as_doubles),
		cmocka_unit_test(reads_two_numbers_as_baseline_and_target),
		cmocka_unit_test(
			takes_numbers_for_names_when_not_all_lines_have_two),
		cmocka_unit_test(ignores_other_lines_and_says_so),
		cmocka_unit_test(refuses_text_without_stacks),
		cmocka_unit_test(refuses_to_change_its_mind),
		cmocka_unit_test(reads_lines_longer_than_the_window),
		cmocka_unit_test(writes_what_it_read),
		cmocka_unit_test(writes_frames_that_are_no_single_function),
		cmocka_unit_test(writes_each_stack_once),
		cmocka_unit_test(writes_stacks_that_read_alike_once),
		cmocka_unit_test(refuses_a_sum_beyond_its_numbers),
		cmocka_unit_test(writes_no_line_that_reads_as_two_numbers),
		cmocka_unit_test(recognises_lines_that_end_in_a_count),
		cmocka_unit_test(recognises_names_with_control_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
