/* stackprof: stacks where there are some, else the graph. */
#include "shared.h"

#define HEAD                                                                   \
	"{\"version\":1.2,\"mode\":\"wall\",\"interval\":1000,"                \
	"\"missed_samples\":0,"
#define FRAMES                                                                 \
	"\"frames\":{\"7\":{\"name\":\"main\",\"samples\":1,"                  \
	"\"total_samples\":3}}"

static void read_file(struct pn_profile *out, const char *name)
{
	const char *source = getenv("PERF_SOURCE_DIR");
	const struct pn_codec *used = NULL;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/stackprof/%s",
		 source ? source : ".", name);
	read_profile(out, &used, path);
	assert_ptr_equal(used, &pn_codec_stackprof);
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
	read_file(&p, "raw.json");
	assert_int_equal(p.sample_count, 3);
	assert_int_equal(p.graph.node_count, 0);
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

static void reads_the_graph_without_stacks(void **state)
{
	const struct pn_graph *g;
	struct pn_profile p;

	(void)state;
	read_file(&p, "graph.json");
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

static int read_text(struct pn_profile *out, const char *text,
		     struct pn_error *err)
{
	pn_profile_init(out);
	return pn_codec_read_memory(out, &pn_codec_stackprof, text,
				    strlen(text), "x", err);
}

/* Every tenth object is seen, and one sample is ten of them. */
static void says_what_a_sample_stands_for(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	if (read_text(&p,
		      "{\"mode\":\"object\",\"interval\":10,\"raw\":[1,7,3]"
		      "," FRAMES "}",
		      &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_profile_text(&p, p.types[1].type), "objects");
	assert_int_equal(p.values[0].i, 3);
	assert_int_equal(p.values[1].i, 30);
	pn_profile_release(&p);
	if (read_text(&p, "{\"mode\":\"custom\",\"interval\":null," FRAMES "}",
		      &err))
		fail_msg("%s", err.message);
	assert_int_equal(p.type_count, 1);
	pn_profile_release(&p);
}

static void refuses(const char *text, const char *message)
{
	struct pn_profile p;
	struct pn_error err = {0};

	assert_int_equal(read_text(&p, text, &err), PN_EINVAL);
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
		cmocka_unit_test(reads_the_graph_without_stacks),
		cmocka_unit_test(says_what_a_sample_stands_for),
		cmocka_unit_test(names_the_place_that_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
