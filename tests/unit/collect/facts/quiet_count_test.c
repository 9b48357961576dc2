/* How quiet a machine was, from counters that are made up: two processors, a
 * hundred ticks a second, ten seconds: 2000 ticks. */
#include "collect/facts/quiet.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define S INT64_C(1000000000)

static const struct pn_quiet_count begin = {.known = true,
					    .busy = 7000,
					    .idle = 90000,
					    .steal = 50,
					    .ticks_per_s = 100,
					    .own_ns = 3 * S,
					    .switches = 40};

/* That long after `begin`. */
static struct pn_quiet look(uint64_t busy, uint64_t idle, uint64_t steal,
			    int64_t own_ns, uint64_t switches)
{
	struct pn_quiet_count end = begin;
	struct pn_quiet q;

	end.busy += busy;
	end.idle += idle;
	end.steal += steal;
	end.own_ns += own_ns;
	end.switches += switches;
	pn_quiet_between(&q, &begin, &end);
	return q;
}

static bool near(double value, double expected)
{
	return fabs(value - expected) < 1e-6;
}

/* One of us has a processor, the kernel's threads 60 ticks. */
static void a_quiet_machine_is_quiet(void **state)
{
	struct pn_quiet q = look(1060, 940, 0, 10 * S, 30);

	(void)state;
	assert_true(near(q.others, 0.03) && near(q.idle, 0.47));
	assert_true(near(q.steal, 0) && near(q.switches, 3));
	assert_true(isnan(q.nice));
	assert_false(pn_quiet_is_noisy(&q));
}

/* Three that spin share two processors: each has two thirds of one. */
static void a_spinner_on_every_processor_is_noise(void **state)
{
	struct pn_quiet q = look(2000, 0, 0, 20 * S / 3, 1700);

	(void)state;
	assert_true(near(q.others, 2 / 3.0));
	assert_true(near(q.switches, 255));
	assert_true(pn_quiet_is_noisy(&q));
	/* one spinner: a processor each */
	q = look(2000, 0, 0, 10 * S, 30);
	assert_true(near(q.others, 0.5));
	assert_true(pn_quiet_is_noisy(&q));
}

/* All that the machine did was ours, on two threads that compete. */
static void own_threads_are_no_noise(void **state)
{
	struct pn_quiet q = look(2000, 0, 0, 1990 * S / 100, 9000);

	(void)state;
	assert_true(near(q.others, 0.005));
	assert_false(pn_quiet_is_noisy(&q));
	/* accounts of ticks are coarse: less than nothing is nothing */
	q = look(2000, 0, 0, 2010 * S / 100, 0);
	assert_true(near(q.others, 0));
}

static void what_the_host_takes_is_noise(void **state)
{
	struct pn_quiet q = look(1000, 800, 200, 10 * S, 0);

	(void)state;
	assert_true(near(q.steal, 0.1) && near(q.others, 0));
	assert_true(pn_quiet_is_noisy(&q));
}

/* 40 ticks are too few; a competitor shows in the switches. */
static void a_short_time_is_judged_by_switches(void **state)
{
	struct pn_quiet q = look(40, 0, 0, S / 5, 51);

	(void)state;
	assert_true(isnan(q.others) && isnan(q.idle) && isnan(q.steal));
	assert_true(near(q.switches, 255));
	assert_true(pn_quiet_is_noisy(&q));
	q = look(40, 0, 0, S / 5, 2);
	assert_true(near(q.switches, 10));
	assert_false(pn_quiet_is_noisy(&q));
	/* idle counters may step back */
	q = look(1000, UINT64_MAX, 0, 10 * S, 0);
	assert_true(near(q.idle, 0));
}

