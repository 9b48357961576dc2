/* Tables that profilers print, and what they say themselves. */
#include "sums.h"

#include "codec/rows.h"

#include <math.h>

static void has_node(const struct pn_profile *p, const char *name, int64_t self,
		     int64_t total, int64_t calls)
{
	size_t n = node(p, name);

	assert_int_equal(p->graph.self[n].i, self);
	assert_int_equal(p->graph.total[n].i, total);
	assert_int_equal(p->graph.nodes[n].calls, calls);
}

/* The edge between two functions; its own and total cost are *self, *total. */
static const struct pn_edge *edge_of(int64_t *self, int64_t *total,
				     const struct pn_profile *p,
				     const char *caller, const char *callee)
{
	size_t i, from = node(p, caller), to = node(p, callee);

	for (i = 0; i < p->graph.edge_count; i++)
		if (p->graph.edges[i].caller == from &&
		    p->graph.edges[i].callee == to) {
			*self = p->graph.edge_self[i].i;
			*total = p->graph.edge_total[i].i;
			return &p->graph.edges[i];
		}
	fail_msg("%s does not call %s", caller, callee);
	return NULL;
}

/* { {fp,fib,1}, 465, 0.936, 0.935} and its callers, in milliseconds */
static void fprof_has_calls_and_times(void **state)
{
	const struct pn_edge *edge;
	struct pn_profile p;
	int64_t self, total;

	(void)state;
	assert_ptr_equal(read_data(&p, "fprof/work.fprof"), &pn_codec_fprof);
	has_node(&p, "fp:fib/1", 935000, 936000, 465);
	has_node(&p, "fp:sum/1", 401000, 401000, 201);
	has_node(&p, "garbage_collect", 1000, 1000, 1);
	edge = edge_of(&self, &total, &p, "fp:work/0", "fp:fib/1");
	assert_int_equal(edge->calls, 1);
	assert_int_equal(total, 936000);
	edge = edge_of(&self, &total, &p, "fp:fib/1", "fp:fib/1");
	assert_int_equal(edge->calls, 464);
	assert_int_equal(self, 636000);
	/* the process, 1.440 ms in all */
	assert_int_equal(p.events.thread_count, 1);
	assert_string_equal(pn_profile_text(&p, p.events.threads[0].id),
			    "<0.9.0>");
	assert_int_equal(p.events.threads[0].cost, 1440000);
	pn_profile_release(&p);
	refuses_text(&pn_codec_fprof, "{[{{a,b,1}, 1, x, 0.1}],\n",
		     "line 1: expected '{<caller>, <calls>, <ms>, <ms>}'");
}

/* Of 53 samples 24 were in MERGE-LISTS*, 1 elsewhere. */
static void sb_sprof_has_the_samples_of_its_table(void **state)
{
	static const char *const names[] = {"sb-sprof/flat.txt",
					    "sb-sprof/graph.txt"};
	struct pn_profile p;
	int64_t self, total, sum;
	size_t i, n;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_ptr_equal(read_data(&p, names[i]), &pn_codec_sb_sprof);
		has_node(&p, "SB-IMPL::MERGE-LISTS*", 24, 31, -1);
		has_node(&p, "FIB", 10, 23, -1);
		has_node(&p, "elsewhere", 1, 1, -1);
		for (sum = 0, n = 0; n < p.graph.node_count; n++)
			sum += p.graph.self[n].i;
		assert_int_equal(sum, 53);
		assert_int_equal(p.period, 10000000);
		if (i) {
			edge_of(&self, &total, &p, "WORK",
				"SB-IMPL::STABLE-SORT-LIST");
			assert_int_equal(total, 34);
		}
		pn_profile_release(&p);
	}
}

/* "3.015 ms 0.480 us 1 main", and the same with a column of averages */
static void uftrace_has_times_with_units(void **state)
{
	static const char *const names[] = {"uftrace/report.txt",
					    "uftrace/average.txt"};
	struct pn_profile p;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_ptr_equal(read_data(&p, names[i]), &pn_codec_uftrace);
		has_node(&p, "main", 480, 3015000, 1);
		has_node(&p, "sum", 2897000, 2908000, 3);
		has_node(&p, "fib", 95352, 95352, 929);
		has_node(&p, "linux:schedule (pre-empted)", 11297, 11297, 1);
		pn_profile_release(&p);
	}
	refuses_text(&pn_codec_uftrace,
		     "  Total time  Function\n  ==========  ========\n"
		     "    3 years   main\n",
		     "line 3: expected a time with its unit, or a number of "
		     "calls");
}

