/*
 * Python's dumps. The bytes are what CPython 3.11 makes of
 *
 *	d = {('a.py', 3, 'f'): (1, 2, 0.5, 1.5,
 *		{('~', 0, '<built-in>'): (2, 1, 0.5, 1.5)}),
 *	     ('~', 0, '<built-in>'): (1, 1, 0.25, 1.75, {})}
 *
 * by marshal.dumps(d, 2) and marshal.dumps(d, 4).
 */
#include "codec/pstats_bytes.h"
#include "model/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static const char version_2[] =
	"{(\x03\0\0\0u\x04\0\0\0a.pyi\x03\0\0\0u\x01\0\0\0f"
	"(\x05\0\0\0i\x01\0\0\0i\x02\0\0\0g\0\0\0\0\0\0\xe0?g\0\0\0\0\0\0\xf8?"
	"{(\x03\0\0\0u\x01\0\0\0~i\0\0\0\0u\n\0\0\0<built-in>"
	"(\x04\0\0\0i\x02\0\0\0i\x01\0\0\0g\0\0\0\0\0\0\xe0?g\0\0\0\0\0\0\xf8?0"
	"(\x03\0\0\0u\x01\0\0\0~i\0\0\0\0u\n\0\0\0<built-in>"
	"(\x05\0\0\0i\x01\0\0\0i\x01\0\0\0g\0\0\0\0\0\0\xd0?g\0\0\0\0\0\0\xfc?"
	"{00";
static const char version_4[] =
	"\xfb\xa9\x03\xfa\x04"
	"a.py\xe9\x03\0\0\0\xda\x01"
	"f)\x05\xe9\x01\0\0\0\xe9\x02\0\0\0\xe7\0\0\0\0\0\0\xe0?"
	"\xe7\0\0\0\0\0\0\xf8?{\xa9\x03\xfa\x01~\xe9\0\0\0\0\xfa\n<built-in>"
	"\xa9\x04r\x06\0\0\0r\x05\0\0\0r\x07\0\0\0r\x08\0\0\0"
	"0r\t\0\0\0)\x05r\x05\0\0\0r\x05\0\0\0\xe7\0\0\0\0\0\0\xd0?"
	"\xe7\0\0\0\0\0\0\xfc?{00";

static void check_graph(const struct pn_profile *p)
{
	const struct pn_graph *g = &p->graph;
	const struct pn_function *f = p->functions;

	assert_int_equal(g->node_count, 2);
	assert_int_equal(g->edge_count, 1);
	assert_string_equal(pn_profile_text(p, f[0].name), "f");
	assert_string_equal(pn_profile_text(p, f[0].file), "a.py");
	assert_int_equal(f[0].start_line, 3);
	assert_string_equal(pn_profile_text(p, f[1].name), "<built-in>");
	assert_int_equal(g->nodes[0].calls, 2);
	assert_int_equal(g->nodes[0].primitive, 1);
	assert_true(g->self[0].d == 0.5 && g->total[0].d == 1.5);
	assert_true(g->self[1].d == 0.25 && g->total[1].d == 1.75);
	/* a caller's two counts are the other way round */
	assert_int_equal(g->edges[0].caller, 1);
	assert_int_equal(g->edges[0].callee, 0);
	assert_int_equal(g->edges[0].calls, 2);
	assert_int_equal(g->edges[0].primitive, 1);
	assert_true(g->edge_self[0].d == 0.5 && g->edge_total[0].d == 1.5);
	assert_true(p->complete);
}

static void reads_both_ages_of_marshal(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, version_2, sizeof(version_2) - 1);
	check_graph(&p);
	pn_profile_release(&p);
	read_good(&p, version_4, sizeof(version_4) - 1);
	check_graph(&p);
	pn_profile_release(&p);
}

/*
 * What marshal.dumps(d, 4) makes of
 *
 *	d = {('a.py', 3, 'f'): (1, 2, 0.5, 1.5, {('~', 0, 'b'): (2, 1,
 *0.5, 1.5)}),
 *	     ('~', 0, 'b'): (1, 1, 0.25, 1.75, {}),
 *	     ('a.py', 9, 'g'): (7, 7, 0.125, 0.125,
 *		{('a.py', 3, 'f'): (7, 7, 0.125, 0.125)})}
 *
 * With FLAG_REF at any of its references, or at the end of any dict,
 * marshal.loads gives the same d.
 */
