/* What of a machine's settings disturbs, from files as the kernel writes them:
 * admin-guide/pm/cpufreq.rst, intel_pstate.rst, mm/transhuge.rst. */
#include "scratch.h"

#include "collect/disturb.h"

static void put(const struct scratch *s, const char *path, const char *text)
{
	char name[512];

	snprintf(name, sizeof(name), "%s%s", s->dir, path);
	*strrchr(name, '/') = '\0';
	assert_int_equal(pn_file_make_dirs(name, NULL), 0);
	snprintf(name, sizeof(name), "%s%s", s->dir, path);
	assert_int_equal(pn_file_write(name, text, strlen(text), false, NULL),
			 0);
}

#define CPU "/sys/devices/system/cpu/"

static void settings_are_those_that_the_kernel_says(void **state)
{
	const struct scratch *s = *state;
	struct pn_disturb d;

	put(s, CPU "cpu0/cpufreq/scaling_governor", "powersave\n");
	put(s, CPU "intel_pstate/no_turbo", "0\n");
	put(s, CPU "cpufreq/boost", "0\n");
	put(s, CPU "smt/active", "1\n");
	put(s, "/sys/kernel/mm/transparent_hugepage/enabled",
	    "[always] madvise never\n");
	put(s, "/proc/sys/kernel/randomize_va_space", "2\n");
	put(s, "/proc/cpuinfo", "model name\t: X\nflags\t\t: fpu hypervisor\n");
	pn_disturb_read(&d, s->dir);
	assert_string_equal(d.governor, "powersave");
	assert_string_equal(d.huge_pages, "always");
	/* Intel's file says that there is no "no turbo" */
	assert_int_equal(d.turbo, 1);
	assert_int_equal(d.threads, 1);
	assert_int_equal(d.randomized, 2);
	assert_int_equal(d.is_virtual, 1);
}

static void what_the_kernel_does_not_say_is_unknown(void **state)
{
	struct scratch *s = *state;
	struct pn_disturb d;
	char empty[512];

	snprintf(empty, sizeof(empty), "%s/none", s->dir);
	pn_disturb_read(&d, empty);
	assert_string_equal(d.governor, "");
	assert_string_equal(d.huge_pages, "");
	assert_int_equal(d.turbo, -1);
	assert_int_equal(d.threads, -1);
	assert_int_equal(d.randomized, -1);
	assert_int_equal(d.is_virtual, -1);
	put(s, "/none" CPU "cpufreq/boost", "1\n");
	put(s, "/none/proc/cpuinfo", "model name\t: X\nflags\t\t: fpu\n");
	put(s, "/none/sys/kernel/mm/transparent_hugepage/enabled", "x\n");
	pn_disturb_read(&d, empty);
	assert_int_equal(d.turbo, 1);
	assert_int_equal(d.is_virtual, 0);
	assert_string_equal(d.huge_pages, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			settings_are_those_that_the_kernel_says, scratch_open,
			scratch_close),
		cmocka_unit_test_setup_teardown(
			what_the_kernel_does_not_say_is_unknown, scratch_open,
			scratch_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
