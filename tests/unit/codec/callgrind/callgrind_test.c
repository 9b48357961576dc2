/* callgrind's format: whose cost is what, totals with recursion, sums that
 * are checked. Sums stand beside the lines. */
#include "callgrind_text.h"

static void refuses(const char *text, const char *message)
{
	struct pn_profile p;
	struct pn_error err = {0};

	assert_true(read_text(&p, &pn_codec_callgrind, text, &err) < 0);
	assert_string_equal(err.message, message);
}

static const struct pn_edge *edge(const struct pn_profile *p, const char *from,
				  const char *to)
{
	size_t i, caller = node(p, from), callee = node(p, to);

	for (i = 0; i < p->graph.edge_count; i++)
		if (p->graph.edges[i].caller == caller &&
		    p->graph.edges[i].callee == callee)
			return &p->graph.edges[i];
	fail_msg("'%s' does not call '%s'", from, to);
	return NULL;
}

static void reads_costs_and_calls(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_callgrind, example);
	assert_int_equal(p.type_count, 2);
	assert_string_equal(pn_profile_text(&p, p.types[0].type), "Cycles");
	assert_string_equal(pn_profile_text(&p, p.default_type), "Cycles");
	assert_int_equal(p.graph.node_count, 3);
	assert_int_equal(self(&p, "main"), 20);
	assert_int_equal(total(&p, "main"), 820);  /* 20 + 400 + 400 */
	assert_int_equal(total(&p, "func1"), 400); /* 100 + 300 */
	assert_int_equal(total(&p, "func2"), 700); /* 400 + 300 */
	assert_int_equal(edge(&p, "main", "func2")->calls, 3);
	assert_int_equal(edge(&p, "main", "func2")->line, 16);
	assert_int_equal(p.graph.nodes[node(&p, "func2")].calls, 5);
	assert_int_equal(p.graph.nodes[node(&p, "main")].calls, -1);
	assert_string_equal(
		pn_profile_text(&p, function_of(&p, node(&p, "func2"))->file),
		"file2.c");
	assert_int_equal(p.graph.self[node(&p, "func2") * 2 + 1].i, 7);
	assert_int_equal(p.sample_count, 0);
	pn_profile_release(&p);
}

/* Numbers of objects, files and functions are three things. */
static void takes_numbers_for_names(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "version: 1\r\nevents: Ir\r\n"
		  "ob=(1) /bin/a\r\nfl=(1) a.c\r\nfn=(1) main\r\n1 1\r\n"
		  "cob=(2) /lib/b\r\ncfl=(2) b.c\r\ncfn=(2) (below f)\r\n"
		  "calls=1 1\r\n2 5\r\n"
		  "cfn=(3) near\r\ncalls=1 1\r\n3 2\r\n"
		  "ob=(2)\r\nfl=(2)\r\nfn=(2)\r\n1 5\r\n"
		  "ob=(1)\r\nfl=(1)\r\nfn=(3)\r\n7 2\r\n");
	assert_int_equal(p.graph.node_count, 3);
	assert_int_equal(total(&p, "main"), 8);
	assert_int_equal(total(&p, "(below f)"), 5);
	assert_int_equal(self(&p, "near"), 2);
	assert_int_equal(p.mapping_count, 2);
	pn_profile_release(&p);
	refuses("events: Ir\nfl=(1) a.c\nfn=(1)\n",
		"cannot read 'x': line 3: (1) stands for no name yet, "
		"expected '(1) name' before");
}

static const struct pn_cost *cost(const struct pn_profile *p, size_t i)
{
	assert_true(i < p->graph.cost_count);
	return &p->graph.costs[i];
}

