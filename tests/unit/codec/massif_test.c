/* Massif: the peak as stacks, the curve, and what ms_print says of it. */
#include "codec/rows.h"
#include "codec_text.h"
#include "shared.h"

#define HEAD "desc: x\ncmd: ./prog -n 3\ntime_unit: i\n"
#define SNAPSHOT(n) "#-----------\nsnapshot=" n "\n#-----------\n"
#define VALUES(heap)                                                           \
	"time=100\nmem_heap_B=" heap "\nmem_heap_extra_B=24\nmem_stacks_B="    \
	"64\n"
#define ALLOC "(heap allocation functions) malloc/new/new[]\n"

/* "leaf;caller;root value" of every sample. */
static void is_samples(const struct pn_profile *p, const char *expected)
{
	struct pn_buf text = {0};
	size_t i, f;

	for (i = 0; i < p->sample_count; i++) {
		uint32_t stack = p->samples[i].stack;

		for (f = p->stack_start[stack]; f < p->stack_start[stack + 1];
		     f++) {
			const struct pn_location *l =
				&p->locations[p->frames[f]];
			const struct pn_line *line = &p->lines[l->line_first];
			const struct pn_function *function =
				&p->functions[line->function];

			pn_buf_printf(&text, "%s@%s:%d;",
				      pn_profile_text(p, function->name),
				      pn_profile_text(p, function->file),
				      (int)line->line);
		}
		pn_buf_printf(&text, " %lld\n", (long long)p->values[i].i);
	}
	assert_string_equal(pn_buf_text(&text), expected);
	pn_buf_release(&text);
}

static void is_metric(const struct pn_profile *p, size_t at, const char *name,
		      double value)
{
	assert_string_equal(pn_profile_text(p, p->metrics[at].name), name);
	assert_string_equal(pn_profile_text(p, p->metrics[at].unit), "bytes");
	assert_int_equal(p->metrics[at].value_count, 1);
	assert_true(p->metrics[at].values[0] == value);
}

static void reads_the_peak_from_allocation_to_root(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "massif/small.massif"),
			 &pn_codec_massif);
	is_samples(&p, "make<int (*)(int)>(int)@prog.cc:7;main@prog.cc:20; "
		       "500\n"
		       "make<int (*)(int)>(int)@prog.cc:7;"
		       "[below threshold]@:0; 200\n"
		       "@:0;main@prog.cc:21; 290\n"
		       "[below threshold]@:0; 10\n");
	/* the program first, although only the library is on a stack */
	assert_string_equal(pn_profile_text(&p, p.mappings[0].file), "./prog");
	assert_string_equal(pn_profile_text(&p, p.mappings[1].file),
			    "/usr/lib/libx.so.1");
	assert_int_equal(p.locations[0].address, 0x4011);
	assert_string_equal(pn_profile_text(&p, p.header.cmd), "./prog");
	assert_string_equal(pn_profile_text(&p, p.header.args), "-n 3");
	pn_profile_release(&p);
}

/* "name unit/along: position=value[=parts] ..." of every curve. */
static void is_curves(const struct pn_profile *p, const char *expected)
{
	const struct pn_curves *c = &p->curves;
	struct pn_buf text = {0};
	size_t i, k;

	for (i = 0; i < c->count; i++) {
		const struct pn_curve *curve = &c->items[i];

		pn_buf_printf(&text,
			      "%s %s/%s:", pn_profile_text(p, curve->name),
			      pn_profile_text(p, curve->unit),
			      pn_profile_text(p, curve->along));
		for (k = curve->first; k < curve->first + curve->count; k++)
			pn_buf_printf(&text, " %g=%g", c->points[k].position,
				      c->points[k].value);
		pn_buf_add_byte(&text, '\n');
	}
	assert_string_equal(pn_buf_text(&text), expected);
	pn_buf_release(&text);
}

/* Snapshots 0 and 2 of three have trees: both say who holds the heap. */
static void knows_who_held_the_heap_at_each_tree(void **state)
{
	static const char text[] =
		"desc: x\ncmd: ./prog\ntime_unit: B\n" SNAPSHOT("0") VALUES(
			"90") "heap_tree=detailed\n"
			      "n1: 90 " ALLOC
			      " n0: 60 0x40: f (a.c:3)\n" SNAPSHOT("1") VALUES(
				      "95") "heap_tree=empty\n" SNAPSHOT("2")
				      VALUES("50") "heap_tree=detailed\n"
						   "n1: 50 " ALLOC
						   " n0: 50 0x40: f (a.c:3)\n";
	const double expected[] = {30, 60, 50};
	struct pn_profile p;
	struct pn_error err;
	size_t i;

	(void)state;
	assert_int_equal(read_text(&p, &pn_codec_massif, text, &err), 0);
	is_samples(&p, " 30\nf@a.c:3; 60\n");
	assert_string_equal(pn_profile_text(&p, p.curves.items[0].along),
			    "bytes");
	assert_int_equal(p.curves.part_count, 3);
	assert_int_equal(p.curves.points[0].count, 2);
	assert_int_equal(p.curves.points[1].count, 0);
	assert_int_equal(p.curves.points[2].count, 1);
	for (i = 0; i < 3; i++)
		assert_true(p.curves.parts[i].value == expected[i]);
	assert_int_equal(p.curves.parts[1].stack, p.curves.parts[2].stack);
	pn_profile_release(&p);
}

