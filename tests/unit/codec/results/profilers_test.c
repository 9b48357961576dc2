/* Profiles of tests/data have the sums and stacks of their tools' reports. */
#include "codec/codec_text.h"

#include "codec/rows.h"

static size_t type_of(const struct pn_profile *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (!strcmp(pn_profile_text(p, p->types[i].type), name))
			return i;
	fail_msg("no value type '%s'", name);
	return 0;
}

static int64_t sum(const struct pn_profile *p, const char *type)
{
	return sum_of(p, type_of(p, type));
}

static int64_t of_stack(const struct pn_profile *p, const char *type,
			const char *names)
{
	return (int64_t)sum_of_stack(p, type_of(p, type), names);
}

/* What valgrind --tool=dhat printed at the end: 51,000 bytes in 60 blocks; at
 * the peak 2,000 in 11; at the end 900 in 9; 51,000 bytes written. The program
 * grabs 10 times 100 bytes and 50 times 1,000. */
static void dhat_has_the_sums_that_it_printed(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "dhat/heap.json"), &pn_codec_dhat);
	assert_int_equal(sum(&p, "total"), 51000);
	assert_int_equal(sum(&p, "blocks"), 60);
	assert_int_equal(sum(&p, "peak"), 2000);
	assert_int_equal(sum(&p, "peak_blocks"), 11);
	assert_int_equal(sum(&p, "end"), 900);
	assert_int_equal(sum(&p, "end_blocks"), 9);
	assert_int_equal(sum(&p, "written"), 51000);
	assert_int_equal(sum(&p, "read"), 0);
	assert_int_equal(of_stack(&p, "total", "main;churn;grab;malloc"),
			 50000);
	assert_int_equal(of_stack(&p, "total", "main;fill;grab;malloc"), 1000);
	assert_string_equal(pn_profile_text(&p, p.header.cmd), "./dprog");
	pn_profile_release(&p);
}

#define DHAT(head, fs, table)                                                  \
	"{\"dhatFileVersion\":" head ",\"pps\":[{\"tb\":1,\"tbk\":1,\"fs\":"   \
	"[" fs "]}],\"ftbl\":[" table "]}"

/* Names of C++ have parentheses; those of Rust a column behind the line. */
static void dhat_reads_names_and_places(void **state)
{
	struct pn_profile p;
	const struct pn_function *f;

	(void)state;
	read_good(&p, &pn_codec_dhat,
		  DHAT("2", "0,1",
		       "\"0x1: f(int) (a (b).cc:7)\",\"g (lib.rs:12:34)\""));
	assert_int_equal(p.type_count, 2);
	f = &p.functions[p.lines[0].function];
	assert_string_equal(pn_profile_text(&p, f->name), "f(int) (a");
	f = &p.functions[p.lines[1].function];
	assert_string_equal(pn_profile_text(&p, f->name), "g");
	assert_string_equal(pn_profile_text(&p, f->file), "lib.rs");
	assert_int_equal(p.lines[1].line, 12);
	assert_int_equal(p.lines[1].column, 34);
	pn_profile_release(&p);
	refuses_text(&pn_codec_dhat, DHAT("3", "0", "\"f\""),
		     "expected dhatFileVersion 2, have 3");
	refuses_text(&pn_codec_dhat, DHAT("2", "1", "\"f\""),
		     "pps[0].fs: frame 1 is not in the table of 1");
}

/* "???" is the name of nothing: the places of two binaries stay two, and the
 * program is the first one. */
static void dhat_tells_binaries_apart(void **state)
{
	struct pn_profile p;
	size_t i;

	(void)state;
	read_good(&p, &pn_codec_dhat,
		  "{\"dhatFileVersion\":2,\"cmd\":\"/bin/ls "
		  "-l\",\"pps\":[{\"tb\":"
		  "1,\"tbk\":1,\"fs\":[0,1]}],\"ftbl\":[\"0x1: ??? (in "
		  "/lib/x.so.1)\",\"0x2: ??? (in /bin/ls)\"]}");
	assert_string_equal(pn_profile_text(&p, p.header.cmd), "/bin/ls");
	assert_string_equal(pn_profile_text(&p, p.header.args), "-l");
	assert_int_equal(p.mapping_count, 2);
	assert_string_equal(pn_profile_text(&p, p.mappings[0].file), "/bin/ls");
	assert_int_equal(p.locations[0].mapping, 1);
	assert_int_equal(p.locations[1].mapping, 0);
	for (i = 0; i < p.function_count; i++)
		assert_int_equal(p.functions[i].name, 0);
	pn_profile_release(&p);
}

