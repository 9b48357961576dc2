/* The job file: what it means, the jobs that come of it. */
#include "jobs/matrix/matrix.h"

#include "base/file.h"
#include "base/folder/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As `git config -lz` prints it: key LF value NUL. */
static int parse(struct pn_matrix *out, const char *const *pairs,
		 struct pn_error *err)
{
	struct pn_buf list = {0};
	int code;

	for (; pairs[0]; pairs += 2) {
		pn_buf_add_text(&list, pairs[0]);
		pn_buf_add_byte(&list, '\n');
		pn_buf_add(&list, pairs[1], strlen(pairs[1]) + 1);
	}
	memset(out, 0, sizeof(*out));
	code = pn_matrix_parse_list(out, "jobs", pn_buf_text(&list), list.len,
				    err);
	pn_buf_release(&list);
	return code;
}

static void expand(struct pn_matrix *out, const char *const *pairs)
{
	struct pn_error err = {0};

	if (parse(out, pairs, &err) ||
	    pn_matrix_expand(out, "/", true, NULL, &err))
		fail_msg("%s", err.message);
}

static void takes_every_key(void **state)
{
	const char *pairs[] = {"job.a.b.cmd",
			       "x",
			       "job.a.b.timeout",
			       "1.5s",
			       "job.a.b.buildtimeout",
			       "2h",
			       "job.a.b.mintime",
			       "250ms",
			       "job.a.b.maxtime",
			       "5m",
			       "job.a.b.precision",
			       "0.05",
			       "job.a.b.warmup",
			       "0",
			       "job.a.b.minruns",
			       "3",
			       "job.a.b.shell",
			       "Yes",
			       "job.a.b.ignorestatus",
			       "off",
			       "job.a.b.stdin",
			       "file",
			       NULL};
	const struct pn_matrix_section *s;
	struct pn_matrix m;

	(void)state;
	expand(&m, pairs);
	s = &m.sections[0];
	assert_string_equal(s->name, "a.b");
	assert_int_equal(s->timeout_ns, 1500000000);
	assert_int_equal(s->build_timeout_ns, 7200000000000);
	assert_int_equal(s->min_time_ns, 250000000);
	assert_int_equal(s->max_time_ns, 300000000000);
	assert_float_equal(s->precision, 0.05, 0);
	assert_int_equal(s->min_runs, 3);
	assert_true(s->shell && !s->ignore_status);
	assert_string_equal(s->input, "file");
	pn_matrix_release(&m);
}

static void multiplies_commands_args_and_workloads(void **state)
{
	const char *pairs[] = {"job.j.cmd",
			       "a 'b c'",
			       "job.j.cmd",
			       "d",
			       "job.j.args",
			       "-1",
			       "job.j.args",
			       "-2 {workload}",
			       "job.j.workload",
			       "n",
			       "job.j.workload",
			       "x y",
			       "workload.n.type",
			       "integer",
			       "workload.n.min",
			       "-1",
			       "workload.n.max",
			       "3",
			       "workload.n.step",
			       "2",
			       NULL};
	struct pn_matrix m;
	const struct pn_matrix_job *j;

	(void)state;
	expand(&m, pairs);
	/* 2 commands, 2 args, 3 numbers and a text */
	assert_int_equal(m.job_count, 2 * 2 * (3 + 1));
	j = &m.jobs[0]; /* behind the words */
	assert_string_equal(j->job.argv[0], "a");
	assert_string_equal(j->job.argv[1], "b c");
	assert_string_equal(j->job.argv[2], "-1");
	assert_string_equal(j->job.argv[3], "-1");
	assert_null(j->job.argv[4]);
	assert_string_equal(j->job.cmd, "a");
	assert_string_equal(j->job.args, "'b c' -1");
	assert_string_equal(j->job.workload, "n/-1");
	assert_string_equal(j->job.labels[0].key, "n");
	assert_string_equal(j->job.labels[0].value, "-1");
	j = &m.jobs[3]; /* a text of words */
	assert_string_equal(j->job.argv[3], "x");
	assert_string_equal(j->job.argv[4], "y");
	j = &m.jobs[7]; /* in its place it is one word */
	assert_string_equal(j->job.argv[2], "-2");
	assert_string_equal(j->job.argv[3], "x y");
	assert_null(j->job.argv[4]);
	assert_string_equal(j->job.args, "'b c' -2 {workload}");
	assert_string_equal(m.jobs[15].job.cmd, "d");
	pn_matrix_release(&m);
}

