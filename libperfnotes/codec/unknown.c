/*
 * Inputs that can be told by their first bytes: perf.data-file-format.txt and
 * gmon_out.h of their projects, magic(5) for the rest.
 */
#include "codec/unknown.h"

#include <string.h>

#define DASHES "--------------------"
#define RULE DASHES DASHES DASHES DASHES

static const struct {
	const char *magic;
	size_t len;
	const char *hint;
} known[] = {
	{"2ELIFREP", 8,
	 "this is perf.data of a machine of the other byte order: give the "
	 "output of 'perf script -i <file>' there"},
	{"gmon", 4,
	 "this is gmon.out: give the output of 'gprof <program> <file>'"},
	{"\xfd"
	 "7zXZ",
	 5, "it is compressed: give the output of 'xzcat'"},
	{"BZh", 3, "it is compressed: give the output of 'bzcat'"},
	{"name,iterations,real_time", 25,
	 "this is Google Benchmark's CSV: give --benchmark_format=json"},
	{"Version: ", 9,
	 "if this is xdebug's trace: profile with xdebug.mode=profile"},
	{"TRACE START [", 13,
	 "if this is xdebug's trace: profile with xdebug.mode=profile"},
	{"# To display the perf.data header", 33,
	 "this is the text of 'perf report': give perf.data, or the output of "
	 "'perf script'"},
	{"# started on ", 13,
	 "if this is of 'perf stat': its tables are not read, give what -x or "
	 "-j writes"},
	{RULE "\nProfile data file '", 100,
	 "this is the text of callgrind_annotate: give the callgrind.out file "
	 "that it was made of"},
	{"PK\x03\x04", 4, "this is a zip archive: give a file of it"},
	{"\x7f"
	 "ELF",
	 4, "this is a program or a core, not a profile of one"},
	{"<svg", 4, "this is a picture: give what it was drawn from"},
	{"<?xml", 5,
	 "this is XML, a picture perhaps: give what it was drawn from"},
};

const char *pn_unknown_hint(const unsigned char *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (len >= known[i].len &&
		    !memcmp(bytes, known[i].magic, known[i].len))
			return known[i].hint;
	return NULL;
}
