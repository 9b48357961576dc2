/* Profiles of other origin, written as Perun's. */
#include "codec/rows.h"
#include "perun_text.h"

static uint32_t add_function(struct pn_profile *p, const char *name,
			     const char *file)
{
	struct pn_function function = {0};

	function.name = pn_strtab_add_text(&p->strings, name);
	function.file = pn_strtab_add_text(&p->strings, file);
	return pn_profile_add_function(p, &function);
}

/* main calls f, into which g is inlined; one sample in g, one in main. */
static void build(struct pn_profile *p)
{
	const union pn_value first[] = {{.i = 3}, {.i = 30}};
	const union pn_value second[] = {{.i = 1}, {.i = 10}};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line lines[2] = {{0}};
	struct pn_label labels[3] = {{0}};
	uint32_t frames[2], set;

	pn_profile_init(p);
	pn_profile_add_type(p, "samples", "count");
	pn_profile_add_type(p, "cpu", "nanoseconds");
	lines[0].function = add_function(p, "g", "a.c");
	lines[0].line = 7;
	lines[1].function = add_function(p, "f", "a.c");
	lines[1].line = 9;
	frames[0] = pn_profile_add_location(p, &location, lines, 2);
	lines[0].function = add_function(p, "main", "m.c");
	lines[0].line = 1;
	frames[1] = pn_profile_add_location(p, &location, lines, 1);
	labels[0].key = pn_strtab_add_text(&p->strings, "worker");
	labels[0].value.s = pn_strtab_add_text(&p->strings, "w1");
	labels[1].key = labels[0].key;
	labels[1].value.s = pn_strtab_add_text(&p->strings, "w2");
	labels[2].key = pn_strtab_add_text(&p->strings, "bytes");
	labels[2].kind = PN_LABEL_INT;
	labels[2].value.i = 64;
	set = pn_profile_add_label_set(p, labels, 3);
	pn_profile_add_sample(p, pn_profile_add_stack(p, frames, 2), set,
			      first);
	pn_profile_add_sample(p, pn_profile_add_stack(p, frames + 1, 1), 0,
			      second);
	p->header.collector.name = pn_strtab_add_text(&p->strings, "pprof");
}

static void makes_a_resource_of_each_sample(void **state)
{
	struct pn_profile p;
	char *have;

	(void)state;
	build(&p);
	have = must_write(&p);
	assert_string_equal(
		have,
		"{\"resources\": {\"g#0\": {\"samples\": [3], \"amount\": [30]"
		"}, \"main#0\": {\"samples\": [1], \"amount\": [10]}}, "
		"\"resource_type_map\": {\"g#0\": {\"bytes\": 64, "
		"\"subtype\": \"cpu\", \"trace\": ["
		"{\"function\": \"g\", \"source\": \"a.c\", \"line\": 7}, "
		"{\"function\": \"f\", \"source\": \"a.c\", \"line\": 9}, "
		"{\"function\": \"main\", \"source\": \"m.c\", \"line\": 1}], "
		"\"type\": \"time\", \"uid\": \"g\", \"worker\": [\"w1\", "
		"\"w2\"]}, \"main#0\": {\"subtype\": \"cpu\", \"trace\": ["
		"{\"function\": \"main\", \"source\": \"m.c\", \"line\": 1}], "
		"\"type\": \"time\", \"uid\": \"main\"}}, \"models\": [], "
		"\"header\": {\"type\": \"time\", \"units\": {\"time\": "
		"\"nanoseconds\"}, \"cmd\": \"\", \"workload\": \"\"}, "
		"\"collector_info\": {\"name\": \"pprof\", \"params\": {}}, "
		"\"postprocessors\": []}");
	free(have);
	pn_profile_release(&p);
}

static void takes_the_default_type_for_the_amount(void **state)
{
	struct pn_profile p, read;
	char *have;

	(void)state;
	build(&p);
	p.default_type = p.types[0].type;
	p.header.kind = pn_strtab_add_text(&p.strings, "mixed");
	have = must_write(&p);
	must_read(&read, have);
	assert_string_equal(text_of(&read, read.types[0].type), "amount");
	assert_string_equal(text_of(&read, read.types[0].unit), "count");
	assert_string_equal(text_of(&read, read.types[1].type), "cpu");
	assert_string_equal(text_of(&read, read.default_type), "amount");
	assert_string_equal(text_of(&read, read.header.kind), "mixed");
	assert_int_equal(read.values[0].i, 3);
	assert_int_equal(read.values[1].i, 30);
	assert_string_equal(label_of(&read, 0, "subtype"), "samples");
	assert_string_equal(frame_of(&read, 0, 1), "f a.c:9");
	assert_true(read.complete);
	free(have);
	pn_profile_release(&p);
	pn_profile_release(&read);
}

static void names_the_binary_where_there_are_no_names(void **state)
{
	const union pn_value value = {.i = 1};
	struct pn_location location = {.address = 0x4005d0};
	struct pn_mapping mapping = {0};
	struct pn_profile p, read;
	uint32_t frame;
	char *have;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "space", "bytes");
	mapping.file = pn_strtab_add_text(&p.strings, "/bin/ls");
	location.mapping = pn_profile_add_mapping(&p, &mapping);
	frame = pn_profile_add_location(&p, &location, NULL, 0);
	pn_profile_add_sample(&p, pn_profile_add_stack(&p, &frame, 1), 0,
			      &value);
	pn_profile_add_sample(&p, pn_profile_add_stack(&p, NULL, 0), 0, &value);
	have = must_write(&p);
	must_read(&read, have);
	assert_string_equal(text_of(&read, read.header.kind), "memory");
	assert_string_equal(frame_of(&read, 0, 0), "[ls] /bin/ls:0");
	assert_string_equal(frame_of(&read, 1, 0), "[unknown] :0");
	free(have);
	pn_profile_release(&p);
	pn_profile_release(&read);
}

static void replaces_bytes_that_are_no_text(void **state)
{
	const union pn_value value = {.i = 1};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {0};
	struct pn_profile p;
	uint32_t frame;
	char *have;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "n", "");
	line.function = add_function(&p, "a\xff\xc3\xa9\xe2\x82", "");
	frame = pn_profile_add_location(&p, &location, &line, 1);
	pn_profile_add_sample(&p, pn_profile_add_stack(&p, &frame, 1), 0,
			      &value);
	have = must_write(&p);
	assert_non_null(
		strstr(have, "\"uid\": \"a\\ufffd\\u00e9\\ufffd\\ufffd\""));
	free(have);
	pn_profile_release(&p);
}

static void refuses_what_has_no_samples(void **state)
{
	const double values[] = {1, 2};
	struct pn_buf out = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_metric(&p, "wall", "s", PN_BETTER_LESS, values, 2);
	assert_int_equal(pn_codec_perun.write(&out, &p, &err), PN_EINVAL);
	assert_string_equal(err.message, "measurements without samples have "
					 "no place in a Perun profile");
	assert_int_equal(out.len, 0);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_a_resource_of_each_sample),
		cmocka_unit_test(takes_the_default_type_for_the_amount),
		cmocka_unit_test(names_the_binary_where_there_are_no_names),
		cmocka_unit_test(replaces_bytes_that_are_no_text),
		cmocka_unit_test(refuses_what_has_no_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