/* summaryRprof of this file: f 0.16 s itself and 0.18 s in all, order 0.06 s,
 * runif and tryCatch 0.02 s, 0.26 s together. */
static void rprof_has_the_times_of_its_summary(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "rprof/samples.out"), &pn_codec_rprof);
	assert_int_equal(sum(&p, "time"), 260000000);
	assert_int_equal(sum(&p, "samples"), 13);
	assert_int_equal(of_stack(&p, "time", "g;lapply;FUN;f"), 160000000);
	assert_int_equal(
		of_stack(&p, "time", "g;sort;sort.default;sort.int;order"),
		60000000);
	assert_int_equal(of_stack(&p, "time", "g;sort;runif"), 20000000);
	pn_profile_release(&p);
}

/* The third line of samples, of the one in order, is 40 ms behind the first. */
static void rprof_keeps_the_order_of_samples(void **state)
{
	const struct pn_event *e;
	struct pn_profile p;
	size_t i;

	(void)state;
	read_data(&p, "rprof/samples.out");
	assert_int_equal(p.events.count, 13);
	for (i = 0; i < p.events.count; i++) {
		e = &p.events.items[i];
		assert_int_equal(e->time_ns, (int64_t)i * 20000000);
		assert_int_equal(e->duration_ns, 20000000);
		assert_string_equal(pn_profile_text(&p, p.types[e->type].type),
				    "time");
	}
	assert_int_equal(p.events.items[1].stack, p.events.items[3].stack);
	assert_int_not_equal(p.events.items[1].stack, p.events.items[2].stack);
	pn_profile_release(&p);
}

/* Six samples of 20 ms; f is at line 1, what calls it at line 2. */
static void rprof_knows_lines_of_a_file(void **state)
{
	struct pn_profile p;
	const struct pn_line *line;

	(void)state;
	read_data(&p, "rprof/lines.out");
	assert_int_equal(sum(&p, "time"), 120000000);
	line = &p.lines[p.locations[p.frames[0]].line_first];
	assert_string_equal(
		pn_profile_text(&p, p.functions[line->function].name), "f");
	assert_string_equal(
		pn_profile_text(&p, p.functions[line->function].file), "w.R");
	assert_int_equal(line->line, 1);
	assert_int_equal(p.lines[p.locations[p.frames[1]].line_first].line, 2);
	pn_profile_release(&p);
	refuses_text(&pn_codec_rprof, "sample.interval=20000\n\"f\n",
		     "line 2: expected a name in quotes");
}

#define FIB "MAIN.MAIN;Main.CAF;Main.main;Main.work;Main.fib"

/* The columns of the report: 11 ticks of 1 ms, 11,542,016 bytes in 150,024
 * entries; 12 ticks together. */
static void ghc_has_ticks_and_bytes_of_its_report(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "ghc-prof/ticks.prof"),
			 &pn_codec_ghc_prof);
	assert_int_equal(of_stack(&p, "time", FIB), 11000000);
	assert_int_equal(of_stack(&p, "allocated", FIB), 11542016);
	assert_int_equal(of_stack(&p, "entries", FIB), 150024);
	assert_int_equal(sum(&p, "time"), 12000000);
	pn_profile_release(&p);
}

/* 93.3 and 6.7 % of 15 ticks are 14 and 1; 80.0 % of 14,428,936 bytes. */
static void ghc_makes_ticks_of_shares(void **state)
{
	struct pn_profile p;

	(void)state;
	read_data(&p, "ghc-prof/shares.prof");
	assert_int_equal(of_stack(&p, "time", FIB), 14000000);
	assert_int_equal(sum(&p, "time"), 15000000);
	assert_int_equal(of_stack(&p, "allocated", FIB), 11543149);
	pn_profile_release(&p);
}