/* Total time: 0.0157912 s, of which rounded rows are 0.9, 1485.6, 13897.9 and
 * 406.8 us; 1 + 20000 + 20000 + 1 hits. */
static void line_profiler_has_hits_and_times(void **state)
{
	static const struct sum sums[] = {{"hits", 40002}, {"time", 15791200}};
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "line-profiler/work.txt"),
			 &pn_codec_line_profiler);
	has_sums(&p, sums, 2);
	assert_int_equal(p.function_count, 1);
	assert_int_equal(p.functions[0].start_line, 6);
	assert_int_equal(p.sample_count, 4);
	assert_int_equal(p.lines[2].line, 10);
	assert_int_equal(p.values[2 * 2 + 1].i, 13897900);
	assert_string_equal(pn_profile_text(&p, p.functions[0].file), "lp.py");
	pn_profile_release(&p);
	refuses_text(&pn_codec_line_profiler, "Timer unit: fast\n",
		     "line 1: expected 'Timer unit: 1e-06 s'");
}

/* llvm-xray account: main 36,403.07 us in all, three calls of sum 35,974.063
 * us; times of events are in quarters of a microsecond, and strings. */
static void xray_has_the_times_of_its_account(void **state)
{
	struct pn_profile p;
	double sum = 0;
	size_t i;

	(void)state;
	assert_ptr_equal(read_data(&p, "chrome-trace/xray.json"),
			 &pn_codec_chrome_trace);
	for (i = 0; i < p.sample_count; i++)
		sum += p.types[0].number == PN_NUMBER_INT
			       ? (double)p.values[i].i
			       : p.values[i].d;
	assert_int_equal((int64_t)(sum / 1000), 36403);
	assert_true(fabs(sum_of_stack(&p, 0, "main;work;sum") - 35974063) <
		    3 * 250);
	pn_profile_release(&p);
}

/* 8.5 us of vfs_write are .5 in rw_verify_area, 4 in pipe_write, of which .25
 * twice in mutex_lock; what ends without a beginning counts for nothing. In the
 * kernel's own file, where lines have no time, work is away from the processor
 * once, and poll takes 120.5 us, of which 1 inside. */
static void ftrace_has_own_times_of_calls(void **state)
{
	static const char *const names[] = {"ftrace/report.txt",
					    "ftrace/trace.txt"};
	struct pn_profile p;
	struct pn_error err;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_ptr_equal(read_data(&p, names[i]), &pn_codec_ftrace);
		assert_int_equal(of_stack(&p, "time", "vfs_write"), 4000);
		assert_int_equal(
			of_stack(&p, "time", "vfs_write;rw_verify_area"), 500);
		assert_int_equal(of_stack(&p, "time", "vfs_write;pipe_write"),
				 3500);
		assert_int_equal(
			of_stack(&p, "time", "vfs_write;pipe_write;mutex_lock"),
			500);
		assert_int_equal(of_stack(&p, "calls",
					  "vfs_write;pipe_write;mutex_lock"),
				 2);
		assert_int_equal(of_stack(&p, "time", "do_idle"), 12000);
		assert_string_equal(pn_profile_text(&p, p.events.threads[0].id),
				    i ? "cpu 0" : "123");
		if (i) {
			assert_int_equal(of_stack(&p, "time", "do_sys_poll"),
					 119500);
			assert_int_equal(of_stack(&p, "time",
						  "do_sys_poll;poll_freewait"),
					 1000);
			assert_int_equal(p.events.count, 0);
		} else {
			/* pipe_write ended at 10.000008 */
			assert_int_equal(p.events.count, 6);
			assert_int_equal(p.events.items[4].time_ns,
					 10000004000);
			assert_int_equal(p.events.items[4].duration_ns, 3500);
		}
		pn_profile_release(&p);
	}
	/* the times of two calls inside are more than 63 bits */
	assert_int_equal(read_text(&p, &pn_codec_ftrace,
				   "# tracer: function_graph\n"
				   " 0)               |  f() {\n"
				   " 0)  8e15 us      |    g();\n"
				   " 0)  8e15 us      |    h();\n"
				   " 0)  8e15 us      |  }\n",
				   &err),
			 PN_ERANGE);
	refuses_text(&pn_codec_ftrace, "# tracer: function_graph\n",
		     "no call of the tracer function_graph");
}

