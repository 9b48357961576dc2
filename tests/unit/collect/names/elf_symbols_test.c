/* Names by the sorted table beside those of libdwfl itself. */
#define _GNU_SOURCE /* dladdr */
#include "collect/names/elf_symbols.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define STEP 97 /* bytes: no multiple of what functions are aligned to */

static int find_nothing(Dwfl_Module *module, void **user, const char *name,
			Dwarf_Addr base, const char *file, const char *link,
			GElf_Word crc, char **out)
{
	(void)module, (void)user, (void)name, (void)base, (void)file;
	(void)link, (void)crc, (void)out;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_nothing,
	.section_address = dwfl_offline_section_address,
};

/* Where `name` is; several names may be at one place. */
static uint64_t place_of(Dwfl_Module *module, const char *name)
{
	int count = dwfl_module_getsymtab(module), i;
	GElf_Addr address;
	GElf_Sym sym;

	for (i = 0; i < count; i++) {
		const char *other = dwfl_module_getsym_info(
			module, i, &sym, &address, NULL, NULL, NULL);

		if (other && !strcmp(other, name))
			return address;
	}
	return 0;
}

/* Of each executable segment, every so many bytes. */
static void compare(Dwfl_Module *module, const char *path)
{
	struct pn_elf_symbols *symbols = pn_elf_symbols_new(module);
	size_t compared = 0, differs = 0;
	GElf_Addr low, high, at;
	GElf_Off offset;
	GElf_Sym sym;

	dwfl_module_info(module, NULL, &low, &high, NULL, NULL, NULL, NULL);
	for (at = low; at < high; at += STEP) {
		const char *theirs = dwfl_module_addrinfo(
			module, at, &offset, &sym, NULL, NULL, NULL);
		const char *ours = pn_elf_symbols_find(symbols, at);

		/* not data, and not what lies behind a function */
		if (!theirs || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
		    offset >= sym.st_size)
			continue;
		compared++;
		if (!ours || (strcmp(ours, theirs) &&
			      place_of(module, ours) != at - offset)) {
			differs++;
			print_message("%s: %llx: %s, not %s\n", path,
				      (unsigned long long)at,
				      ours ? ours : "nothing", theirs);
		}
	}
	assert_true(compared > 0);
	assert_int_equal(differs, 0);
	pn_elf_symbols_free(symbols);
}

static void compare_file(const char *path)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	int fd = open(path, O_RDONLY);
	Dwfl_Module *module;

	assert_true(fd >= 0);
	dwfl_report_begin(dwfl);
	module = dwfl_report_elf(dwfl, path, path, fd, 0, true);
	dwfl_report_end(dwfl, NULL, NULL);
	assert_non_null(module);
	compare(module, path);
	dwfl_end(dwfl);
}

static void names_as_libdwfl_does(void **state)
{
	Dl_info info;

	(void)state;
	compare_file("/proc/self/exe");
	if (dladdr((void *)(uintptr_t)dwfl_begin, &info))
		compare_file(info.dli_fname);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_as_libdwfl_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