/* fi= and fe= say where lines are, not whose they are. */
static void keeps_costs_by_line_and_instruction(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "positions: instr line\nevents: Ir\n"
		  "fl=a.c\nfn=f\n"
		  "0x10 5 1\n+2 +1 2\n* * 3\n"
		  "jcnd=1/2 0x40 9\n+0x2 -2\n" /* moves, costs nothing */
		  "fi=a.h\n+1 * 10\n"
		  "fe=a.c\n-5 +2 20\n");
	assert_int_equal(p.graph.node_count, 1);
	assert_int_equal(self(&p, "f"), 36);
	assert_int_equal(total(&p, "f"), 36);
	assert_int_equal(p.graph.cost_count, 4);
	assert_int_equal(cost(&p, 1)->address, 0x12);
	assert_int_equal(cost(&p, 1)->line, 6);
	assert_int_equal(p.graph.cost_values[1].i, 5); /* 2 + 3 */
	assert_int_equal(cost(&p, 2)->address, 0x15);
	assert_int_equal(cost(&p, 2)->line, 4);
	assert_string_equal(pn_profile_text(&p, cost(&p, 2)->file), "a.h");
	assert_int_equal(cost(&p, 3)->address, 0x10);
	assert_int_equal(cost(&p, 3)->line, 6);
	assert_int_equal(cost(&p, 3)->file, 0);
	assert_false(p.complete); /* the jump */
	pn_profile_release(&p);
}

/* f calls itself, and g, which calls f again: what such calls cost is in the
 * 80 (40 + 30 + 3 + 7) that the outermost call did. h and i call each other
 * below f. */
static void counts_recursion_once(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "events: Ir\nfl=a.c\n"
		  "fn=main\n1 5\ncfn=f\ncalls=1 1\n1 80\n"
		  "fn=f\n1 40\ncfn=f\ncalls=7 1\n1 300\n"
		  "cfn=g\ncalls=2 1\n1 50\n"
		  "cfn=h\ncalls=1 1\n1 10\n"
		  "fn=g\n1 30\ncfn=f\ncalls=1 1\n1 20\n"
		  "fn=h\n1 3\ncfn=i\ncalls=2 1\n1 7\n"
		  "fn=i\n1 7\ncfn=h\ncalls=1 1\n1 4\n");
	assert_int_equal(total(&p, "main"), 85);
	assert_int_equal(total(&p, "f"), 80);
	assert_int_equal(total(&p, "g"), 50);
	assert_int_equal(total(&p, "h"), 10);
	assert_int_equal(total(&p, "i"), 7);
	assert_int_equal(p.graph.nodes[node(&p, "f")].calls, 9);
	assert_int_equal(p.graph.nodes[node(&p, "f")].primitive, 1);
	assert_int_equal(p.graph.nodes[node(&p, "i")].primitive, 2);
	pn_profile_release(&p);
}

/*
 * main 4 > a 1 > b 2 > a 1 > b 2: of a's calls of b the outer one cost 5, the
 * inner one 2. Together 7, but all of a and b is 6, as gprof and KCachegrind
 * have it, who take functions that call each other as one.
 */
static void bounds_totals_of_a_cycle(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "events: Ir\n"
		  "fl=x.c\n"
		  "fn=main\n1 4\ncfn=a\ncalls=1 5\n2 6\n"
		  "fn=a\n5 2\ncfn=b\ncalls=2 9\n6 7\n"
		  "fn=b\n9 4\ncfn=a\ncalls=1 5\n10 3\n");
	assert_int_equal(total(&p, "main"), 10);
	assert_int_equal(total(&p, "a"), 6);
	assert_int_equal(total(&p, "b"), 6);
	assert_int_equal(self(&p, "b"), 4);
	pn_profile_release(&p);
}

/* Where a profile begins inside of a cycle, its first function is the start;
 * what starts it all is called by nobody and costs self and calls, here
 * 4 + 7 for a, of which 3 are below b. */
static void finds_a_start_in_a_cycle(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "events: Ir\nfl=a.c\n"
		  "fn=a\n1 4\ncfn=b\ncalls=1 1\n1 10\n"
		  "fn=b\n1 7\ncfn=a\ncalls=1 1\n1 3\n");
	assert_int_equal(total(&p, "a"), 11);
	assert_int_equal(total(&p, "b"), 10);
	pn_profile_release(&p);
}

