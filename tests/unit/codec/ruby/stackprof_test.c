/* stackprof: the graph, and stacks where there are some. */
#include "codec/codec_text.h"
#include "codec/rows.h"

#define HEAD                                                                   \
	"{\"version\":1.2,\"mode\":\"wall\",\"interval\":1000,"                \
	"\"missed_samples\":0,"
#define FRAMES                                                                 \
	"\"frames\":{\"7\":{\"name\":\"main\",\"samples\":1,"                  \
	"\"total_samples\":3}}"

static void read_stackprof(struct pn_profile *out, const char *name)
{
	assert_ptr_equal(read_data(out, name), &pn_codec_stackprof);
}

static const char *name_of(const struct pn_profile *p, uint32_t location)
{
	const struct pn_line *line =
		&p->lines[p->locations[location].line_first];

	return pn_profile_text(p, p->functions[line->function].name);
}

/* main > work in 3 and 2 samples, main alone in 1, each of 1000 us. */
static void reads_raw_stacks(void **state)
{
	static const struct {
		size_t depth;
		int64_t samples;
	} want[] = {{2, 3}, {1, 1}, {2, 2}};
	struct pn_profile p;
	size_t i;

	(void)state;
	read_stackprof(&p, "stackprof/raw.json");
	assert_int_equal(p.sample_count, 3);
	/* "frames" beside them */
	assert_int_equal(p.graph.node_count, 2);
	assert_int_equal(p.graph.total[0].i, 6);
	assert_int_equal(p.graph.self[2].i, 5);
	assert_int_equal(p.graph.cost_count, 3);
	assert_string_equal(pn_profile_text(&p, p.types[1].type), "wall");
	for (i = 0; i < 3; i++) {
		uint32_t stack = p.samples[i].stack;
		uint32_t first = p.stack_start[stack];
		uint32_t end = p.stack_start[stack + 1];

		assert_int_equal(end - first, want[i].depth);
		assert_int_equal(p.values[i * 2].i, want[i].samples);
		assert_int_equal(p.values[i * 2 + 1].i, want[i].samples * 1000);
		assert_string_equal(name_of(&p, p.frames[end - 1]),
				    "Object#main");
	}
	assert_string_equal(
		name_of(&p, p.frames[p.stack_start[p.samples[0].stack]]),
		"Object#work");
	pn_profile_release(&p);
}

/* Six differences of 1 ms each: 3 of work, 1 of main, 2 of work. */
static void reads_times_and_what_was_missed(void **state)
{
	static const size_t row[] = {0, 0, 0, 1, 2, 2};
	struct pn_profile p;
	double value;
	size_t i;

	(void)state;
	read_stackprof(&p, "stackprof/raw.json");
	assert_int_equal(p.events.count, 6);
	for (i = 0; i < 6; i++) {
		assert_int_equal(p.events.items[i].time_ns, (i + 1) * 1000000);
		assert_int_equal(p.events.items[i].stack,
				 p.samples[row[i]].stack);
	}
	assert_int_equal(p.fact_count, 0);
	pn_profile_release(&p);
	/* its own head: 28 samples of which 6 were of the collector and 1
	 * missed; the first of 27 times of raw samples */
	read_stackprof(&p, "stackprof/wall.json");
	assert_int_equal(p.events.count, 27);
	assert_int_equal(p.events.items[0].time_ns, 13882810042000);
	assert_true(pn_profile_fact(&value, &p, "missed samples"));
	assert_true(value == 1);
	assert_true(pn_profile_fact(&value, &p,
				    "samples of the garbage collector"));
	assert_true(value == 6);
	pn_profile_release(&p);
}

static void reads_the_graph_without_stacks(void **state)
{
	const struct pn_graph *g;
	struct pn_profile p;

	(void)state;
	read_stackprof(&p, "stackprof/graph.json");
	g = &p.graph;
	assert_int_equal(p.sample_count, 0);
	assert_int_equal(g->node_count, 2);
	assert_string_equal(name_of(&p, g->nodes[0].location), "Object#main");
	assert_int_equal(g->nodes[0].calls, -1);
	assert_int_equal(g->self[0].i, 1);
	assert_int_equal(g->self[1].i, 1000);
	assert_int_equal(g->total[0].i, 6);
	assert_int_equal(g->self[2].i, 5);
	assert_int_equal(g->total[3].i, 5000);
	assert_int_equal(g->edge_count, 1);
	assert_int_equal(g->edges[0].caller, 0);
	assert_int_equal(g->edges[0].callee, 1);
	assert_int_equal(g->edge_total[0].i, 5);
	assert_int_equal(g->cost_count, 3);
	assert_int_equal(g->costs[1].line, 3);
	assert_int_equal(g->cost_values[2].i, 1);
	assert_int_equal(g->costs[2].node, 1);
	assert_int_equal(g->cost_values[5].i, 5000);
	pn_profile_release(&p);
}