/* Half a second of it: 100 ticks. */
static void waits_until_it_is_quiet(void **state)
{
	struct pn_quiet_wait wait = {.begin_ns = 5 * S, .before = begin};
	struct pn_quiet_count busy = begin, quiet = begin;

	(void)state;
	busy.busy += 51;
	busy.idle += 49;
	busy.switches += 1000; /* they are ours, of the little we did */
	busy.own_ns += S / 1000;
	busy.nice = 10;
	quiet.busy += 20;
	quiet.idle += 80;
	assert_false(pn_quiet_wait_ends(&wait, &busy, 6 * S, false, 3 * S));
	assert_true(pn_quiet_wait_ends(&wait, &quiet, 6 * S, false, 3 * S));
	assert_false(pn_quiet_wait_ends(&wait, &quiet, 6 * S, true, 3 * S));
	/* never longer than that */
	assert_true(pn_quiet_wait_ends(&wait, &busy, 8 * S, true, 3 * S));
	/* 40 ticks, or a system that does not tell */
	busy.busy -= 40;
	busy.idle -= 49;
	assert_true(pn_quiet_wait_ends(&wait, &busy, 6 * S, false, 3 * S));
	busy.known = false;
	assert_true(pn_quiet_wait_ends(&wait, &busy, 6 * S, false, 3 * S));
}

static void put(const char *root, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/proc", root);
	assert_int_equal(pn_file_make_dirs(path, NULL), 0);
	snprintf(path, sizeof(path), "%s/proc/%s", root, name);
	assert_int_equal(pn_file_write(path, text, strlen(text), false, NULL),
			 0);
}

static void take_away(const char *root, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/proc/%s", root, name);
	unlink(path);
}

static void reads_the_kernel_s_counters(void **state)
{
	char root[] = "/tmp/quiet_count_test.XXXXXX";
	struct pn_quiet_count c;
	char proc[64];

	(void)state;
	assert_non_null(mkdtemp(root));
	pn_quiet_count_read(&c, root, true);
	assert_false(c.known);
	assert_true(isnan(c.load) && isnan(c.mhz));
	/* user nice system idle iowait irq softirq steal guest guest_nice */
	put(root, "stat",
	    "cpu  10 200 3000 40000 5 6 70 800 9 9\ncpu0 1 2 3 4 5 6 7 8 9 9\n"
	    "intr 5\n");
	put(root, "loadavg", "1.25 0.50 0.10 2/300 4000\n");
	put(root, "cpuinfo",
	    "processor\t: 0\ncpu MHz\t\t: 2000.5\n\nprocessor\t: 1\n"
	    "cpu MHz\t\t: 3000.5\n");
	pn_quiet_count_read(&c, root, true);
	assert_true(c.known);
	assert_int_equal(c.busy, 10 + 200 + 3000 + 6 + 70);
	assert_int_equal(c.idle, 40005);
	assert_int_equal(c.steal, 800);
	assert_true(near(c.load, 1.25) && near(c.mhz, 2500.5));
	assert_true(c.own_ns > 0);
	/* two run now, of which we are one; then nine */
	assert_true(near(pn_quiet_load(root), 1.25));
	put(root, "loadavg", "1.25 0.50 0.10 9/300 4000\n");
	assert_true(near(pn_quiet_load(root), 8));
	take_away(root, "loadavg");
	assert_true(isnan(pn_quiet_load(root)));
	put(root, "loadavg", "");
	/* kernels before 2.6.11 had no steal */
	put(root, "stat", "cpu  10 200 3000 40000 5 6 70\n");
	pn_quiet_count_read(&c, root, true);
	assert_true(c.known);
	assert_int_equal(c.steal, 0);
	put(root, "stat", "cpu  ten 200\n");
	pn_quiet_count_read(&c, root, true);
	assert_false(c.known);
	take_away(root, "stat");
	take_away(root, "loadavg");
	take_away(root, "cpuinfo");
	snprintf(proc, sizeof(proc), "%s/proc", root);
	rmdir(proc);
	rmdir(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_machine_is_quiet),
		cmocka_unit_test(a_spinner_on_every_processor_is_noise),
		cmocka_unit_test(own_threads_are_no_noise),
		cmocka_unit_test(what_the_host_takes_is_noise),
		cmocka_unit_test(a_short_time_is_judged_by_switches),
		cmocka_unit_test(waits_until_it_is_quiet),
		cmocka_unit_test(reads_the_kernel_s_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