/* The peak is the one that is said to be it, though another is larger. */
static void keeps_the_figures_and_the_curve(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(
		read_text(&p, &pn_codec_massif,
			  HEAD SNAPSHOT("0") VALUES(
				  "900") "heap_tree=peak\n"
					 "n0: 900 " ALLOC SNAPSHOT("1")
						 VALUES("950") "heap_tree="
							       "detailed\n"
							       "n0: 950 " ALLOC,
			  &err),
		0);
	is_samples(&p, " 900\n");
	assert_int_equal(p.metric_count, 4);
	is_metric(&p, 0, "peak", 900 + 24 + 64);
	is_metric(&p, 1, "heap", 900);
	is_metric(&p, 2, "heap-extra", 24);
	is_metric(&p, 3, "stacks", 64);
	assert_int_equal(p.header.extra_count, 0);
	is_curves(&p, "heap bytes/i: 100=900 100=950\n"
		      "heap-extra bytes/i: 100=24 100=24\n"
		      "stacks bytes/i: 100=64 100=64\n");
	pn_profile_release(&p);
}

/* Nothing is detailed: the figures are those of the largest. */
static void reads_a_curve_alone(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(
		read_text(&p, &pn_codec_massif,
			  HEAD SNAPSHOT("0") VALUES(
				  "9") "heap_tree=empty\n" SNAPSHOT("1")
				  VALUES("11") "heap_tree="
					       "empty\n" SNAPSHOT("2")
						       VALUES("10") "heap_tree"
								    "=empty\n",
			  &err),
		0);
	assert_int_equal(p.sample_count, 0);
	is_metric(&p, 1, "heap", 11);
	pn_profile_release(&p);
}

static void refuses(const char *text, const char *message)
{
	struct pn_profile p;
	struct pn_error err = {0};

	assert_int_equal(read_text(&p, &pn_codec_massif, text, &err),
			 PN_EINVAL);
	assert_string_equal(err.message, message);
}

#define TREE HEAD SNAPSHOT("0") VALUES("9") "heap_tree=peak\n"

static void names_the_line_that_is_wrong(void **state)
{
	(void)state;
	refuses("hello\n", "cannot read 'x': line 1: expected 'desc:', "
			   "'cmd:', 'time_unit:' or 'snapshot='");
	refuses(HEAD, "cannot read 'x': line 3: the file ends without a "
		      "snapshot");
	refuses(HEAD SNAPSHOT("0") "time=-1\n",
		"cannot read 'x': line 7: expected a number of 0 or more");
	refuses(HEAD SNAPSHOT("0") "time=1\n" SNAPSHOT("1"),
		"cannot read 'x': line 9: the snapshot before has no time, "
		"mem_heap_B, mem_heap_extra_B, mem_stacks_B or heap_tree");
	refuses(HEAD SNAPSHOT("0") VALUES("9"),
		"cannot read 'x': line 10: the snapshot before has no time, "
		"mem_heap_B, mem_heap_extra_B, mem_stacks_B or heap_tree");
	refuses(TREE "n1: 9 " ALLOC " n0: 10 0x1: f (f.c:1)\n",
		"cannot read 'x': line 13: more bytes than the one above has");
	refuses(TREE "n1: 9 " ALLOC,
		"cannot read 'x': line 12: the tree before has fewer lines "
		"than it says");
	refuses(TREE "n0: 9 " ALLOC " n0: 1 0x1: f (f.c:1)\n",
		"cannot read 'x': line 13: more lines than the one above "
		"says");
	refuses(TREE "n1: 9 " ALLOC "  n0: 1 0x1: f (f.c:1)\n",
		"cannot read 'x': line 13: indented deeper than one more");
	refuses(TREE "9 bytes\n", "cannot read 'x': line 12: expected "
				  "'n<children>: <bytes> <place>'");
}

/* The figures of snapshot 66 in wordfreq.ms_print.txt. */
static void agrees_with_ms_print(void **state)
{
	static const double ends[3][2] = {
		{90154080, 498416}, {100245153, 514816}, {101236988, 531208}};
	const struct pn_point *last;
	struct pn_profile p;
	size_t i, k, trees = 0;

	(void)state;
	read_profile(&p, NULL, shared("massif/wordfreq.massif"));
	is_samples(&p, "main@wordfreq.c:93; 400064\n"
		       "table_lookup@wordfreq.c:60;main@wordfreq.c:100; 98352\n"
		       "main@wordfreq.c:102; 16400\n"
		       "qsort_r@msort.c:221;main@wordfreq.c:105; 16392\n");
	is_metric(&p, 0, "peak", 547632);
	is_metric(&p, 1, "heap", 531208);
	is_metric(&p, 2, "heap-extra", 16424);
	is_metric(&p, 3, "stacks", 0);
	last = &p.curves.points[p.curves.items[0].count - 1];
	for (i = 0; i < 3; i++)
		assert_true(last[(int)i - 2].position == ends[i][0] &&
			    last[(int)i - 2].value == ends[i][1]);
	/* the trees of all detailed snapshots add up to their heaps */
	for (i = 0; i < p.curves.items[0].count; i++) {
		const struct pn_point *point = &p.curves.points[i];
		double sum = 0;

		for (k = 0; k < point->count; k++)
			sum += p.curves.parts[point->first + k].value;
		assert_true(!point->count || sum == point->value);
		trees += point->count != 0;
	}
	assert_int_equal(trees, 6);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_peak_from_allocation_to_root),
		cmocka_unit_test(keeps_the_figures_and_the_curve),
		cmocka_unit_test(knows_who_held_the_heap_at_each_tree),
		cmocka_unit_test(reads_a_curve_alone),
		cmocka_unit_test(names_the_line_that_is_wrong),
		cmocka_unit_test(agrees_with_ms_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