/* In how many samples a function is, on the leaf or anywhere. */
static void has_samples(const struct pn_profile *p, const char *name,
			int64_t self, int64_t total)
{
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		uint32_t stack = p->samples[i].stack;
		uint32_t at = p->stack_start[stack];
		int64_t n = p->values[i * 2].i;

		if (!strcmp(name_of(p, p->frames[at]), name))
			self -= n;
		for (; at < p->stack_start[stack + 1]; at++)
			if (!strcmp(name_of(p, p->frames[at]), name)) {
				total -= n;
				break;
			}
	}
	if (self || total)
		fail_msg("%s: %d and %d too few", name, (int)self, (int)total);
}

/* stackprof 0.2.21 wrote the dump, its --json the other one; its --text says
 * "Samples: 28" and these two figures of each function. */
static void reads_dumps_as_it_reads_json(void **state)
{
	struct pn_profile p, json;
	char why[256];

	(void)state;
	read_stackprof(&p, "stackprof/wall.dump");
	read_stackprof(&json, "stackprof/wall.json");
	if (!pn_profile_equal(&p, &json, why, sizeof(why)))
		fail_msg("%s", why);
	assert_int_equal(sum_of(&p, 0), 15 + 4 + 3 + 2 + 1 + 1 + 1);
	assert_int_equal(sum_of(&p, 1), 27000);
	has_samples(&p, "Words#add", 15, 16);
	has_samples(&p, "(sweeping)", 4, 4);
	has_samples(&p, "Array#each", 3, 19);
	has_samples(&p, "Words#count", 1, 21);
	has_samples(&p, "(garbage collection)", 0, 6);
	pn_profile_release(&p);
	pn_profile_release(&json);
}

/* Every hundredth object was seen, 160 times: all in String#downcase. */
static void reads_a_dump_without_stacks(void **state)
{
	struct pn_profile p;
	size_t i, found = 0;

	(void)state;
	read_stackprof(&p, "stackprof/object.dump");
	assert_int_equal(p.sample_count, 0);
	assert_string_equal(pn_profile_text(&p, p.types[1].type), "objects");
	for (i = 0; i < p.graph.node_count; i++) {
		const char *name = name_of(&p, p.graph.nodes[i].location);

		assert_int_equal(p.graph.self[2 * i].i,
				 strcmp(name, "String#downcase") ? 0 : 160);
		assert_int_equal(p.graph.total[2 * i + 1].i, 16000);
		found += !strcmp(name, "String#downcase");
	}
	assert_int_equal(found, 1);
	pn_profile_release(&p);
}

static void refuses_dump(const char *bytes, size_t len, const char *message)
{
	char want[256];
	struct pn_profile p;
	struct pn_error err = {0};

	snprintf(want, sizeof(want), "cannot read 'x': %s", message);
	assert_true(read_bytes(&p, &pn_codec_stackprof, bytes, len, &err) < 0);
	assert_string_equal(err.message, want);
}

#define REFUSES_DUMP(bytes, message)                                           \
	refuses_dump("\x04\x08" bytes, sizeof(bytes) + 1, message)