static const char flagged[] =
	"\xfb\xa9\x03\xfa\x04"
	"a.py\xe9\x03\0\0\0\xda\x01"
	"f)\x05\xe9\x01\0\0\0\xe9\x02\0\0\0\xe7\0\0\0\0\0\0\xe0?"
	"\xe7\0\0\0\0\0\0\xf8?{\xa9\x03\xfa\x01~\xe9\0\0\0\0\xda\x01"
	"b\xa9\x04r\x06\0\0\0r\x05\0\0\0r\x07\0\0\0r\x08\0\0\0"
	"0r\t\0\0\0)\x05r\x05\0\0\0r\x05\0\0\0\xe7\0\0\0\0\0\0\xd0?"
	"\xe7\0\0\0\0\0\0\xfc?{0\xa9\x03r\x02\0\0\0\xe9\t\0\0\0\xda\x01"
	"g)\x05\xe9\x07\0\0\0r\x13\0\0\0\xe7\0\0\0\0\0\0\xc0?"
	"r\x14\0\0\0{r\x01\0\0\0\xa9\x04r\x13\0\0\0r\x13\0\0\0"
	"r\x14\0\0\0r\x14\0\0\0"
	"00";

static void write_of(struct pn_buf *out, const char *bytes, size_t len)
{
	struct pn_error err;
	struct pn_profile p;

	read_good(&p, bytes, len);
	assert_int_equal(pn_codec_pstats.write(out, &p, &err), 0);
	pn_profile_release(&p);
}

static void numbers_no_references(void **state)
{
	struct pn_buf expected = {0}, out = {0};
	char bytes[sizeof(flagged)];
	size_t i, count = 0;

	(void)state;
	write_of(&expected, flagged, sizeof(flagged) - 1);
	for (i = 0; i < sizeof(flagged) - 1; i++) {
		memcpy(bytes, flagged, sizeof(flagged));
		if (bytes[i] != 'r' && bytes[i] != '0')
			continue;
		bytes[i] = (char)(bytes[i] | 0x80);
		pn_buf_clear(&out);
		write_of(&out, bytes, sizeof(flagged) - 1);
		assert_int_equal(out.len, expected.len);
		assert_memory_equal(out.data, expected.data, out.len);
		count++;
	}
	assert_int_equal(count, 19);
	pn_buf_release(&out);
	pn_buf_release(&expected);
}

/* marshal.loads(b'z\x02\xe9b') is '\xe9b'. */
static void reads_short_strings_as_latin_1(void **state)
{
	static const char bytes[] =
		"{)\x03z\x02\xe9"
		"bi\0\0\0\0A\x01\0\0\0\xff"
		")\x05i\x01\0\0\0i\x01\0\0\0i\0\0\0\0i\0\0\0\0{00";
	struct pn_profile p;

	(void)state;
	read_good(&p, bytes, sizeof(bytes) - 1);
	assert_string_equal(pn_profile_text(&p, p.functions[0].file),
			    "\303\251b");
	assert_string_equal(pn_profile_text(&p, p.functions[0].name),
			    "\303\277");
	pn_profile_release(&p);
}

static void writes_what_every_python_3_loads(void **state)
{
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_profile p;

	(void)state;
	read_good(&p, version_4, sizeof(version_4) - 1);
	assert_int_equal(pn_codec_pstats.write(&out, &p, &err), 0);
	assert_int_equal(out.len, sizeof(version_2) - 1);
	assert_memory_equal(out.data, version_2, out.len);
	pn_buf_release(&out);
	pn_profile_release(&p);
}

/* Frames by name, root first. */
static void add_stack(struct pn_profile *p, const char *names, int64_t value)
{
	uint32_t frames[16], at;
	struct pn_location l = {.mapping = PN_NONE};
	union pn_value v = {.i = value};
	size_t n = strlen(names), i;

	for (i = 0; i < n; i++) {
		struct pn_function f = {0};
		struct pn_line line = {0};

		f.name = pn_strtab_add(&p->strings, names + n - 1 - i, 1);
		line.function = pn_profile_add_function(p, &f);
		at = pn_profile_add_location(p, &l, &line, 1);
		frames[i] = at;
	}
	pn_profile_add_sample(p, pn_profile_add_stack(p, frames, n), 0, &v);
}