static void adds_parts_up(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "version: 1\nevents: Ir\npart: 1\nsummary: 3\n"
		  "fl=(1) a.c\nfn=(1) f\n5 3\ntotals: 3\n"
		  "version: 1\npart: 2\nevents: Ir\nsummary: 4\n"
		  "fl=(1)\nfn=(1)\n+5 4\ntotals: 4\n");
	assert_int_equal(self(&p, "f"), 7);
	assert_int_equal(p.graph.cost_count, 1);
	assert_int_equal(p.metric_count, 0);
	pn_profile_release(&p);
	refuses("events: Ir\nfl=a\nfn=f\n1 2\npart: 2\nevents: Dr\n",
		"cannot read 'x': line 6: a part with other events, expected "
		"those of line 1");
}

static void computes_derived_events(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "event: Bm : Mispredicted\n"
		  "event: Cy = Ir + 10 Bm + 2*Dr : Cycles\n"
		  "event: No = Xx\n"
		  "events: Ir Bm Dr\nfl=a.c\nfn=f\n1 5 2 1\n2 1\n");
	assert_int_equal(p.type_count, 4);
	assert_string_equal(pn_profile_text(&p, p.types[3].type), "Cy");
	assert_int_equal(p.graph.self[3].i, 28); /* 5 + 20 + 2 + 1 */
	pn_profile_release(&p);
}

/* Xdebug's units and sums: its summary is the program's, and no sum. */
static void reads_the_dialect_of_xdebug(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.35)\n"
		  "cmd: /opt/w.php\npart: 1\npositions: line\n\n"
		  "events: Time_(10ns) Memory_(bytes)\n\n"
		  "fl=(1) php:internal\nfn=(1) php::f\n2 257 -10\n\n"
		  "fl=(2) /opt/w.php\nfn=(2) {main}\n1 43 20\n"
		  "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n5 257 -10\n\n"
		  "summary: 310 99\n");
	assert_string_equal(pn_profile_text(&p, p.types[0].type), "Time");
	assert_string_equal(pn_profile_text(&p, p.types[0].unit), "ns");
	assert_string_equal(pn_profile_text(&p, p.types[1].unit), "bytes");
	assert_int_equal(self(&p, "php::f"), 2570);
	assert_int_equal(total(&p, "{main}"), 3000); /* 43 + 257, in 10 ns */
	assert_int_equal(p.graph.self[1].i, -10);
	assert_int_equal(p.metric_count, 2);
	assert_true(p.metrics[0].values[0] == 3100);
	assert_true(p.metrics[1].values[0] == 99);
	pn_profile_release(&p);
}

static void refuses_what_does_not_add_up(void **state)
{
	(void)state;
	refuses("events: Ir\nfl=a\nfn=f\n1 2\ntotals: 3\n",
		"cannot read 'x': line 5: totals are 3 Ir, but the costs add "
		"up to 2: is the file cut off?");
	refuses("events: Ir\nsummary: 3\nfl=a\nfn=f\n1 2\n",
		"cannot read 'x': line 2: the summary's costs are 3 Ir, but "
		"the costs add up to 2: is the file cut off?");
	refuses("events: Ir\nfl=a\nfn=f\n1 9223372036854775807\n2 1\n",
		"cannot read 'x': line 5: costs add up to more than 63 bits "
		"hold");
}