/* An interrupt of 4 us within a call of 1004 is a call inside it, whatever the
 * kernel draws around it: 1000 are left. */
static void ftrace_keeps_calls_open_in_interrupts(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_ftrace,
		  "# tracer: function_graph\n"
		  " 0)               |  a() {\n"
		  " 0)   ==========> |\n"
		  " 0)               |    irq() {\n"
		  " 0)   4.000 us    |    }\n"
		  " 0)   <========== |\n"
		  " 0) # 1004.000 us |  }\n");
	assert_int_equal(p.events.thread_count, 1);
	assert_int_equal(of_stack(&p, "time", "a"), 1000000);
	assert_int_equal(of_stack(&p, "time", "a;irq"), 4000);
	pn_profile_release(&p);
}

/* Processors 0 and 1 are idle at once: a takes 10 us on one of them and b 30 on
 * the other, neither inside the other. */
static void ftrace_has_an_idle_thread_on_each_processor(void **state)
{
	static const char *const texts[] = {
		"  <idle>-0  [000]  10.000001: funcgraph_entry:  |  a() {\n"
		"  <idle>-0  [001]  10.000002: funcgraph_entry:  |  b() {\n"
		"  <idle>-0  [000]  10.000011: funcgraph_exit: 10.0 us |  }\n"
		"  <idle>-0  [001]  10.000032: funcgraph_exit: 30.0 us |  }\n",
		"# tracer: function_graph\n"
		" 0)   work-123    =>  <idle>-0\n"
		" 1)   work-124    =>  <idle>-0\n"
		" 0)               |  a() {\n"
		" 1)               |  b() {\n"
		" 0)  10.000 us    |  }\n"
		" 1) + 30.000 us   |  }\n",
		"# tracer: function_graph\n"
		" 0)  <idle>-0     |               |  a() {\n"
		" 1)  <idle>-0     |               |  b() {\n"
		" 0)  <idle>-0     |  10.000 us    |  }\n"
		" 1)  <idle>-0     |  30.000 us    |  }\n"};
	struct pn_profile p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		read_good(&p, &pn_codec_ftrace, texts[i]);
		assert_int_equal(p.sample_count, 2);
		assert_int_equal(of_stack(&p, "time", "a"), 10000);
		assert_int_equal(of_stack(&p, "time", "b"), 30000);
		assert_int_equal(p.events.thread_count, 2);
		assert_string_equal(pn_profile_text(&p, p.events.threads[1].id),
				    "0/1");
		assert_string_equal(
			pn_profile_text(&p, p.events.threads[1].name),
			"<idle>");
		pn_profile_release(&p);
	}
}

/* Lines are lost while a and b are open: c is in neither, and what the "}" ends
 * nobody knows. Processor 1 lost nothing, and d is called in e. */
static void ftrace_forgets_open_calls_where_lines_are_lost(void **state)
{
	static const char *const lost[] = {"CPU:0 [LOST 5 EVENTS]",
					   "CPU:0 [LOST EVENTS]",
					   "CPU:0 [5 EVENTS DROPPED]"};
	struct pn_buf text = {0};
	struct pn_profile p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lost) / sizeof(*lost); i++) {
		pn_buf_clear(&text);
		pn_buf_printf(
			&text,
			"w-1 [000] 10.000001: funcgraph_entry: |  a() {\n"
			"w-1 [000] 10.000002: funcgraph_entry: |    b() {\n"
			"v-2 [001] 10.000002: funcgraph_entry: |  e() {\n"
			"%s\n"
			"w-1 [000] 10.000011: funcgraph_exit: 9 us |  }\n"
			"w-1 [000] 10.000012: funcgraph_entry: 7 us |  c();\n"
			"v-2 [001] 10.000013: funcgraph_entry: 1 us |  d();\n"
			"v-2 [001] 10.000014: funcgraph_exit: 12 us |  }\n",
			lost[i]);
		read_good(&p, &pn_codec_ftrace, pn_buf_text(&text));
		assert_int_equal(p.sample_count, 3);
		assert_int_equal(of_stack(&p, "time", "c"), 7000);
		assert_int_equal(of_stack(&p, "time", "e;d"), 1000);
		assert_int_equal(of_stack(&p, "time", "e"), 11000);
		pn_profile_release(&p);
	}
	pn_buf_release(&text);
}