static double cumulative(const struct pn_profile *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->graph.node_count; i++)
		if (!strcmp(pn_profile_text(p, p->functions[i].name), name))
			return p->graph.total[i].d;
	fail_msg("no function %s", name);
	return 0;
}

/* A byte that is no UTF-8 is U+DC99 in what is written (PEP 383), and so is
 * each byte of a sequence that looks like one. */
static void gives_back_bytes_that_are_no_text(void **state)
{
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_profile p, again;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "time", "seconds");
	add_stack(&p, "a\x99", 2);
	assert_int_equal(pn_codec_pstats.write(&out, &p, &err), 0);
	read_good(&again, out.data, out.len);
	assert_true(cumulative(&again, "\x99") == 2);
	pn_profile_release(&again);
	p.functions[0].name = pn_strtab_add(&p.strings, "\xed\xb2\x99", 3);
	pn_buf_clear(&out);
	assert_int_equal(pn_codec_pstats.write(&out, &p, &err), 0);
	read_good(&again, out.data, out.len);
	assert_true(cumulative(&again, "\xed\xb2\x99") == 2);
	pn_profile_release(&again);
	pn_buf_release(&out);
	pn_profile_release(&p);
}

/* a(b(a)) of 2 s and a(c) of 1 s: a recursive function counts once a sample,
 * so a has 2 + 1 and b 2; own are a 2 and c 1. */
static void makes_a_graph_of_samples(void **state)
{
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_profile p, q;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "cpu", "milliseconds");
	add_stack(&p, "aba", 2000);
	add_stack(&p, "ac", 1000);
	assert_int_equal(pn_codec_pstats.write(&out, &p, &err), 0);
	read_good(&q, out.data, out.len);
	assert_int_equal(q.graph.node_count, 3);
	assert_int_equal(q.graph.edge_count, 3);
	assert_true(cumulative(&q, "a") == 3 && cumulative(&q, "b") == 2 &&
		    cumulative(&q, "c") == 1);
	pn_profile_release(&q);
	pn_buf_release(&out);
	pn_profile_release(&p);
}

/* A caller's calls from two lines are one number in a dump. */
static void writes_the_largest_number_of_calls_for_more(void **state)
{
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_profile p, q;
	struct pn_edge edge;

	(void)state;
	read_good(&p, version_2, sizeof(version_2) - 1);
	p.graph.edges[0].calls = INT64_MAX - 1;
	edge = p.graph.edges[0];
	edge.line++;
	edge.calls = 2;
	pn_graph_add_edge(&p, &edge);
	assert_int_equal(pn_codec_pstats.write(&out, &p, &err), 0);
	read_good(&q, out.data, out.len);
	assert_int_equal(q.graph.edge_count, 1);
	assert_true(q.graph.edges[0].calls == INT64_MAX);
	/* 1 and 1 */
	assert_int_equal(q.graph.edges[0].primitive, 2);
	pn_profile_release(&q);
	pn_buf_release(&out);
	pn_profile_release(&p);
}

static void refuses_values_that_are_no_times(void **state)
{
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_profile p;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "space", "bytes");
	add_stack(&p, "a", 1);
	assert_int_equal(pn_codec_pstats.write(&out, &p, &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "format pstats needs values in a unit of time");
	pn_profile_release(&p);
}

static void names_the_byte_that_is_wrong(void **state)
{
	(void)state;
	refuses(version_2, 70,
		"cannot read 'x': byte 70: the dump ends too "
		"early");
	refuses("{)\x03(", 4,
		"cannot read 'x': byte 4: the dump ends too early");
	refuses("{)\x03r\x05\0\0\0", 8,
		"cannot read 'x': byte 8: a reference to no object before it");
	/* a tuple that holds itself */
	refuses("{\xa9\x03r\0\0\0\0", 8,
		"cannot read 'x': byte 8: a reference to no object before it");
	refuses("{)\x03N", 4,
		"cannot read 'x': byte 3: expected a number, string, tuple, "
		"list or dict of marshal");
	/* 1 + 2 + 3 * 3 bytes to the end of the key */
	refuses("{)\x03z\1az\1bz\1c)\0", 14,
		"cannot read 'x': byte 12: expected a function as a tuple of "
		"file, line and name before here");
	refuses("{)\x03z\1ai\1\0\0\0z\1c)\0", 16,
		"cannot read 'x': byte 16: expected 2 counts, 2 times and the "
		"callers of a function before here");
}

/* A dict of callers that every function refers to: entries times callers, of
 * bytes that are few. */
