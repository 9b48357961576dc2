/* Tables of members: what each type takes, leaves and refuses. */
#include "codec/json/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct point {
	double x;
	int64_t count, size;
	uint32_t name;
	struct pn_buf text;
	struct pn_json_doubles weights;
	struct pn_json_ints ids, names;
	size_t seen;
};

static int see(void *to, struct pn_json *json, enum pn_json_event first,
	       struct pn_error *err)
{
	++*(size_t *)to;
	return pn_json_skip(json, first, err);
}

static const struct pn_json_field others[] = {
	PN_JSON_FIELD("x", point, x),
	PN_JSON_FIELD("text", point, text),
	{"one", see, .offset = offsetof(struct point, seen)},
	{"each", .each = see, .offset = offsetof(struct point, seen)},
	{0},
};

static const struct pn_json_field fields[] = {
	PN_JSON_FIELD_OR_NULL("count", point, count),
	PN_JSON_AMOUNT("size", point, size),
	PN_JSON_FIELD("name", point, name),
	PN_JSON_FIELD("weights", point, weights),
	PN_JSON_FIELD_OR_NULL("ids", point, ids),
	PN_JSON_STRINGS("names", point, names),
	{"inner", .fields = others},
	{.fields = others},
};

static int walk(struct point *out, struct pn_strtab *strings, const char *text,
		struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code = pn_reader_memory(&in, text, strlen(text), "x", 0, err);

	memset(out, 0, sizeof(*out));
	if (!code)
		code = pn_json_walk_document(out, strings, in, fields, err);
	pn_reader_free(in);
	return code;
}

static void release(struct point *p)
{
	pn_buf_release(&p->text);
	free(p->weights.items);
	free(p->ids.items);
	free(p->names.items);
}

static void each_type_has_its_place(void **state)
{
	struct pn_strtab strings = {0};
	struct pn_error err = {0};
	struct point p;

	(void)state;
	if (walk(&p, &strings,
		 "{\"x\":1.5,\"count\":-3,\"size\":9007199254740993,"
		 "\"name\":\"a\",\"weights\":[1,0.5],\"ids\":[4,null,5],"
		 "\"names\":[\"a\",\"b\"],\"text\":{\"k\": [1.50, null]},"
		 "\"one\":{},\"each\":[1,[],{}],\"unknown\":[{}]}",
		 &err))
		fail_msg("%s", err.message);
	assert_true(p.x == 1.5);
	assert_int_equal(p.count, -3);
	assert_true(p.size == INT64_C(9007199254740993));
	assert_string_equal(pn_strtab_text(&strings, p.name), "a");
	assert_int_equal(p.weights.count, 2);
	assert_true(p.weights.items[1] == 0.5);
	assert_int_equal(p.ids.count, 3);
	assert_int_equal(p.ids.items[1], -1);
	assert_int_equal(p.ids.items[2], 5);
	assert_int_equal(p.names.items[0], p.name);
	assert_string_equal(
		pn_strtab_text(&strings, (uint32_t)p.names.items[1]), "b");
	assert_string_equal(pn_buf_text(&p.text), "{\"k\":[1.50,null]}");
	assert_int_equal(p.seen, 4);
	release(&p);
	pn_strtab_release(&strings);
}

static void a_table_goes_on_in_another_and_in_an_object(void **state)
{
	struct pn_error err = {0};
	struct point p;

	(void)state;
	if (walk(&p, NULL, "{\"x\":1,\"inner\":{\"x\":2,\"count\":7}}", &err))
		fail_msg("%s", err.message);
	assert_true(p.x == 2);
	assert_int_equal(p.count, 0);
	release(&p);
}

static void null_is_taken_where_the_table_says_so(void **state)
{
	struct pn_error err = {0};
	struct point p;

	(void)state;
	assert_int_equal(walk(&p, NULL, "{\"count\":null,\"ids\":null}", &err),
			 0);
	release(&p);
	assert_int_equal(walk(&p, NULL, "{\"size\":null}", &err), PN_EINVAL);
	assert_string_equal(err.message, "size: expected a number, have null");
	release(&p);
	assert_int_equal(walk(&p, NULL, "{\"weights\":[1,null]}", &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "weights[1]: expected a number, have null");
	release(&p);
}

static void a_wrong_value_is_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"{\"size\":-1}", "size: expected 0 or more"},
		{"{\"count\":1.5}", "count: expected a whole number"},
		{"{\"x\":NaN}", "x: expected a finite number"},
		{"{\"name\":1}", "name: expected a string, have a number"},
		{"{\"names\":[1]}",
		 "names[0]: expected a string, have a number"},
		{"{\"names\":\"a\"}",
		 "names: expected an array, have a string"},
		{"{\"inner\":[]}", "inner: expected an object, have an array"},
		{"[]", "expected an object, have an array"},
	};
	struct pn_strtab strings = {0};
	struct pn_error err = {0};
	struct point p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(walk(&p, &strings, cases[i].text, &err),
				 PN_EINVAL);
		assert_string_equal(err.message, cases[i].message);
		release(&p);
	}
	pn_strtab_release(&strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_has_its_place),
		cmocka_unit_test(a_table_goes_on_in_another_and_in_an_object),
		cmocka_unit_test(null_is_taken_where_the_table_says_so),
		cmocka_unit_test(a_wrong_value_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
