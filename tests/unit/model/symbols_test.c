/*
 * Names of functions: what they are demangled to (c++filt 2.40 says so, with
 * and without -p) and what suffixes of compilers go.
 */
#include "model/symbols.h"

#include "base/text/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void becomes(const char *mangled, enum pn_demangling how,
		    const char *want)
{
	struct pn_function function = {0};
	struct pn_profile p;

	pn_profile_init(&p);
	function.name = pn_strtab_add_text(&p.strings, mangled);
	pn_profile_add_function(&p, &function);
	pn_symbols_demangle(&p, how);
	assert_string_equal(pn_profile_text(&p, p.functions[0].name), want);
	if (strcmp(mangled, want) != 0)
		assert_string_equal(
			pn_profile_text(&p, p.functions[0].system_name),
			mangled);
	pn_profile_release(&p);
}

static void demangles_cxx(void **state)
{
	const char *bar = "_ZN3foo3barIiEEvT_";
	const char *put = "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_"
			  "PKc";

	(void)state;
	becomes(bar, PN_DEMANGLE_FULL, "void foo::bar<int>(int)");
	becomes(bar, PN_DEMANGLE_TEMPLATES, "foo::bar<int>");
	becomes(bar, PN_DEMANGLE_SIMPLE, "foo::bar");
	becomes(put, PN_DEMANGLE_TEMPLATES,
		"std::operator<< <std::char_traits<char> >");
	becomes(put, PN_DEMANGLE_SIMPLE, "std::operator<<");
	becomes("_ZN12_GLOBAL__N_13fooEv", PN_DEMANGLE_SIMPLE,
		"(anonymous namespace)::foo");
	becomes("__Z3fooi", PN_DEMANGLE_FULL, "foo(int)");
}

/* A legacy name ends with a hash, which is no part of what was written. */
static void demangles_rust(void **state)
{
	(void)state;
	becomes("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		PN_DEMANGLE_SIMPLE, "core::fmt::Write::write_fmt");
	becomes("_RNvNtC7mycrate3foo3bar", PN_DEMANGLE_SIMPLE,
		"mycrate::foo::bar");
	becomes("_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$"
		"17h0123456789abcdefE",
		PN_DEMANGLE_SIMPLE,
		"core::ptr::drop_in_place<alloc::string::String>");
}

static void keeps_clones_apart(void **state)
{
	(void)state;
	becomes("_Z3fooi.isra.0", PN_DEMANGLE_FULL, "foo(int) [clone .isra.0]");
	becomes("_Z3fooi.part.1.cold", PN_DEMANGLE_SIMPLE,
		"foo [clone .part.1.cold]");
}

static void leaves_other_names_alone(void **state)
{
	static const char *const names[] = {
		"main", "foo.isra.0", "_start",
		"_Z!",	"_R",	      "foo<int>",
		"_",	"",	      "runtime.(*mspan).next",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		becomes(names[i], PN_DEMANGLE_SIMPLE, names[i]);
}

/* f(A<int, int>, A<S0, S0>, A<S1, S1>, ...): each parameter is twice as long
 * as the one before it, so that 25 would be some 200 MB. */
static enum pn_language demangle_doubling(struct pn_buf *out, int times)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOP";
	enum pn_language language;
	struct pn_buf name = {0};
	int i;

	pn_buf_add_text(&name, "_Z1f1AIiiE");
	for (i = 0; i < times; i++)
		pn_buf_printf(&name, "S_IS%c_S%c_E", digits[i], digits[i]);
	language = pn_demangle(out, pn_buf_text(&name), true);
	pn_buf_release(&name);
	return language;
}

static void bounds_what_a_name_becomes(void **state)
{
	struct pn_buf out = {0};

	(void)state;
	assert_int_equal(demangle_doubling(&out, 1), PN_LANGUAGE_CXX);
	assert_string_equal(pn_buf_text(&out),
			    "f(A<int, int>, A<A<int, int>, A<int, int> >)");
	pn_buf_clear(&out);
	assert_int_equal(demangle_doubling(&out, 25), PN_LANGUAGE_OTHER);
	assert_int_equal(out.len, 0);
	pn_buf_release(&out);
}

static void base_is(const char *name, const char *want)
{
	assert_int_equal(pn_symbol_base(name, strlen(name)), strlen(want));
	assert_memory_equal(name, want, strlen(want));
}

static void normal_is(const char *name, const char *want)
{
	struct pn_buf out = {0};

	pn_symbol_normal(&out, name, strlen(name));
	assert_string_equal(pn_buf_text(&out), want);
	pn_buf_release(&out);
}

static void finds_the_normal_name(void **state)
{
	(void)state;
	normal_is("f", "f");
	normal_is("", "");
	normal_is("std::vector<int>::at.isra.0", "std::vector::at");
	normal_is("core::fmt::write::h0123456789abcdef", "core::fmt::write");
	normal_is("core::fmt::write::h0123456789abcdeg",
		  "core::fmt::write::h0123456789abcdeg");
	normal_is("::h0123456789abcdef", "::h0123456789abcdef");
}

static void cuts_what_compilers_append(void **state)
{
	(void)state;
	base_is("f.isra.0", "f");
	base_is("f.part.1.cold", "f");
	base_is("f.cold.12", "f");
	base_is("f.constprop.0.isra.3", "f");
	base_is("f.llvm.1234567890123", "f");
	base_is("f.lto_priv.0", "f");
	base_is("f(int) [clone .isra.0] [clone .cold]", "f(int)");
	base_is("f(int) [clone .part.0.cold]", "f(int)");
	base_is("runtime.main", "runtime.main");
	base_is("f.isra.x", "f.isra.x");
	base_is("f.12", "f.12");
	base_is(".cold", ".cold");
	base_is("f [clone x]", "f [clone x]");
	base_is("", "");
}

static void joins_clones(void **state)
{
	static const char *const names[] = {"f", "f.isra.0", "f.cold"};
	struct pn_function function = {0};
	struct pn_profile p;
	size_t i;

	(void)state;
	pn_profile_init(&p);
	for (i = 0; i < 3; i++) {
		function.name = pn_strtab_add_text(&p.strings, names[i]);
		pn_profile_add_function(&p, &function);
	}
	pn_symbols_join_clones(&p);
	for (i = 0; i < 3; i++)
		assert_int_equal(p.functions[i].name, p.functions[0].name);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(demangles_cxx),
		cmocka_unit_test(demangles_rust),
		cmocka_unit_test(keeps_clones_apart),
		cmocka_unit_test(leaves_other_names_alone),
		cmocka_unit_test(bounds_what_a_name_becomes),
		cmocka_unit_test(finds_the_normal_name),
		cmocka_unit_test(cuts_what_compilers_append),
		cmocka_unit_test(joins_clones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