static void refuses_callers_that_multiply(void **state)
{
	enum { N = 64 };
	struct pn_buf dump = {0};
	struct pn_profile p;
	struct pn_error err;
	int i, n;

	(void)state;
	pn_buf_add_byte(&dump, '{');
	for (i = 0; i < N; i++) {
		pn_buf_add(&dump, ")\x03z\1fi", 6);
		pn_buf_add(&dump, (unsigned char[]){(unsigned char)i, 0, 0, 0},
			   4);
		pn_buf_add(&dump, "z\1g)\x05i\1\0\0\0i\1\0\0\0", 15);
		for (n = 0; n < 2; n++)
			pn_buf_add(&dump, "g\0\0\0\0\0\0\xf0\x3f", 9);
		if (i) {
			pn_buf_add(&dump, "r\0\0\0\0", 5);
			continue;
		}
		pn_buf_add_byte(&dump, '{' | 0x80);
		for (n = 0; n < N; n++) {
			pn_buf_add(&dump, ")\x03z\1fi", 6);
			pn_buf_add(&dump,
				   (unsigned char[]){(unsigned char)n, 0, 0, 0},
				   4);
			pn_buf_add(&dump, "z\1gi\1\0\0\0", 8);
		}
		pn_buf_add_byte(&dump, '0');
	}
	pn_buf_add_byte(&dump, '0');
	assert_int_equal(read_bytes(&p, dump.data, dump.len, &err), PN_EINVAL);
	assert_non_null(strstr(err.message, "more callers than the dump has "
					    "room for before here"));
	pn_profile_release(&p);
	pn_buf_release(&dump);
}

static void refuses_times_that_are_no_numbers(void **state)
{
	/* own time: a NaN; 1 + 2 + 3 + 5 + 3 bytes to the end of the key, and
	 * 2 + 2 * 5 + 2 * 9 + 1 to where the callers begin */
	static const char dump[] = "{)\x03z\1fi\1\0\0\0z\1g)\x05i\1\0\0\0"
				   "i\1\0\0\0g\0\0\0\0\0\0\xf8\x7f"
				   "g\0\0\0\0\0\0\xf0\x3f{00";

	(void)state;
	refuses(dump, sizeof(dump) - 1,
		"cannot read 'x': byte 45: expected 2 counts, 2 times and the "
		"callers of a function before here");
}

/* A function at the line `digits`: 15 bits each, of marshal.dumps(line, 2). */
static void dump_of_line(struct pn_buf *dump, const char *digits)
{
	static const char rest[] = "z\x01g)\x05i\0\0\0\0i\0\0\0\0"
				   "g\0\0\0\0\0\0\0\0g\0\0\0\0\0\0\0\0{00";

	pn_buf_add(dump, "{)", 2);
	pn_buf_add(dump, "\x03z\x01yl", 5);
	pn_buf_add(dump, digits, 14);
	pn_buf_add(dump, rest, sizeof(rest) - 1);
}

static void reads_whole_numbers_to_both_ends(void **state)
{
	/* -2^63, 2^63 - 1, and the next number beyond each of them */
	static const char least[] = "\xfb\xff\xff\xff\0\0\0\0\0\0\0\0\x08";
	static const char most[] =
		"\x05\0\0\0\xff\x7f\xff\x7f\xff\x7f\xff\x7f\x07";
	static const char beyond[][15] = {
		"\xfb\xff\xff\xff\x01\0\0\0\0\0\0\0\x08",
		"\x05\0\0\0\0\0\0\0\0\0\0\0\x08",
	};
	struct pn_buf out = {0}, dump = {0};
	struct pn_profile p;
	struct pn_error err;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		dump_of_line(&dump, i ? most : least);
		read_good(&p, dump.data, dump.len);
		assert_true(p.functions[0].start_line ==
			    (i ? INT64_MAX : INT64_MIN));
		assert_int_equal(pn_codec_pstats.write(&out, &p, &err), 0);
		pn_profile_release(&p);
		read_good(&p, out.data, out.len);
		assert_true(p.functions[0].start_line ==
			    (i ? INT64_MAX : INT64_MIN));
		pn_profile_release(&p);
		out.len = dump.len = 0;
	}
	for (i = 0; i < 2; i++) {
		dump_of_line(&dump, beyond[i]);
		refuses((const char *)dump.data, dump.len,
			"cannot read 'x': byte 21: a number beyond 64 bits");
		dump.len = 0;
	}
	pn_buf_release(&dump);
	pn_buf_release(&out);
}

