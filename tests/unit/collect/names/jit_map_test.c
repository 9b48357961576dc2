/* Names of code that was made while a program ran. */
#include "collect/names/jit_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "" when nothing is there. */
static const char *at(const struct pn_jit_map *map, uint64_t address)
{
	static char name[64];
	const char *found;
	size_t len;

	found = pn_jit_map_find(&len, map, address);
	snprintf(name, sizeof(name), "%.*s", found ? (int)len : 0,
		 found ? found : "");
	return name;
}

static struct pn_jit_map *parse(const char *text)
{
	return pn_jit_map_parse(text, strlen(text));
}

static void names_what_lies_in_a_range(void **state)
{
	struct pn_jit_map *map = parse("2000 20 LazyCompile:~later a.js:3\n"
				       "1000 10 first\n0x3000 0x8 third\n");

	(void)state;
	assert_string_equal(at(map, 0xfff), "");
	assert_string_equal(at(map, 0x1000), "first");
	assert_string_equal(at(map, 0x100f), "first");
	assert_string_equal(at(map, 0x1010), "");
	assert_string_equal(at(map, 0x201f), "LazyCompile:~later a.js:3");
	assert_string_equal(at(map, 0x3007), "third");
	assert_string_equal(at(map, 0x3008), "");
	pn_jit_map_free(map);
}

/* Code moves, and what is compiled next lies where it was. */
static void a_later_line_takes_the_place_of_earlier_ones(void **state)
{
	struct pn_jit_map *map = parse("1000 100 old\n1000 10 new\n"
				       "1080 40 other\n2000 10 a\n1ff8 10 b\n"
				       "3000 10 c\n2ff0 30 d\n");

	(void)state;
	assert_string_equal(at(map, 0x1008), "new");
	assert_string_equal(at(map, 0x10a0), "other");
	assert_string_equal(at(map, 0x1ffc), "b");
	assert_string_equal(at(map, 0x2004), "b");
	assert_string_equal(at(map, 0x2008), "a");
	assert_string_equal(at(map, 0x3008), "d");
	pn_jit_map_free(map);
}

static void passes_over_what_is_no_line(void **state)
{
	struct pn_jit_map *map =
		parse("\n \n1000\n1000 10\n1000 10 \nx 10 name\n1000 0 none\n"
		      "ffffffffffffffff 10 beyond\n11111111111111111 1 long\n"
		      "-1 10 minus\n5000 10 good\n6000 10 cut");

	(void)state;
	assert_string_equal(at(map, 0x1000), "");
	assert_string_equal(at(map, 0xffffffffffffffff), "");
	assert_string_equal(at(map, 0x5000), "good");
	assert_string_equal(at(map, 0x6000), ""); /* still being written */
	pn_jit_map_free(map);
	map = parse("");
	assert_string_equal(at(map, 0), "");
	pn_jit_map_free(map);
	assert_string_equal(at(NULL, 0), "");
}

static void reads_a_process_s_map_and_no_link(void **state)
{
	uint32_t pid = (uint32_t)getpid();
	struct pn_jit_map *map;
	char path[64], other[64];
	FILE *file;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/perf-%lu.map", (unsigned long)pid);
	snprintf(other, sizeof(other), "%s.other", path);
	assert_null(pn_jit_map_of(pid));
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("1000 10 here\n", file);
	fclose(file);
	map = pn_jit_map_of(pid);
	assert_string_equal(at(map, 0x1001), "here");
	pn_jit_map_free(map);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(other, path), 0);
	assert_null(pn_jit_map_of(pid));
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(pn_jit_map_of(pid));
	unlink(path);
	unlink(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_what_lies_in_a_range),
		cmocka_unit_test(a_later_line_takes_the_place_of_earlier_ones),
		cmocka_unit_test(passes_over_what_is_no_line),
		cmocka_unit_test(reads_a_process_s_map_and_no_link),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