/* The same program as JSON: 11 of 14 ticks. */
static void ghc_json_has_the_tree(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "ghc-json/fib.prof"),
			 &pn_codec_ghc_json);
	assert_int_equal(of_stack(&p, "time", FIB), 11000000);
	assert_int_equal(of_stack(&p, "allocated", FIB), 11542016);
	assert_int_equal(of_stack(&p, "entries", FIB), 150024);
	assert_int_equal(sum(&p, "time"), 14000000);
	assert_int_equal(sum(&p, "allocated"), 25363584);
	pn_profile_release(&p);
}

/* The one sample of the file that has bands: 41,424 bytes together. */
static void ghc_heap_is_at_its_peak(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "ghc-heap/fib.hp"), &pn_codec_hp);
	assert_int_equal(sum(&p, "heap"), 640 + 120 + 912 + 160 + 64 + 32 +
						  1480 + 680 + 36816 + 520);
	assert_int_equal(of_stack(&p, "heap", "Main.CAF;main;work;fib"), 520);
	assert_int_equal(of_stack(&p, "heap", "PINNED"), 36816);
	/* what has no bands is no sample of the heap */
	assert_int_equal(p.curves.count, 1);
	assert_int_equal(p.curves.point_count, 1);
	assert_true(p.curves.points[0].position == 0.007736);
	assert_true(p.curves.points[0].value == 41424);
	pn_profile_release(&p);
}

/* 1 + 2 bytes after .1 s, 4 after .2 s, which is the peak, 3 after .3 s. */
static void ghc_heap_has_a_curve(void **state)
{
	static const double want[][2] = {{.1, 3}, {.2, 4}, {.3, 3}};
	struct pn_profile p;
	size_t i;

	(void)state;
	read_good(&p, &pn_codec_hp,
		  "JOB \"fib\"\nDATE \"x\"\nSAMPLE_UNIT \"seconds\"\n"
		  "VALUE_UNIT \"bytes\"\nBEGIN_SAMPLE 0.1\na\t1\nb\t2\n"
		  "END_SAMPLE 0.1\nBEGIN_SAMPLE 0.2\na\t4\nEND_SAMPLE 0.2\n"
		  "BEGIN_SAMPLE 0.3\nb\t3\nEND_SAMPLE 0.3\n");
	assert_int_equal(sum(&p, "heap"), 4);
	assert_int_equal(p.curves.count, 1);
	assert_string_equal(pn_profile_text(&p, p.curves.items[0].along),
			    "seconds");
	assert_string_equal(pn_profile_text(&p, p.curves.items[0].unit),
			    "bytes");
	assert_int_equal(p.curves.point_count, 3);
	for (i = 0; i < 3; i++) {
		assert_true(p.curves.points[i].position == want[i][0]);
		assert_true(p.curves.points[i].value == want[i][1]);
	}
	pn_profile_release(&p);
}

/* Closures (-hd) have no number in front, and some begin as if they had. */
static void ghc_heap_keeps_names_that_begin_with_parentheses(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_hp,
		  "JOB \"fib\"\nDATE \"x\"\nSAMPLE_UNIT \"seconds\"\n"
		  "VALUE_UNIT \"bytes\"\nBEGIN_SAMPLE 0.1\n"
		  "(,)_con_info\t1\n()_con_info\t2\n(12)f/g\t4\n"
		  "(1x)f/g\t8\nEND_SAMPLE 0.1\n");
	assert_int_equal(of_stack(&p, "heap", "(,)_con_info"), 1);
	assert_int_equal(of_stack(&p, "heap", "()_con_info"), 2);
	assert_int_equal(of_stack(&p, "heap", "g;f"), 4);
	assert_int_equal(of_stack(&p, "heap", "(1x)f/g"), 8);
	pn_profile_release(&p);
}

/* @one counted the same probe: 7; so did @u, by another key. */
static void bpftrace_maps_are_values(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "bpftrace/ustack.txt"),
			 &pn_codec_bpftrace);
	assert_int_equal(p.type_count, 2);
	assert_int_equal(sum(&p, "count"), 7);
	assert_int_equal(sum(&p, "u"), 7);
	assert_int_equal(of_stack(&p, "count", "bprog;fib;fib;fib"), 7);
	assert_int_equal(of_stack(&p, "u", "fib;fib"), 7);
	pn_profile_release(&p);
	read_good(&p, &pn_codec_bpftrace,
		  "Attaching 1 probe...\n@a[sh, \n    f(int)+1\n    0x1f\n, "
		  "\n    g+2\n, 12]: 3\n@b[\n    f(int)+9\n]: 4\n"
		  "@h[\n    f+1\n]: \n[0] 1 |@|\n@n[x]: 5\n");
	assert_int_equal(p.type_count, 2);
	assert_int_equal(of_stack(&p, "a", "sh;12;g;;f(int)"), 3);
	assert_int_equal(of_stack(&p, "b", "f(int)"), 4);
	assert_int_equal(sum(&p, "a") + sum(&p, "b"), 7);
	pn_profile_release(&p);
}

