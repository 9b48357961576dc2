/* A profile as a data frame: keys, values, what is unique, and CSV. */
#include "model/query.h"

#include "base/alloc.h"
#include "codec/rows.h"
#include "model/graph/graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stacks.h"

static uint32_t label_set(struct pn_profile *p, const char *kind, int64_t bytes)
{
	struct pn_label labels[2] = {{0}, {0}};

	labels[0].key = pn_strtab_add_text(&p->strings, "kind");
	labels[0].kind = PN_LABEL_STRING;
	labels[0].value.s = pn_strtab_add_text(&p->strings, kind);
	labels[1].key = pn_strtab_add_text(&p->strings, "file");
	labels[1].kind = PN_LABEL_INT;
	labels[1].value.i = bytes;
	return pn_profile_add_label_set(p, labels, bytes ? 2 : 1);
}

static void setup(struct pn_profile *p)
{
	union pn_value values[2] = {{.i = 3}, {.d = 0.5}};

	pn_profile_init(p);
	pn_profile_add_type(p, "samples", "");
	pn_profile_add_type(p, "cpu", "ms");
	p->types[1].number = PN_NUMBER_DOUBLE;
	add_labelled(p, "main > g:h", label_set(p, "a", 64), values);
	add_labelled(p, "main", label_set(p, "b", 0), values);
	pn_profile_set_absent(p, 1, 1);
	add_labelled(p, "", 0, values);
}

static void csv_is(const struct pn_profile *p, const char *want)
{
	struct pn_buf out = {0};
	struct pn_error err;

	assert_int_equal(pn_codec_csv.write(&out, p, &err), 0);
	assert_string_equal(pn_buf_text(&out), want);
	pn_buf_release(&out);
}

static void lists_all_keys_and_says_which_are_numbers(void **state)
{
	static const struct {
		const char *name;
		bool numeric;
	} keys[] = {{"samples", true},	 {"cpu/ms", true}, {"function", false},
		    {"file", false},	 {"line", true},   {"address", true},
		    {"binary", false},	 {"stack", false}, {"kind", false},
		    {"label:file", true}};
	struct pn_profile p;
	struct pn_query q;
	size_t i;

	(void)state;
	setup(&p);
	pn_query_init(&q, &p);
	assert_int_equal(q.resource_count, 3);
	assert_int_equal(q.key_count, sizeof(keys) / sizeof(keys[0]));
	for (i = 0; i < q.key_count; i++) {
		assert_string_equal(q.keys[i].name, keys[i].name);
		assert_int_equal(q.keys[i].numeric, keys[i].numeric);
	}
	assert_int_equal(pn_query_find(&q, "kind"), 8);
	assert_true(pn_query_find(&q, "none") == SIZE_MAX);
	pn_query_release(&q);
	pn_profile_release(&p);
}

static void gives_unique_values_in_order(void **state)
{
	struct pn_strtab values = {0};
	struct pn_profile p;
	struct pn_query q;

	(void)state;
	setup(&p);
	pn_query_init(&q, &p);
	pn_query_unique(&values, &q, pn_query_find(&q, "kind"));
	assert_int_equal(values.count, 3); /* with "" */
	assert_string_equal(pn_strtab_text(&values, 1), "a");
	assert_string_equal(pn_strtab_text(&values, 2), "b");
	pn_strtab_release(&values);
	pn_query_unique(&values, &q, pn_query_find(&q, "samples"));
	assert_int_equal(values.count, 2);
	assert_string_equal(pn_strtab_text(&values, 1), "3");
	pn_strtab_release(&values);
	pn_query_release(&q);
	pn_profile_release(&p);
}

/* h was inlined into g, which main called. */
static void writes_samples(void **state)
{
	struct pn_profile p;

	(void)state;
	setup(&p);
	csv_is(&p, "samples,cpu/ms,function,file,line,address,binary,stack,"
		   "kind,label:file\r\n"
		   "3,0.5,h,h.c,2,2,,main;g;h,a,64\r\n"
		   "3,,main,main.c,1,3,,main,b,\r\n"
		   "3,0.5,,,,,,,,\r\n");
	pn_profile_release(&p);
}

