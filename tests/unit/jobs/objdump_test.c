/* What objdump(1) prints, as GNU binutils 2.40 writes it. */
#include "jobs/source/objdump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct parsed {
	struct pn_assembly_routine routine;
	struct pn_arena arena;
};

static void parse(struct parsed *p, const char *said)
{
	char text[1024];

	*p = (struct parsed){.routine = {.name = "f"}};
	assert_true(strlen(said) < sizeof(text));
	memcpy(text, said, strlen(said) + 1);
	pn_objdump_parse(&p->routine, &p->arena, text);
}

static void is(const struct parsed *p, size_t at, uint64_t address,
	       const char *text, const char *function, const char *file,
	       int64_t line)
{
	const struct pn_instruction *i = &p->routine.items[at];

	assert_true(at < p->routine.count);
	assert_int_equal(i->address, address);
	assert_string_equal(i->text, text);
	assert_string_equal(i->function, function);
	assert_string_equal(i->file, file);
	assert_int_equal(i->line, line);
}

static void instructions_have_the_lines_above_them(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, "\n/dev/stdin:     file format elf64-x86-64\n\n\n"
		  "Disassembly of section .text:\n\n"
		  "0000000000001136 <f>:\n"
		  "f():\n"
		  "/src/a b/f.c:3\n"
		  "    1136:\tpush   %rbp\n"
		  "/src/a b/f.c:4 (discriminator 3)\n"
		  "    1137:\tmov    %rsp,%rbp   \n"
		  "ns::g(int)():\n"
		  "    113a:\tcall   1126 <a:b>\n");
	assert_int_equal(p.routine.count, 3);
	is(&p, 0, 0x1136, "push   %rbp", "f", "f.c", 3);
	is(&p, 1, 0x1137, "mov    %rsp,%rbp", "f", "f.c", 4);
	is(&p, 2, 0x113a, "call   1126 <a:b>", "ns::g(int)", "", 0);
	pn_arena_release(&p.arena);
}

static void odd_lines_are_no_instructions(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, "");
	assert_int_equal(p.routine.count, 0);
	pn_arena_release(&p.arena);
	/* a colon without a blank, no colon, nothing in front of it */
	parse(&p, "  12:nop\n  12\n:\n  \tff\n   ...\n():\n");
	assert_int_equal(p.routine.count, 0);
	pn_arena_release(&p.arena);
	/* the largest address; a drive's colon; a number of too many digits */
	parse(&p, "ffffffffffffffff:\tret\n"
		  "C:/x.c:12\n 1:\tnop\n"
		  "/y.c:1234567890\n 2:\tnop");
	assert_int_equal(p.routine.count, 3);
	is(&p, 0, UINT64_MAX, "ret", "", "", 0);
	is(&p, 1, 1, "nop", "", "x.c", 12);
	is(&p, 2, 2, "nop", "", "", 0);
	pn_arena_release(&p.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_have_the_lines_above_them),
		cmocka_unit_test(odd_lines_are_no_instructions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