/* The trace begins within outer and inner, whose names stand where they end:
 * 5 us with 1 of x leave 4, and 20 with these 5 and 2 of y leave 13. */
static void ftrace_names_calls_that_began_before_it(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_ftrace,
		  "# tracer: function_graph\n"
		  " 0)   1.000 us    |      x();\n"
		  " 0)   5.000 us    |    } /* inner [core] */\n"
		  " 0)   2.000 us    |    y();\n"
		  " 0) + 20.000 us   |  } /* outer = 0x1 */\n"
		  " 0)   3.000 us    |  } /* = 0x1 */\n"
		  " 0)   3.000 us    |  } /* <-caller */\n"
		  " 0)   3.000 us    |  }\n");
	assert_int_equal(p.sample_count, 4);
	assert_int_equal(of_stack(&p, "time", "x"), 1000);
	assert_int_equal(of_stack(&p, "time", "inner"), 4000);
	assert_int_equal(of_stack(&p, "time", "y"), 2000);
	assert_int_equal(of_stack(&p, "time", "outer"), 13000);
	pn_profile_release(&p);
}

/* nytprofcsv and Devel::NYTProf::ReadStream: fib was called 464 times by itself
 * and once by work, for 268.0 and 1.7 us of its own and 269.7 with all; its
 * line 2 has 270 us of statements, rounded. */
static void nytprof_has_subs_and_lines(void **state)
{
	const struct pn_edge *edge;
	struct pn_profile p;
	int64_t self, total, ns = 0;
	size_t i, fib;

	(void)state;
	assert_ptr_equal(read_data(&p, "nytprof/work.out"), &pn_codec_nytprof);
	fib = node(&p, "main::fib");
	assert_int_equal(p.graph.nodes[fib].calls, 465);
	assert_int_equal(p.graph.self[fib * 2 + 1].i, 269700);
	assert_int_equal(p.graph.total[fib * 2 + 1].i, 269700);
	assert_int_equal(p.graph.total[node(&p, "main::work") * 2 + 1].i,
			 530100);
	assert_int_equal(p.graph.self[node(&p, "main::total") * 2 + 1].i,
			 237300);
	edge = edge_of(&self, &total, &p, "main::fib", "main::fib");
	assert_int_equal(edge->calls, 464);
	assert_int_equal(edge->line, 2);
	for (i = 0; i < p.graph.cost_count; i++)
		if (p.graph.costs[i].node == fib) {
			assert_int_equal(p.graph.costs[i].line, 2);
			ns += p.graph.cost_values[i * 2].i;
		}
	assert_in_range(ns, 269500, 270500);
	assert_string_equal(pn_profile_text(&p, function_of(&p, fib)->file),
			    "/home/user/work.pl");
	assert_int_equal(function_of(&p, fib)->start_line, 2);
	pn_profile_release(&p);
	refuses_text(&pn_codec_nytprof, "NYTProf 4 0\n",
		     "byte 12: expected 'NYTProf 5'");
	refuses_text(&pn_codec_nytprof, "NYTProf 5 0\n@\1",
		     "byte 14: a record is cut");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fprof_has_calls_and_times),
		cmocka_unit_test(sb_sprof_has_the_samples_of_its_table),
		cmocka_unit_test(uftrace_has_times_with_units),
		cmocka_unit_test(line_profiler_has_hits_and_times),
		cmocka_unit_test(ftrace_has_own_times_of_calls),
		cmocka_unit_test(ftrace_keeps_calls_open_in_interrupts),
		cmocka_unit_test(ftrace_has_an_idle_thread_on_each_processor),
		cmocka_unit_test(
			ftrace_forgets_open_calls_where_lines_are_lost),
		cmocka_unit_test(ftrace_names_calls_that_began_before_it),
		cmocka_unit_test(nytprof_has_subs_and_lines),
		cmocka_unit_test(xray_has_the_times_of_its_account),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