static void names_the_byte_of_a_dump_that_is_wrong(void **state)
{
	struct pn_buf dump = {0};
	int i;

	(void)state;
	REFUSES_DUMP("", "byte 2: the dump is cut short");
	REFUSES_DUMP("[\x06i", "byte 5: the dump is cut short");
	REFUSES_DUMP("{\x7fi", "byte 4: a length beyond the end of the dump");
	REFUSES_DUMP("[\x06@\x05", "byte 6: a link to no text and no number");
	REFUSES_DUMP("[\x06@\x06", "byte 6: a link to no text and no number");
	REFUSES_DUMP("[\x06;\x05", "byte 6: a link to no symbol");
	REFUSES_DUMP("{\x06"
		     "00",
		     "byte 5: expected a key that is a text or a whole "
		     "number");
	REFUSES_DUMP("[\x06o",
		     "byte 4: expected a text or a number: 'stackprof --json' "
		     "writes what is read here");
	REFUSES_DUMP("II", "byte 3: expected a text");
	REFUSES_DUMP("l+\x09\0\0\0\0\0\0\0\x80",
		     "byte 13: a number of more than 63 bits");
	pn_buf_add(&dump, "\x04\x08", 2);
	for (i = 0; i < 65; i++)
		pn_buf_add(&dump, "[\x06", 2);
	pn_buf_add_byte(&dump, '0');
	refuses_dump((const char *)dump.data, dump.len,
		     "byte 132: more than 64 containers in one another");
	pn_buf_release(&dump);
}

/* A text of 64 KB that 65,536 links repeat would be 4 GB. */
static void bounds_what_links_repeat(void **state)
{
	struct pn_buf dump = {0};
	struct pn_profile p;
	struct pn_error err = {0};
	int i;

	(void)state;
	pn_buf_add(&dump, "\x04\x08[\x03\x01\x00\x01\"\x02\xff\xff", 11);
	for (i = 0; i < 65535; i++)
		pn_buf_add_byte(&dump, 'x');
	for (i = 0; i < 65536; i++)
		pn_buf_add(&dump, "@\x06", 2);
	assert_int_equal(
		read_bytes(&p, &pn_codec_stackprof, dump.data, dump.len, &err),
		PN_ELIMIT);
	assert_non_null(strstr(err.message, "links make more of it than 8"));
	pn_buf_release(&dump);
}

/* Every tenth object is seen, and one sample is ten of them. */
static void says_what_a_sample_stands_for(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	if (read_text(&p, &pn_codec_stackprof,
		      "{\"mode\":\"object\",\"interval\":10,\"raw\":[1,7,3]"
		      "," FRAMES "}",
		      &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_profile_text(&p, p.types[1].type), "objects");
	assert_int_equal(p.values[0].i, 3);
	assert_int_equal(p.values[1].i, 30);
	pn_profile_release(&p);
	if (read_text(&p, &pn_codec_stackprof,
		      "{\"mode\":\"custom\",\"interval\":null," FRAMES "}",
		      &err))
		fail_msg("%s", err.message);
	assert_int_equal(p.type_count, 1);
	pn_profile_release(&p);
}

static void refuses(const char *text, const char *message)
{
	struct pn_profile p;
	struct pn_error err = {0};

	assert_int_equal(read_text(&p, &pn_codec_stackprof, text, &err),
			 PN_EINVAL);
	assert_string_equal(err.message, message);
}

static void names_the_place_that_is_wrong(void **state)
{
	(void)state;
	refuses(HEAD "\"raw\":[]}", "cannot read 'x': expected frames");
	refuses(HEAD "\"raw\":[1,8,1]," FRAMES "}",
		"cannot read 'x': frames: expected one with the id '8'");
	refuses(HEAD FRAMES ",\"raw\":[2,7]}",
		"cannot read 'x': raw: it ends within a stack, expected "
		"length, frames and a count");
	refuses(HEAD FRAMES ",\"raw\":[-1]}",
		"cannot read 'x': raw[0]: expected 0 or more");
	refuses(HEAD "\"frames\":{\"7\":{\"edges\":{\"8\":1}}}}",
		"cannot read 'x': frames: expected one with the id '8'");
	refuses(HEAD "\"frames\":{\"7\":{\"lines\":{\"x\":1}}}}",
		"cannot read 'x': frames.7.lines.x: expected a line as the "
		"key");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_raw_stacks),
		cmocka_unit_test(reads_times_and_what_was_missed),
		cmocka_unit_test(reads_the_graph_without_stacks),
		cmocka_unit_test(reads_dumps_as_it_reads_json),
		cmocka_unit_test(reads_a_dump_without_stacks),
		cmocka_unit_test(names_the_byte_of_a_dump_that_is_wrong),
		cmocka_unit_test(bounds_what_links_repeat),
		cmocka_unit_test(says_what_a_sample_stands_for),
		cmocka_unit_test(names_the_place_that_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
