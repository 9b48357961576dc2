/* gprof's text: flat profile, call graph, cycles and blank columns. The text
 * of a recursive program is what gprof 2.40 printed. */
#include "codec/codec_text.h"
#include "shared.h"

static const char graph[] =
	"\t\t     Call graph\n\n\n"
	"granularity: each sample hit covers 2 byte(s) for 2.17% of 0.46 "
	"seconds\n\n"
	"index % time    self  children    called     name\n"
	"                0.10    0.00    1000/4238        odd <cycle 1> [6]\n"
	"                0.11    0.00    1100/4238        even <cycle 1> [5]\n"
	"                0.21    0.00    2138/4238        cmp(int, int) [3]\n"
	"[1]     91.3    0.42    0.00    4238         spin [1]\n"
	"-----------------------------------------------\n"
	"                                                 <spontaneous>\n"
	"[2]     53.9    0.00    0.25                 main [2]\n"
	"                0.00    0.21     100/100         even <cycle 1> [5]\n"
	"                0.04    0.00       1/1           fib [7]\n"
	"-----------------------------------------------\n"
	"                                                 <spontaneous>\n"
	"[3]     46.1    0.00    0.21                 cmp(int, int) [3]\n"
	"                0.21    0.00    2138/4238        spin [1]\n"
	"-----------------------------------------------\n"
	"[4]     45.2    0.00    0.21     100+2000    <cycle 1 as a whole> "
	"[4]\n"
	"                0.00    0.11    1100             even <cycle 1> [5]\n"
	"                0.00    0.10    1000             odd <cycle 1> [6]\n"
	"-----------------------------------------------\n"
	"                                1000             odd <cycle 1> [6]\n"
	"                0.00    0.21     100/100         main [2]\n"
	"[5]     23.7    0.00    0.11    1100         even <cycle 1> [5]\n"
	"                0.11    0.00    1100/4238        spin [1]\n"
	"                                1000             odd <cycle 1> [6]\n"
	"-----------------------------------------------\n"
	"                                1000             even <cycle 1> [5]\n"
	"[6]     21.5    0.00    0.10    1000         odd <cycle 1> [6]\n"
	"                0.10    0.00    1000/4238        spin [1]\n"
	"                                1000             even <cycle 1> [5]\n"
	"-----------------------------------------------\n"
	"                             48315632             fib [7]\n"
	"                0.04    0.00       1/1           main [2]\n"
	"[7]      8.7    0.04    0.00       1+48315632 fib [7]\n"
	"                             48315632             fib [7]\n"
	"-----------------------------------------------\n\n"
	"Index by function name\n\n"
	"   [5] even (t.c)              [6] odd                     [4] "
	"<cycle 1>\n"
	"   [7] fib                     [1] spin (t.c)\n";

#define NS 10000000 /* gprof prints in 0.01 s */

static void is_node(const struct pn_profile *p, const char *name, int64_t self,
		    int64_t total, int64_t calls, int64_t primitive)
{
	size_t at = node(p, name);

	assert_int_equal(p->graph.self[at].i, self);
	assert_int_equal(p->graph.total[at].i, total);
	assert_int_equal(p->graph.nodes[at].calls, calls);
	assert_int_equal(p->graph.nodes[at].primitive, primitive);
}

static void is_edge(const struct pn_profile *p, const char *from,
		    const char *to, int64_t calls, int64_t total)
{
	size_t i, caller = node(p, from), callee = node(p, to), found = 0;

	for (i = 0; i < p->graph.edge_count; i++) {
		const struct pn_edge *e = &p->graph.edges[i];

		if (e->caller != caller || e->callee != callee)
			continue;
		assert_int_equal(e->calls, calls);
		assert_int_equal(p->graph.edge_total[i].i, total);
		found++;
	}
	assert_int_equal(found, 1);
}