/* The bits of -0.0, the times of a caller, come back. */
static void keeps_the_sign_of_nothing(void **state)
{
	static const char dump[] =
		"{)\x03z\x01yi\1\0\0\0z\x01g)\x05i\1\0\0\0i\1\0\0\0"
		"g\0\0\0\0\0\0\xf0?g\0\0\0\0\0\0\xf0?"
		"{)\x03z\x01yi\1\0\0\0z\x01g)\x04i\1\0\0\0i\1\0\0\0"
		"g\0\0\0\0\0\0\0\x80g\0\0\0\0\0\0\0\x80"
		"00";
	struct pn_buf out = {0};
	struct pn_profile p;
	struct pn_error err;
	int i;

	(void)state;
	read_good(&p, dump, sizeof(dump) - 1);
	for (i = 0; i < 2; i++) {
		assert_true(signbit(p.graph.edge_self[0].d) != 0);
		assert_true(signbit(p.graph.edge_total[0].d) != 0);
		out.len = 0;
		assert_int_equal(pn_codec_pstats.write(&out, &p, &err), 0);
		pn_profile_release(&p);
		read_good(&p, out.data, out.len);
	}
	pn_profile_release(&p);
	pn_buf_release(&out);
}

struct drip {
	const char *bytes;
	size_t len, at, ends; /* ends: where the disk fails */
};

static int give_one(size_t *got, void *from, unsigned char *to, size_t room,
		    struct pn_error *err)
{
	struct drip *d = from;

	(void)room;
	*got = 0;
	if (d->at == d->ends)
		return pn_error_set(err, PN_EIO, "the disk fails");
	if (d->at < d->len) {
		*to = (unsigned char)d->bytes[d->at++];
		*got = 1;
	}
	return 0;
}

static int read_drip(struct pn_profile *out, struct drip *d,
		     struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code;

	d->at = 0;
	pn_profile_init(out);
	code = pn_reader_source(&in, give_one, d, "x", err);
	if (!code)
		code = pn_codec_pstats.read(out, in, err);
	pn_reader_free(in);
	return code;
}

/* No value is read past the bytes that are there, and none is lost between
 * two looks. */
static void reads_a_byte_at_a_time(void **state)
{
	struct drip drip = {version_4, sizeof(version_4) - 1, 0, SIZE_MAX};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(read_drip(&p, &drip, &err), 0);
	check_graph(&p);
	pn_profile_release(&p);
	drip.bytes = version_2;
	drip.len = sizeof(version_2) - 1;
	assert_int_equal(read_drip(&p, &drip, &err), 0);
	check_graph(&p);
	pn_profile_release(&p);
	while (--drip.len) {
		assert_int_equal(read_drip(&p, &drip, &err), PN_EINVAL);
		assert_non_null(strstr(err.message, "ends too early"));
		pn_profile_release(&p);
	}
}

/* Wherever it fails, behind the last value, too. */
static void says_that_it_cannot_read(void **state)
{
	struct drip drip = {version_4, sizeof(version_4) - 1, 0, 0};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	for (; drip.ends <= drip.len; drip.ends++) {
		assert_int_equal(read_drip(&p, &drip, &err), PN_EIO);
		assert_string_equal(err.message,
				    "cannot read 'x': the disk fails");
		pn_profile_release(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_both_ages_of_marshal),
		cmocka_unit_test(numbers_no_references),
		cmocka_unit_test(reads_short_strings_as_latin_1),
		cmocka_unit_test(writes_what_every_python_3_loads),
		cmocka_unit_test(gives_back_bytes_that_are_no_text),
		cmocka_unit_test(makes_a_graph_of_samples),
		cmocka_unit_test(writes_the_largest_number_of_calls_for_more),
		cmocka_unit_test(refuses_values_that_are_no_times),
		cmocka_unit_test(names_the_byte_that_is_wrong),
		cmocka_unit_test(refuses_callers_that_multiply),
		cmocka_unit_test(refuses_times_that_are_no_numbers),
		cmocka_unit_test(reads_whole_numbers_to_both_ends),
		cmocka_unit_test(keeps_the_sign_of_nothing),
		cmocka_unit_test(reads_a_byte_at_a_time),
		cmocka_unit_test(says_that_it_cannot_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