/* "Total: 3230 100.00% 575", and the row of ep:fib/1. */
static void eprof_has_the_totals_of_its_table(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "eprof/fib.txt"), &pn_codec_eprof);
	assert_int_equal(sum(&p, "calls"), 3230);
	assert_int_equal(sum(&p, "time"), 575000);
	assert_int_equal(of_stack(&p, "calls", "ep:fib/1"), 1973);
	assert_int_equal(of_stack(&p, "time", "ep:fib/1"), 387000);
	pn_profile_release(&p);
}

#define EPROF(process, calls, time)                                            \
	"\n****** Process " process "    -- 50.00 % of profiled time *** \n"   \
	"FUNCTION  CALLS        %  TIME  [uS / CALLS]\n"                       \
	"--------  -----  -------  ----  [----------]\n"                       \
	"m:f/1         " calls "   100.00     " time "  [      1.00]\n"

/* 3 calls of 30 us in one process, 4 of 50 us in the other. */
static void eprof_keeps_processes(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_eprof,
		  EPROF("<0.46.0>", "3", "30") EPROF("<0.47.0>", "4", "50"));
	assert_int_equal(of_stack(&p, "calls", "m:f/1"), 7);
	assert_int_equal(p.sample_count, 2);
	assert_int_equal(p.values[p.type_count + 1].i, 50000);
	assert_string_equal(pn_profile_text(&p, p.labels[1].value.s),
			    "<0.47.0>");
	assert_int_equal(p.events.thread_count, 2);
	assert_int_equal(p.events.threads[0].cost, 30000);
	assert_int_equal(p.events.threads[1].cost, 50000);
	pn_profile_release(&p);
}

static void is_nearly(int64_t got, int64_t want)
{
	if (got < want - 3 || got > want + 3)
		fail_msg("%lld, expected %lld", (long long)got,
			 (long long)want);
}

/* jeprof --text --show_bytes: 2,157,805 B in use, 7,143,813 B in all; it
 * rounds the sum, and here each thread of a stack is. */
static void jemalloc_has_the_totals_of_jeprof(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "jemalloc/final.heap"),
			 &pn_codec_jemalloc);
	is_nearly(sum(&p, "inuse_space"), 2157805);
	is_nearly(sum(&p, "alloc_space"), 7143813);
	is_nearly(sum(&p, "inuse_objects"), 210);
	pn_profile_release(&p);
	refuses_text(&pn_codec_jemalloc, "heap_v2/4096\n@ 0x1\n",
		     "line 2: expected a line 't*: n: bytes [n: bytes]' "
		     "before the first stack");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dhat_has_the_sums_that_it_printed),
		cmocka_unit_test(dhat_reads_names_and_places),
		cmocka_unit_test(dhat_tells_binaries_apart),
		cmocka_unit_test(rprof_has_the_times_of_its_summary),
		cmocka_unit_test(rprof_keeps_the_order_of_samples),
		cmocka_unit_test(rprof_knows_lines_of_a_file),
		cmocka_unit_test(ghc_has_ticks_and_bytes_of_its_report),
		cmocka_unit_test(ghc_makes_ticks_of_shares),
		cmocka_unit_test(ghc_json_has_the_tree),
		cmocka_unit_test(ghc_heap_is_at_its_peak),
		cmocka_unit_test(ghc_heap_has_a_curve),
		cmocka_unit_test(
			ghc_heap_keeps_names_that_begin_with_parentheses),
		cmocka_unit_test(bpftrace_maps_are_values),
		cmocka_unit_test(eprof_has_the_totals_of_its_table),
		cmocka_unit_test(eprof_keeps_processes),
		cmocka_unit_test(jemalloc_has_the_totals_of_jeprof),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