static void gives_a_shell_one_line(void **state)
{
	const char *pairs[] = {"job.j.cmd",
			       "a | b",
			       "job.j.shell",
			       "true",
			       "job.j.args",
			       "-c",
			       "job.j.workload",
			       "s",
			       "job.j.workload",
			       "x y",
			       "workload.s.type",
			       "string",
			       "workload.s.min",
			       "0",
			       "workload.s.max",
			       "0",
			       NULL};
	struct pn_matrix m;

	(void)state;
	expand(&m, pairs);
	assert_string_equal(m.jobs[0].job.line, "a | b -c ''");
	assert_string_equal(m.jobs[1].job.line, "a | b -c x y");
	assert_string_equal(m.jobs[1].job.cmd, "a | b");
	pn_matrix_release(&m);
}

/* printf 'j\0a\0\0\0time\0' | sha256sum, its first twelve digits */
static void an_id_depends_on_the_job_alone(void **state)
{
	const char *one[] = {"job.j.cmd", "a", NULL};
	const char *two[] = {"job.i.cmd", "a", "job.j.runs", "3",
			     "job.j.cmd", "a", NULL};
	struct pn_matrix m, n;

	(void)state;
	expand(&m, one);
	expand(&n, two);
	assert_string_equal(m.jobs[0].id, "59d2974dcc2b");
	assert_string_equal(n.jobs[1].id, m.jobs[0].id);
	assert_true(n.jobs[1].key == m.jobs[0].key);
	assert_string_not_equal(n.jobs[0].id, m.jobs[0].id);
	pn_matrix_release(&m);
	pn_matrix_release(&n);
}

static void random_workloads_are_always_the_same(void **state)
{
	const char *pairs[] = {"job.j.cmd",
			       "a",
			       "job.j.workload",
			       "s",
			       "job.j.workload",
			       "t",
			       "workload.s.type",
			       "string",
			       "workload.s.min",
			       "5",
			       "workload.s.max",
			       "7",
			       "workload.s.step",
			       "2",
			       "workload.t.type",
			       "text",
			       "workload.t.min",
			       "3",
			       "workload.t.max",
			       "3",
			       NULL};
	struct pn_buf first = {0}, second = {0};
	struct pn_matrix m, n;
	const char *lf;
	size_t i, lines = 0;

	(void)state;
	expand(&m, pairs);
	expand(&n, pairs);
	for (i = 0; i < 2; i++) {
		assert_string_equal(m.jobs[i].input, n.jobs[i].input);
		assert_int_equal(strlen(m.jobs[i].input), 5 + 2 * i);
	}
	assert_int_equal(pn_file_read(&first, m.jobs[2].input, 10000, NULL), 0);
	assert_int_equal(pn_file_read(&second, n.jobs[2].input, 10000, NULL),
			 0);
	assert_string_equal(pn_buf_text(&first), pn_buf_text(&second));
	for (lf = pn_buf_text(&first); (lf = strchr(lf, '\n')); lf++)
		lines++;
	assert_int_equal(lines, 3);
	pn_matrix_release(&n);
	assert_int_equal(access(m.jobs[2].input, F_OK), 0);
	pn_buf_clear(&first);
	pn_buf_add_text(&first, m.jobs[2].input);
	pn_matrix_release(&m);
	assert_int_equal(access(pn_buf_text(&first), F_OK), -1);
	pn_buf_release(&first);
	pn_buf_release(&second);
}

