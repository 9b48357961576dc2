/* Addresses of records as places of files. */
#include "collect/names/address_map.h"
#include "collect/names/symbolize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BUILD_ID "0123456789abcdef" /* the linker is told so */

static struct pn_runtime_mapping mapping(uint64_t start, uint64_t limit,
					 uint64_t offset, uint64_t address)
{
	return (struct pn_runtime_mapping){.start = start,
					   .limit = limit,
					   .offset = offset,
					   .address = address,
					   .build_id_len = 2,
					   .build_id = {0xab, 0x01}};
}

/* The address of a location, in the mapping of this file (NULL: none). */
static void is_at(const struct pn_profile *p, uint32_t location,
		  const char *file, uint64_t address)
{
	const struct pn_location *l = &p->locations[location];

	assert_int_equal(l->address, address);
	if (!file) {
		assert_int_equal(l->mapping, PN_NONE);
		return;
	}
	assert_string_equal(pn_profile_text(p, p->mappings[l->mapping].file),
			    file);
}

static void gives_addresses_of_the_file(void **state)
{
	struct pn_runtime_mapping m = mapping(0x7000, 0x9000, 0x1000, 0x2000);
	struct pn_address_map *map;
	struct pn_profile p;
	uint32_t first;

	(void)state;
	pn_profile_init(&p);
	map = pn_address_map_new(&p);
	pn_address_map_add(map, &m, "/lib/a");
	first = pn_address_map_locate(map, 0x7010);
	is_at(&p, first, "/lib/a", 0x2010);
	assert_string_equal(pn_profile_text(&p, p.mappings[0].build_id),
			    "ab01");
	assert_int_equal(p.mappings[0].start, 0x2000);
	assert_int_equal(p.mappings[0].limit, 0x4000);
	/* another process has it elsewhere */
	pn_address_map_restart(map);
	m = mapping(0x50000, 0x52000, 0x1000, 0x2000);
	pn_address_map_add(map, &m, "/lib/a");
	assert_int_equal(pn_address_map_locate(map, 0x50010), first);
	is_at(&p, pn_address_map_locate(map, 0x7010), NULL, 0x7010);
	assert_int_equal(p.mapping_count, 1);
	pn_address_map_free(map);
	pn_profile_release(&p);
}

static void the_last_mapping_of_an_address_counts(void **state)
{
	const struct pn_runtime_mapping old = mapping(0x1000, 0x9000, 0,
						      0x1000),
					inner = mapping(0x3000, 0x4000, 0, 0),
					over = mapping(0x3800, 0xa000, 0,
						       PN_RUNTIME_NO_ADDRESS);
	struct pn_address_map *map;
	struct pn_profile p;

	(void)state;
	pn_profile_init(&p);
	map = pn_address_map_new(&p);
	pn_address_map_add(map, &old, "/old");
	pn_address_map_add(map, &inner, "/inner");
	is_at(&p, pn_address_map_locate(map, 0x2fff), "/old", 0x2fff);
	is_at(&p, pn_address_map_locate(map, 0x3000), "/inner", 0);
	is_at(&p, pn_address_map_locate(map, 0x3fff), "/inner", 0xfff);
	is_at(&p, pn_address_map_locate(map, 0x4000), "/old", 0x4000);
	pn_address_map_add(map, &over, "");
	is_at(&p, pn_address_map_locate(map, 0x37ff), "/inner", 0x7ff);
	is_at(&p, pn_address_map_locate(map, 0x3800), "[anon]", 0x3800);
	is_at(&p, pn_address_map_locate(map, 0x9fff), "[anon]", 0x9fff);
	is_at(&p, pn_address_map_locate(map, 0xa000), NULL, 0xa000);
	pn_address_map_free(map);
	pn_profile_release(&p);
}

static __attribute__((noinline)) uint64_t where_called_from(void)
{
	return (uint64_t)__builtin_return_address(0) - 1;
}

/* The line of the call in an inlined function, and that of the inlining. */
static uint64_t call_address;
static int call_line, outer_line;

static inline __attribute__((always_inline)) void inlined_function(void)
{
	call_line = __LINE__ + 1;
	call_address = where_called_from();
}

static __attribute__((noinline)) void outer_function(void)
{
	outer_line = __LINE__ + 1;
	inlined_function();
	__asm__ volatile("");
}

/* Where this program's code lies, as the kernel says. */
static void map_self(struct pn_profile *p, uint64_t address)
{
	struct pn_mapping m = {0};
	unsigned long start, limit, offset;
	char line[5000], path[4096];
	FILE *maps = fopen("/proc/self/maps", "r");
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *end;

	assert_non_null(maps);
	assert_true(len > 0);
	path[len] = '\0';
	while (fgets(line, sizeof(line), maps)) {
		start = strtoul(line, &end, 16);
		limit = strtoul(end + 1, &end, 16);
		offset = strtoul(end + 6, &end, 16);
		if (address < start || address >= limit)
			continue;
		m.start = start;
		m.limit = limit;
		m.offset = offset;
	}
	fclose(maps);
	m.file = pn_strtab_add_text(&p->strings, path);
	m.build_id = pn_strtab_add_text(&p->strings, BUILD_ID);
	pn_profile_add_mapping(p, &m);
}

static const char *name_of(const struct pn_profile *p, size_t line)
{
	return pn_profile_text(p, p->functions[p->lines[line].function].name);
}

static void names_functions_lines_and_inlining(void **state)
{
	struct pn_location location = {.mapping = 0};
	struct pn_profile p;
	const char *file;

	(void)state;
	outer_function();
	pn_profile_init(&p);
	map_self(&p, call_address);
	location.address = call_address;
	pn_profile_add_location(&p, &location, NULL, 0);
	location.address = p.mappings[0].limit - 1; /* nothing is there */
	pn_profile_add_location(&p, &location, NULL, 0);
	assert_int_equal(pn_symbolize(&p, NULL), 0);
	assert_int_equal(p.locations[0].line_count, 2);
	assert_string_equal(name_of(&p, 0), "inlined_function");
	assert_int_equal(p.lines[0].line, call_line);
	assert_string_equal(name_of(&p, 1), "outer_function");
	assert_int_equal(p.lines[1].line, outer_line);
	file = pn_profile_text(&p, p.functions[p.lines[0].function].file);
	assert_string_equal(strrchr(file, '/'), "/address_map_test.c");
	pn_profile_release(&p);
}

static void takes_no_file_of_another_build(void **state)
{
	struct pn_location location = {.mapping = 0};
	struct pn_profile p;

	(void)state;
	outer_function();
	pn_profile_init(&p);
	map_self(&p, call_address);
	p.mappings[0].build_id = pn_strtab_add_text(&p.strings, "00112233");
	location.address = call_address;
	pn_profile_add_location(&p, &location, NULL, 0);
	assert_int_equal(pn_symbolize(&p, NULL), 0);
	assert_int_equal(p.locations[0].line_count, 0);
	assert_int_equal(p.locations[0].address, call_address);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_addresses_of_the_file),
		cmocka_unit_test(the_last_mapping_of_an_address_counts),
		cmocka_unit_test(names_functions_lines_and_inlining),
		cmocka_unit_test(takes_no_file_of_another_build),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
