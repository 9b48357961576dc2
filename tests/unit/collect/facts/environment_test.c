/* Facts of the machine, on systems made of a few files. */
#include "collect/facts/environment.h"

#include "base/buf.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make_root(void **state)
{
	char name[] = "/tmp/environment_test.XXXXXX";

	*state = mkdtemp(name) ? strdup(name) : NULL;
	return *state ? 0 : -1;
}

static const char *const files[] = {
	"/proc/cpuinfo", "/proc/meminfo", "/proc/device-tree/model",
	"/etc/os-release",
	"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"};

static int remove_root(void **state)
{
	char path[256], *slash;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s%s", (char *)*state, files[i]);
		for (unlink(path); (slash = strrchr(path, '/')) != path;) {
			*slash = '\0';
			rmdir(path);
		}
	}
	free(*state);
	return 0;
}

static void put(const char *root, const char *path, const char *text)
{
	char name[256];

	snprintf(name, sizeof(name), "%s%s", root, path);
	*strrchr(name, '/') = '\0';
	assert_int_equal(pn_file_make_dirs(name, NULL), 0);
	snprintf(name, sizeof(name), "%s%s", root, path);
	assert_int_equal(pn_file_write(name, text, strlen(text), false, NULL),
			 0);
}

static void reads_an_x86_machine(void **state)
{
	struct pn_environment env;

	put(*state, "/proc/cpuinfo",
	    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
	    "model\t\t: 158\nmodel name\t:  Intel(R)  Core(TM) i7 \n");
	put(*state, "/proc/meminfo",
	    "MemTotal:       16384 kB\nMemFree: 1 kB\n");
	put(*state, "/etc/os-release",
	    "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 "
	    "(bookworm)\"\n");
	put(*state, files[4], "powersave\n");
	pn_environment_read(&env, NULL, *state);
	assert_string_equal(env.cpu, "Intel(R) Core(TM) i7");
	assert_int_equal(env.memory_bytes, 16384 * 1024);
	assert_string_equal(env.os, "Debian GNU/Linux 12 (bookworm)");
	assert_string_equal(env.governor, "powersave");
	assert_string_equal(env.machine, "");
}

static void names_an_arm_board_or_the_core_s_numbers(void **state)
{
	struct pn_environment env;

	put(*state, "/proc/cpuinfo",
	    "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n"
	    "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n");
	pn_environment_read(&env, NULL, *state);
	assert_string_equal(env.cpu, "ARM 0x41 part 0xd0c");
	put(*state, "/proc/device-tree/model", "Raspberry Pi 4 Model B");
	pn_environment_read(&env, NULL, *state);
	assert_string_equal(env.cpu, "Raspberry Pi 4 Model B");
}

static void says_less_where_nothing_is_to_be_read(void **state)
{
	struct pn_environment env;

	pn_environment_read(&env, NULL, *state);
	assert_string_equal(env.cpu, "");
	assert_string_equal(env.governor, "");
	/* uname and sysconf are always there */
	assert_true(*env.kernel && *env.os && *env.arch);
	assert_true(env.cores >= 1 && env.memory_bytes > 0);
}

static void takes_the_fingerprint_of_what_matters(void **state)
{
	struct pn_environment env = {.cpu = "X 1", .cores = 4, .arch = "riscv"};
	char one[PN_FINGERPRINT_MAX], other[PN_FINGERPRINT_MAX];

	(void)state;
	/* printf 'X 1\n4\nriscv\n' | sha256sum | cut -c1-12 */
	pn_environment_fingerprint(one, &env);
	assert_string_equal(one, "e2995d8ee389");
	memcpy(env.kernel, "6.1", 4);
	env.memory_bytes = 1;
	pn_environment_fingerprint(other, &env);
	assert_string_equal(one, other);
	env.cores = 8;
	pn_environment_fingerprint(other, &env);
	assert_string_not_equal(one, other);
	memcpy(env.machine, "bench-1", 8);
	pn_environment_fingerprint(other, &env);
	assert_string_equal(other, "bench-1");
}

static void writes_known_facts_only(void **state)
{
	struct pn_environment env = {.cores = 2, .arch = "x86_64"};
	struct pn_profile p;

	(void)state;
	pn_profile_init(&p);
	pn_environment_apply(&p, &env);
	/* env, cores, arch */
	assert_int_equal(p.header.environment_count, 3);
	assert_string_equal(pn_profile_text(&p, p.header.environment[1].key),
			    "cores");
	assert_string_equal(pn_profile_text(&p, p.header.environment[1].value),
			    "2");
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(reads_an_x86_machine, make_root,
						remove_root),
		cmocka_unit_test_setup_teardown(
			names_an_arm_board_or_the_core_s_numbers, make_root,
			remove_root),
		cmocka_unit_test_setup_teardown(
			says_less_where_nothing_is_to_be_read, make_root,
			remove_root),
		cmocka_unit_test(takes_the_fingerprint_of_what_matters),
		cmocka_unit_test(writes_known_facts_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