/* Texts that would end a field, a row, or be run by a spreadsheet. */
static void writes_hostile_texts_harmlessly(void **state)
{
	struct pn_profile p;
	union pn_value value = {.i = -1};

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "n", "");
	add_labelled(&p, "=HYPERLINK(\"x\")", 0, &value);
	add_labelled(&p, "a\r\nb,c", 0, &value);
	csv_is(&p, "n,function,file,line,address,binary,stack\r\n"
		   "-1,\"'=HYPERLINK(\"\"x\"\")\","
		   "\"'=HYPERLINK(\"\"x\"\").c\",1,1,,"
		   "\"'=HYPERLINK(\"\"x\"\")\"\r\n"
		   "-1,\"a\r\nb,c\",\"a\r\nb,c.c\",1,2,,\"a\r\nb,c\"\r\n");
	pn_profile_release(&p);
}

static void joins_several_values_of_a_label(void **state)
{
	struct pn_label labels[2] = {{0}, {0}};
	union pn_value value = {.i = 1};
	struct pn_profile p;
	uint32_t set;
	int i;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "n", "");
	for (i = 0; i < 2; i++) {
		labels[i].key = pn_strtab_add_text(&p.strings, "k");
		labels[i].kind = PN_LABEL_INT;
		labels[i].value.i = i + 1;
	}
	set = pn_profile_add_label_set(&p, labels, 2);
	add_labelled(&p, "f", set, &value);
	csv_is(&p, "n,function,file,line,address,binary,stack,k\r\n"
		   "1,f,f.c,1,1,,f,\"1,2\"\r\n");
	pn_profile_release(&p);
}

static void writes_a_call_graph(void **state)
{
	struct pn_profile p;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "Ir", "");
	pn_graph_add_node(&p, location_of(&p, "f"), 4, -1);
	p.graph.self[0].i = 5;
	p.graph.total[0].i = 9;
	csv_is(&p, "self:Ir,total:Ir,calls,primitive,function,file,line,"
		   "address,binary\r\n"
		   "5,9,4,,f,f.c,1,1,\r\n");
	pn_profile_release(&p);
}

static void writes_metrics(void **state)
{
	const double values[] = {1.5, 2};
	struct pn_metric *metric;
	struct pn_profile p;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_metric(&p, "wall", "s", PN_BETTER_LESS, values, 2);
	metric = pn_profile_add_metric(&p, "x", "", PN_BETTER_UNKNOWN, NULL, 0);
	metric->summary = (struct pn_summary){4, 1, NAN, 2, NAN, 3, 2.25, NAN};
	csv_is(&p, "metric,unit,better,index,value,n,min,q1,median,q3,max,"
		   "mean,sd\r\n"
		   "wall,s,less,0,1.5,,,,,,,,\r\n"
		   "wall,s,less,1,2,,,,,,,,\r\n"
		   "x,,,,,4,1,,2,,3,2.25,\r\n");
	pn_profile_release(&p);
}

static void add_model(struct pn_profile *p, const char *text)
{
	struct pn_header *h = &p->header;

	h->models = pn_realloc_array(h->models, h->model_count + 1,
				     sizeof(*h->models));
	h->models[h->model_count++] = pn_strtab_add_text(&p->strings, text);
}

static void asks_models(void **state)
{
	struct pn_strtab values = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	pn_profile_init(&p);
	add_model(&p, "{\"model\":\"linear\",\"uid\":\"f\",\"coeffs\":[1]}");
	add_model(&p, "{\"model\":\"linear\",\"uid\":\"g\",\"r\":0.5}");
	assert_int_equal(pn_query_models(&values, &p, "model", &err), 0);
	assert_int_equal(values.count, 2);
	assert_string_equal(pn_strtab_text(&values, 1), "linear");
	pn_strtab_release(&values);
	assert_int_equal(pn_query_models(&values, &p, "coeffs", &err), 0);
	assert_string_equal(pn_strtab_text(&values, 1), "[1]");
	pn_strtab_release(&values);
	assert_int_equal(pn_query_models(&values, &p, NULL, &err), 0);
	assert_int_equal(values.count, 5);
	assert_string_equal(pn_strtab_text(&values, 4), "r");
	pn_strtab_release(&values);
	add_model(&p, "[]");
	assert_int_equal(pn_query_models(&values, &p, NULL, &err), PN_EINVAL);
	pn_strtab_release(&values);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_all_keys_and_says_which_are_numbers),
		cmocka_unit_test(gives_unique_values_in_order),
		cmocka_unit_test(writes_samples),
		cmocka_unit_test(writes_hostile_texts_harmlessly),
		cmocka_unit_test(joins_several_values_of_a_label),
		cmocka_unit_test(writes_a_call_graph),
		cmocka_unit_test(writes_metrics),
		cmocka_unit_test(asks_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
