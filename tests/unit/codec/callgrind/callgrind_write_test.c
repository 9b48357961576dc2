/* Writing callgrind's format: what comes back of a graph, of stacks and of
 * units when it is read again. */
#include "callgrind_text.h"

static void written(struct pn_buf *out, const struct pn_profile *p)
{
	struct pn_error err;

	if (pn_codec_callgrind.write(out, p, &err))
		fail_msg("%s", err.message);
}

/* A dump of one thread, the second of its run: lines that tell it from others
 * come back as such. */
static void keeps_part_and_thread(void **state)
{
	struct pn_profile p;
	struct pn_buf out = {0};
	struct pn_error err;

	(void)state;
	assert_int_equal(read_text(&p, NULL,
				   "version: 1\ncreator: callgrind-3.19.0\n"
				   "pid: 7\ncmd: a\npart: 2\nthread: 3\n"
				   "events: Ir\nfn=f\n1 2\n",
				   &err),
			 0);
	assert_int_equal(p.comment_count, 2);
	assert_string_equal(pn_profile_text(&p, p.comments[1]), "part: 2");
	assert_int_equal(p.events.thread_count, 1);
	assert_string_equal(pn_profile_text(&p, p.events.threads[0].id), "3");
	assert_true(p.events.threads[0].cost == 2);
	written(&out, &p);
	assert_non_null(
		strstr(pn_buf_text(&out), "\npart: 2\npid: 7\nthread: 3\n"));
	pn_buf_release(&out);
	pn_profile_release(&p);
}

/* A process is another one at each run: where no thread needs it to be told,
 * equal runs are one body. */
static void leaves_out_the_process_of_equal_runs(void **state)
{
	static const char *const texts[] = {
		"version: 1\npid: 7\ncmd: a\npart: 1\nevents: Ir\nfn=f\n1 2\n",
		"version: 1\npid: 9\ncmd: a\npart: 1\nevents: Ir\nfn=f\n1 2\n"};
	struct pn_profile p[2];
	struct pn_error err;
	char why[200] = "";
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_int_equal(read_text(&p[i], NULL, texts[i], &err), 0);
		assert_int_equal(p[i].events.process_count, 0);
	}
	if (!pn_profile_equal(&p[0], &p[1], why, sizeof(why)))
		fail_msg("%s", why);
	pn_profile_release(&p[0]);
	pn_profile_release(&p[1]);
}

/* What valgrind --separate-threads=yes --combine-dumps=yes writes: parts of
 * two threads, of the second one twice. 5 + 20 + 300 is the whole. */
static void tells_threads_of_parts_apart(void **state)
{
	static const char text[] =
		"version: 1\npid: 7\ncmd: a\npart: 1\nthread: 1\n"
		"events: Ir\nfn=f\n1 5\ntotals: 5\n"
		"version: 1\npid: 7\ncmd: a\npart: 1\nthread: 2\n"
		"events: Ir\nfn=f\n1 20\ntotals: 20\n"
		"version: 1\npid: 7\ncmd: a\npart: 2\nthread: 2\n"
		"events: Ir\nfn=g\n1 300\ntotals: 300\n";
	const struct pn_thread *threads;
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(read_text(&p, NULL, text, &err), 0);
	threads = p.events.threads;
	assert_int_equal(p.events.thread_count, 2);
	assert_int_equal(p.events.process_count, 1);
	assert_string_equal(pn_profile_text(&p, p.events.processes[0].id), "7");
	assert_string_equal(pn_profile_text(&p, threads[0].id), "1");
	assert_string_equal(pn_profile_text(&p, threads[1].id), "2");
	assert_true(threads[0].cost == 5);
	assert_true(threads[1].cost == 320);
	assert_int_equal(p.graph.self[0].i + p.graph.self[1].i, 325);
	pn_profile_release(&p);
}

/* Calls without times have their share of the callee's cost, which is reckoned
 * with doubles: 2^63 - 1 is 2^63 there, and fits no more. */
static void refuses_a_share_that_is_too_large(void **state)
{
	struct pn_profile p;
	struct pn_buf out = {0};
	struct pn_error err;

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "events: Ir\nfn=f\n1 2\ncfn=g\ncalls=3 1\n1 0\n\n"
		  "fn=g\n1 5\n");
	p.graph.total[node(&p, "g")].i = INT64_MAX;
	assert_int_equal(pn_codec_callgrind.write(&out, &p, &err), PN_EINVAL);
	assert_non_null(strstr(err.message, "profile do not fit"));
	p.graph.total[node(&p, "g")].i = 5;
	written(&out, &p);
	assert_non_null(strstr(pn_buf_text(&out), "\n1 5\n"));
	pn_buf_release(&out);
	pn_profile_release(&p);
}

/* All but where in a callee calls go comes back. */
static void writes_a_graph_that_reads_as_the_same(void **state)
{
	struct pn_profile p, q;
	struct pn_buf out = {0};
	char why[256] = "";

	(void)state;
	read_good(&p, &pn_codec_callgrind, example);
	written(&out, &p);
	read_good(&q, &pn_codec_callgrind, pn_buf_text(&out));
	if (!pn_profile_equal(&p, &q, why, sizeof(why)))
		fail_msg("%s\n%s", why, pn_buf_text(&out));
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&out);
}