static void names_the_line_that_is_wrong(void **state)
{
	(void)state;
	refuses("fl=a\nfn=f\n",
		"cannot read 'x': line 2: a function before 'events:'");
	refuses("events: Ir\n1 2\n",
		"cannot read 'x': line 2: costs before the first 'fn='");
	refuses("events: Ir\nfn=f\n1 2 3\n",
		"cannot read 'x': line 3: more costs than events");
	refuses("events: Ir\nfn=f\n1 x\n",
		"cannot read 'x': line 3: expected costs, numbers below 2^63");
	refuses("events: Ir\nfn=f\n1z 1\n",
		"cannot read 'x': line 3: expected a position: a number, +N, "
		"-N or *");
	refuses("events: Ir\nfn=f\ncalls=1 1\n",
		"cannot read 'x': line 3: 'calls=' without 'cfn='");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=1 1\nfn=h\n",
		"cannot read 'x': line 5: expected the line of the call");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=1 1\n",
		"cannot read 'x': line 4: the file ends before the line of "
		"the call");
	refuses("version: 2\n",
		"cannot read 'x': line 1: expected version 1, not '2'");
	refuses("events: Ir Ir\n",
		"cannot read 'x': line 1: two events are called 'Ir'");
	refuses("creator: x\n",
		"cannot read 'x': line 1: the file ends before 'events:'");
	refuses("events: Ir\nfn=f\n?\n",
		"cannot read 'x': line 3: expected 'key: value', 'fn=name' or "
		"a position and costs");
}

static void reads_flat_costs_of_cachegrind(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(read_text(&p, NULL,
				   "desc: I1 cache: 1 B\ncmd: ./a 1 2\n"
				   "events: Ir Dr\nfl=a.c\nfn=f\n1 2 .\n3 4 1\n"
				   "fl=???\nfn=???\n0 1 1\nsummary: 7 2\n",
				   &err),
			 0);
	assert_int_equal(self(&p, "f"), 6);
	assert_int_equal(total(&p, "f"), 6);
	assert_int_equal(p.graph.edge_count, 0);
	assert_string_equal(pn_profile_text(&p, p.header.cmd), "./a");
	assert_string_equal(pn_profile_text(&p, p.header.args), "1 2");
	pn_profile_release(&p);
	assert_int_equal(read_text(&p, &pn_codec_cachegrind,
				   "cmd: a\nevents: Ir\nfl=a\nfn=f\n1 2\n",
				   &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "cannot read 'x': line 5: no 'summary:' at the "
			    "end: is the file cut off?");
	assert_int_equal(read_text(&p, &pn_codec_cachegrind,
				   "cmd: a\nevents: Ir\nfl=a\nfn=f\ncfn=g\n",
				   &err),
			 PN_EINVAL);
}

static const struct pn_codec *sniffed(const char *text)
{
	const struct pn_codec *codec = NULL;
	struct pn_reader *in = NULL;

	assert_int_equal(
		pn_reader_memory(&in, text, strlen(text), "x", 0, NULL), 0);
	pn_codec_sniff(&codec, in, NULL);
	pn_reader_free(in);
	return codec;
}

static void recognises_both_formats(void **state)
{
	(void)state;
	assert_ptr_equal(sniffed(example), &pn_codec_callgrind);
	assert_ptr_equal(sniffed("events: Ir\nfl=a\nfn=f\n1 2\n"),
			 &pn_codec_callgrind);
	assert_ptr_equal(sniffed("version: 1\ncreator: xdebug\nevents: T\n"),
			 &pn_codec_callgrind);
	assert_ptr_equal(sniffed("cmd: a\nevents: Ir\nfl=a\nfn=f\n1 2\n"),
			 &pn_codec_cachegrind);
	assert_ptr_equal(sniffed("cmd: a\nevents: Ir\nfl=a\nfn=f\ncfn=g\n"),
			 &pn_codec_callgrind);
	assert_null(sniffed("version: 1\nname: x\n"));
	assert_null(sniffed("events: a\nhello\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_costs_and_calls),
		cmocka_unit_test(takes_numbers_for_names),
		cmocka_unit_test(keeps_costs_by_line_and_instruction),
		cmocka_unit_test(counts_recursion_once),
		cmocka_unit_test(bounds_totals_of_a_cycle),
		cmocka_unit_test(finds_a_start_in_a_cycle),
		cmocka_unit_test(adds_parts_up),
		cmocka_unit_test(computes_derived_events),
		cmocka_unit_test(reads_the_dialect_of_xdebug),
		cmocka_unit_test(refuses_what_does_not_add_up),
		cmocka_unit_test(names_the_line_that_is_wrong),
		cmocka_unit_test(reads_flat_costs_of_cachegrind),
		cmocka_unit_test(recognises_both_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