static void files_carry_the_keys_of_their_names(void **state)
{
	const char *pairs[] = {"job.j.cmd",
			       "a",
			       "job.j.workload",
			       "f",
			       "workload.f.type",
			       "command",
			       "workload.f.command",
			       "cd $GIT_PERF_OUTPUT && touch 8x16.png 8x4.png "
			       "ab.txt .hidden && mkdir 1x1.png",
			       "workload.f.pattern",
			       "*.png",
			       "workload.f.keys",
			       "{w}x{height}.png",
			       NULL};
	struct pn_matrix m;
	struct pn_error err;

	(void)state;
	expand(&m, pairs);
	assert_int_equal(m.job_count, 2);
	assert_string_equal(m.jobs[0].job.workload, "f/8x16.png");
	assert_int_equal(m.jobs[0].job.label_count, 2);
	assert_string_equal(m.jobs[0].job.labels[0].key, "w");
	assert_string_equal(m.jobs[0].job.labels[0].value, "8");
	assert_string_equal(m.jobs[0].job.labels[1].key, "height");
	assert_string_equal(m.jobs[0].job.labels[1].value, "16");
	assert_int_equal(access(m.jobs[1].input, F_OK), 0);
	pn_matrix_release(&m);

	pairs[9] = "*";
	assert_int_equal(parse(&m, pairs, &err), 0);
	assert_int_equal(pn_matrix_expand(&m, "/", true, NULL, &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "'jobs': workload.f: file 'ab.txt' does not fit "
			    "the keys '{w}x{height}.png'");
	pn_matrix_release(&m);
}

static void starts_nothing_unless_told(void **state)
{
	const char *pairs[] = {"job.j.cmd",
			       "a",
			       "job.j.workload",
			       "f",
			       "workload.f.type",
			       "command",
			       "workload.f.command",
			       "exit 7",
			       NULL};
	struct pn_matrix m;
	struct pn_error err;

	(void)state;
	assert_int_equal(parse(&m, pairs, &err), 0);
	assert_int_equal(pn_matrix_expand(&m, "/", false, NULL, &err), 0);
	assert_int_equal(m.job_count, 1);
	assert_string_equal(m.jobs[0].job.workload, "f/...");
	assert_null(m.folder);
	pn_matrix_release(&m);
	assert_int_equal(parse(&m, pairs, &err), 0);
	assert_int_equal(pn_matrix_expand(&m, "/", true, NULL, &err), PN_EIO);
	assert_string_equal(err.message,
			    "'jobs': workload.f: the command 'exit 7' exited "
			    "with status 7");
	pn_matrix_release(&m);
}

static void writes_nothing_unless_told(void **state)
{
	const char *pairs[] = {"job.j.cmd",
			       "a",
			       "job.j.workload",
			       "t",
			       "workload.t.type",
			       "text",
			       "workload.t.min",
			       "1",
			       "workload.t.max",
			       "1000000",
			       "workload.t.step",
			       "1001",
			       NULL};
	struct pn_matrix m;
	struct pn_error err;

	(void)state;
	assert_int_equal(parse(&m, pairs, &err), 0);
	assert_int_equal(pn_matrix_expand(&m, "/", false, NULL, &err), 0);
	/* 1 + k 1001 up to a million, which is 1 + 999 x 1001 */
	assert_int_equal(m.job_count, 1000);
	assert_string_equal(m.jobs[999].job.workload, "t/1000000");
	assert_null(m.folder);
	pn_matrix_release(&m);
}

static void refuses_what_cannot_be_right(void **state)
{
	static const struct {
		const char *pairs[9], *says;
	} bad[] = {
		{{"job.j.cmd", "a", "job.j.collector", "none", NULL},
		 "'jobs': job.j: no collector 'none'"},
		{{"job.j.cmd", "a", "job.j.option", "x=1", NULL},
		 "'jobs': job.j: collector 'time' has no option 'x'"},
		{{"job.j.cmd", "a", "job.j.runs", "3", "job.j.minruns", "2",
		  NULL},
		 "'jobs': job.j: runs is exact"},
		{{"job.j.cmd", "a", "job.j.precision", "-1", NULL},
		 "'jobs': job.j.precision: bad share '-1'"},
		{{"job.j.cmd", "", NULL}, "'jobs': job.j.cmd: needs a value"},
		{{"job.a/b.cmd", "a", NULL},
		 "'jobs': job.a/b.cmd: a name has neither slashes"},
		{{"job.j.cmd", "a", "workload.w.type", "integer",
		  "workload.w.min", "1", NULL},
		 "'jobs': workload.w: needs min and max"},
		{{"job.j.cmd", "a", "workload.w.type", "integer",
		  "workload.w.min", "-9223372036854775808", "workload.w.max",
		  "9223372036854775807", NULL},
		 "'jobs': workload.w: gives more than 1000 workloads"},
		{{"job.j.cmd", "a", "workload.w.type", "files", NULL},
		 "'jobs': workload.w: has no path"},
	};
	struct pn_matrix m;
	struct pn_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_true(parse(&m, bad[i].pairs, &err) < 0);
		if (strncmp(err.message, bad[i].says, strlen(bad[i].says)) != 0)
			fail_msg("'%s' does not begin '%s'", err.message,
				 bad[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_every_key),
		cmocka_unit_test(multiplies_commands_args_and_workloads),
		cmocka_unit_test(gives_a_shell_one_line),
		cmocka_unit_test(an_id_depends_on_the_job_alone),
		cmocka_unit_test(random_workloads_are_always_the_same),
		cmocka_unit_test(files_carry_the_keys_of_their_names),
		cmocka_unit_test(starts_nothing_unless_told),
		cmocka_unit_test(writes_nothing_unless_told),
		cmocka_unit_test(refuses_what_cannot_be_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