static void reads_the_call_graph(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL, graph);
	assert_int_equal(p.graph.node_count, 6); /* the cycle is none */
	is_node(&p, "spin", 42 * NS, 42 * NS, 4238, 4238);
	is_node(&p, "main", 0, 25 * NS, -1, -1);
	is_node(&p, "even", 0, 11 * NS, 1100, 1100);
	is_node(&p, "fib", 4 * NS, 4 * NS, 48315633, 1);
	assert_int_equal(p.graph.edge_count, 8);
	is_edge(&p, "cmp(int, int)", "spin", 2138, 21 * NS);
	is_edge(&p, "main", "even", 100, 21 * NS);
	is_edge(&p, "even", "odd", 1000, 0);
	is_edge(&p, "fib", "fib", 48315632, 0);
	assert_string_equal(
		pn_profile_text(&p, function_of(&p, node(&p, "spin"))->file),
		"t.c");
	assert_int_equal(function_of(&p, node(&p, "odd"))->file, 0);
	pn_profile_release(&p);
}

static const char flat[] =
	"Flat profile:\n\n"
	"Each sample counts as 0.01 seconds.\n"
	"  %   cumulative   self              self     total           \n"
	" time   seconds   seconds    calls  ms/call  ms/call  name    \n"
	" 91.45      0.42     0.42     4238     0.10     0.10  spin\n"
	"  8.71      0.46     0.04        1    40.06    90.06  f(int) const\n"
	"  0.00      0.46     0.00                             main\n"
	"\n %         the percentage of the total running time of the\n";

/* Its totals are those of a call, times the calls. */
static void reads_a_flat_profile_alone(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL, flat);
	assert_int_equal(p.graph.node_count, 3);
	is_node(&p, "spin", 42 * NS, 423800000, 4238, 4238);
	is_node(&p, "f(int) const", 4 * NS, 90060000, 1, 1);
	is_node(&p, "main", 0, 0, -1, -1);
	assert_int_equal(p.period, NS);
	pn_profile_release(&p);
}

static void refuses(const char *text, const char *message)
{
	struct pn_profile p;
	struct pn_error err = {0};

	assert_int_equal(read_text(&p, NULL, text, &err), PN_EINVAL);
	assert_string_equal(err.message, message);
}

#define HEADING                                                                \
	"Call graph\n\nindex % time    self  children    called     name\n"

static void names_the_line_that_is_wrong(void **state)
{
	(void)state;
	refuses(HEADING "hello\n",
		"cannot read 'x': line 4: expected '[n] time self children "
		"called name [n]', as gprof prints it");
	refuses(HEADING "   0.10    0.00    1000/4238        odd [6]\n---\n",
		"cannot read 'x': line 5: a block without a line '[n]'");
	refuses(HEADING
		"[1] 1.0 0.10 0.00 1 a [1]\n[2] 1.0 0.10 0.00 1 b [2]\n",
		"cannot read 'x': line 5: a second line '[n]' in a block");
	refuses(HEADING, "cannot read 'x': line 3: the file ends without a "
			 "function");
	refuses("Flat profile:\n\n  %   cumulative   self     self\n"
		" time seconds seconds calls name\nx\n",
		"cannot read 'x': line 5: expected '% cumulative self [calls "
		"self total] name', as gprof prints it");
}

/* The figures of the file's own two tables. */
static void agrees_with_both_tables_of_a_real_file(void **state)
{
	struct pn_profile p;

	(void)state;
	read_profile(&p, NULL, shared("gprof/wordfreq.gprof.txt"));
	assert_int_equal(p.graph.node_count, 10);
	is_node(&p, "table_lookup", 8 * NS, 8 * NS, 3312250, 3312250);
	is_node(&p, "next_token", NS, NS, 3312260, 3312260);
	is_node(&p, "main", 0, 9 * NS, -1, -1);
	is_node(&p, "sort_entries", 0, 0, 10, 10);
	is_edge(&p, "table_lookup", "hash_word", 3312250, 0);
	is_edge(&p, "main", "next_token", 3312260, NS);
	assert_int_equal(p.graph.edge_count, 9);
	assert_string_equal(
		pn_profile_text(&p,
				function_of(&p, node(&p, "hash_word"))->file),
		"wordfreq.c");
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_call_graph),
		cmocka_unit_test(reads_a_flat_profile_alone),
		cmocka_unit_test(names_the_line_that_is_wrong),
		cmocka_unit_test(agrees_with_both_tables_of_a_real_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