/* Of code that was inlined from another file, as callgrind writes it. */
static void keeps_where_calls_stand(void **state)
{
	static const char text[] = "positions: instr line\nevents: Ir\n"
				   "fl=main.c\nfn=main\n"
				   "0x10 5 1\n"
				   "cfn=work\ncalls=1 0x40 20\n0x12 6 10\n"
				   "fi=inlined.h\n0x18 90 2\n"
				   "cfi=main.c\ncfn=work\ncalls=2 0x40 20\n"
				   "0x1c 91 30\n"
				   "fe=main.c\n0x20 7 1\n"
				   "fn=work\n0x40 20 40\n";
	const struct {
		const char *file;
		int64_t line, calls;
		uint64_t address;
	} expected[] = {{"", 6, 1, 0x12}, {"inlined.h", 91, 2, 0x1c}};
	struct pn_profile p, q;
	struct pn_buf out = {0};
	char why[256] = "";
	size_t i;

	(void)state;
	read_good(&p, &pn_codec_callgrind, text);
	assert_int_equal(p.graph.edge_count, 2);
	for (i = 0; i < 2; i++) {
		const struct pn_edge *e = &p.graph.edges[i];

		assert_string_equal(pn_profile_text(&p, e->file),
				    expected[i].file);
		assert_int_equal(e->line, expected[i].line);
		assert_int_equal(e->calls, expected[i].calls);
		assert_int_equal(e->address, expected[i].address);
	}
	assert_int_equal(total(&p, "main"), 44);
	written(&out, &p);
	read_good(&q, &pn_codec_callgrind, pn_buf_text(&out));
	if (!pn_profile_equal(&p, &q, why, sizeof(why)))
		fail_msg("%s\n%s", why, pn_buf_text(&out));
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&out);
}

static void read_collapsed(struct pn_profile *out, const char *text)
{
	struct pn_error err;

	if (read_text(out, &pn_codec_collapsed, text, &err))
		fail_msg("%s", err.message);
}

/* Control bytes of events become '_', and reading wants them distinct. */
static void tells_events_apart_that_are_written_alike(void **state)
{
	struct pn_profile p, q;
	struct pn_buf out = {0};

	(void)state;
	read_good(&p, &pn_codec_callgrind,
		  "events: \1 \2 _ _2\nfl=a\nfn=\v\n1 1 2 3 4\n");
	written(&out, &p);
	read_good(&q, &pn_codec_callgrind, pn_buf_text(&out));
	assert_int_equal(q.type_count, 4);
	assert_string_equal(pn_profile_text(&q, q.types[0].type), "_");
	assert_int_equal(q.graph.cost_values[0].i, 1);
	assert_int_equal(q.graph.cost_values[3].i, 4);
	/* a name of them alone is none */
	assert_string_equal(
		pn_profile_text(&q, q.functions[q.function_count - 1].name),
		"???");
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&out);
}

/* a calls itself over b; b begins a stack of its own as well. */
static void writes_stacks_as_a_graph(void **state)
{
	struct pn_profile p, q;
	struct pn_buf out = {0};

	(void)state;
	read_collapsed(&p, "main;a;b;a;c 3\nmain;a 4\nb 5\nmain;a;a 6\n");
	written(&out, &p);
	read_good(&q, &pn_codec_callgrind, pn_buf_text(&out));
	assert_int_equal(self(&q, "a"), 10);	 /* 4 + 6 */
	assert_int_equal(total(&q, "a"), 13);	 /* 3 + 4 + 6 */
	assert_int_equal(total(&q, "main"), 13); /* the same */
	assert_int_equal(total(&q, "b"), 8);	 /* 3 + 5 */
	assert_int_equal(total(&q, "c"), 3);
	assert_int_equal(total(&q, "(root)"), 5);
	assert_string_equal(pn_profile_text(&q, q.types[0].type), "samples");
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&out);
}

static void writes_seconds_as_nanoseconds(void **state)
{
	struct pn_profile p, q;
	struct pn_buf out = {0};

	(void)state;
	read_collapsed(&p, "a 0.25\nb 2\n");
	p.types[0].unit = pn_strtab_add_text(&p.strings, "seconds");
	written(&out, &p);
	read_good(&q, &pn_codec_callgrind, pn_buf_text(&out));
	assert_string_equal(pn_profile_text(&q, q.types[0].unit), "ns");
	assert_int_equal(self(&q, "a"), 250000000);
	p.values[0].d = 1e10; /* 10^19 ns */
	assert_int_equal(pn_codec_callgrind.write(&out, &p, NULL), PN_EINVAL);
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_part_and_thread),
		cmocka_unit_test(leaves_out_the_process_of_equal_runs),
		cmocka_unit_test(tells_threads_of_parts_apart),
		cmocka_unit_test(refuses_a_share_that_is_too_large),
		cmocka_unit_test(writes_a_graph_that_reads_as_the_same),
		cmocka_unit_test(keeps_where_calls_stand),
		cmocka_unit_test(tells_events_apart_that_are_written_alike),
		cmocka_unit_test(writes_stacks_as_a_graph),
		cmocka_unit_test(writes_seconds_as_nanoseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
