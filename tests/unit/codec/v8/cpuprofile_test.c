/* V8's profiles, by the Chrome DevTools protocol. */
#include "codec/codec_text.h"
#include "codec/rows.h"

#define FRAME(name)                                                            \
	"\"callFrame\":{\"functionName\":\"" name "\",\"url\":"                \
	"\"w.js\",\"lineNumber\":1,\"columnNumber\":2}"
#define NODES                                                                  \
	"\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},"    \
	"\"hitCount\":0,\"children\":[2,3,5]},"                                \
	"{\"id\":2," FRAME(                                                    \
		"f") ",\"hitCount\":1,\"children\":[4]},"                      \
		     "{\"id\":3,\"callFrame\":{\"functionName\":\"(idle)\"}}," \
		     "{\"id\":5,\"callFrame\":{\"functionName\":\"(garbage "   \
		     "collector)\"}},"                                         \
		     "{\"id\":4," FRAME("") ",\"hitCount\":2}]"

/* "root;leaf" of a sample. */
static void has_sample(const struct pn_profile *p, size_t sample,
		       const char *want, int64_t count, int64_t us)
{
	uint32_t stack = p->samples[sample].stack;
	uint32_t at = p->stack_start[stack + 1];
	struct pn_buf names = {0};

	while (at-- > p->stack_start[stack]) {
		uint32_t line = p->locations[p->frames[at]].line_first;
		const struct pn_function *f =
			&p->functions[p->lines[line].function];

		pn_buf_printf(&names, "%s%s", names.len ? ";" : "",
			      pn_profile_text(p, f->name));
	}
	assert_string_equal(pn_buf_text(&names), want);
	assert_int_equal(p->values[sample * 2].i, count);
	assert_int_equal(p->values[sample * 2 + 1].i, us);
	pn_buf_release(&names);
}

/* A sample lasts until the next one begins: the deltas 5 (from the start), 10,
 * 20, 30, -4, 50 give 10, 20, 30, 0 (a clock that ran back), 50 and, at the
 * end, nothing. Garbage is collected on top of what ran. */
static void weighs_a_sample_until_the_next(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "{" NODES ",\"startTime\":100,\"endTime\":400,"
		  "\"samples\":[2,4,5,3,4,5],"
		  "\"timeDeltas\":[5,10,20,30,-4,50]}");
	assert_int_equal(p.sample_count, 5); /* idle is none */
	has_sample(&p, 0, "f", 1, 10);
	has_sample(&p, 1, "f;(anonymous)", 1, 20);
	has_sample(&p, 2, "f;(anonymous);(garbage collector)", 1, 30);
	has_sample(&p, 3, "f;(anonymous)", 1, 50);
	has_sample(&p, 4, "f;(anonymous);(garbage collector)", 1, 0);
	assert_int_equal(p.duration_ns, 300000);
	/* V8 counts lines and columns from 0 */
	assert_int_equal(p.functions[1].start_line, 2);
	assert_int_equal(p.lines[1].column, 3);
	pn_profile_release(&p);
}

static void takes_hits_where_there_are_no_samples(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL, "{" NODES "}");
	assert_int_equal(p.sample_count, 2);
	has_sample(&p, 0, "f", 1, 0);
	has_sample(&p, 1, "f;(anonymous)", 2, 0);
	assert_string_equal(pn_profile_text(&p, p.default_type), "samples");
	pn_profile_release(&p);
}

/* The form before 2016: nested, seconds since some start. */
static void reads_the_old_form(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "{\"head\":{\"functionName\":\"(root)\",\"url\":\"\","
		  "\"lineNumber\":0,\"hitCount\":0,\"children\":[{"
		  "\"functionName\":\"g\",\"hitCount\":3,\"children\":[],"
		  "\"id\":2}],\"id\":1},\"startTime\":1.5,\"endTime\":2.5,"
		  "\"samples\":[2,2],\"timestamps\":[1000,1600]}");
	assert_int_equal(p.sample_count, 2);
	has_sample(&p, 0, "g", 1, 600);
	has_sample(&p, 1, "g", 1, 0);
	pn_profile_release(&p);
}

static void refuses_what_is_no_tree(void **state)
{
	(void)state;
	refuses_text(&pn_codec_cpuprofile, "{}", "expected nodes");
	refuses_text(&pn_codec_cpuprofile,
		     "{\"nodes\":[{\"id\":1},{\"id\":1}]}",
		     "two nodes have the id 1");
	refuses_text(&pn_codec_cpuprofile,
		     "{\"nodes\":[{\"id\":1,\"children\":[2]}]}",
		     "no node has the id 2");
	refuses_text(&pn_codec_cpuprofile,
		     "{\"nodes\":[{\"id\":1,\"children\":[1]}]}",
		     "the node 1 is below itself");
	refuses_text(&pn_codec_cpuprofile,
		     "{\"nodes\":[{\"id\":1,\"children\":[2]},"
		     "{\"id\":2,\"children\":[1]}]}",
		     "the node 1 is below itself");
	refuses_text(&pn_codec_cpuprofile,
		     "{\"nodes\":[{\"id\":1,\"children\":[3]},"
		     "{\"id\":2,\"children\":[3]},{\"id\":3}]}",
		     "the node 3 has two parents");
	refuses_text(&pn_codec_cpuprofile,
		     "{\"nodes\":[{\"id\":1}],\"samples\":[1,9]}",
		     "samples[1]: no node has the id 9");
	refuses_text(&pn_codec_cpuprofile,
		     "{\"nodes\":[{\"id\":1,\"hitCount\":-1}]}",
		     "nodes[0].hitCount: expected 0 or more");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weighs_a_sample_until_the_next),
		cmocka_unit_test(takes_hits_where_there_are_no_samples),
		cmocka_unit_test(reads_the_old_form),
		cmocka_unit_test(refuses_what_is_no_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
